//! Flat Core Erlang: the language of Figure 3 of Palacios and Vidal's paper, extended to all that
//! the compiler emits.
//!
//! A function is a tree of [`Block`]s in an arena. A block is a list of [`Statement`]s, each
//! binding variables to the values of one [`Operation`], and a result. Operations work on
//! [`Value`]s: variables, literals, and lists and tuples of these (patterns in the paper's sense),
//! which can neither fail nor have an effect.
//!
//! A block whose last statement binds exactly the block's result ends in a tail position; when
//! code is made from it, that statement stands there bare, so tail calls stay tail calls.

mod code;
mod elixir;
mod guard;
mod ids;
mod mentions;
mod raising;
mod references;
mod to_ast;
mod value;
pub mod visit;

pub use code::{
    Block, Bound, Clause, Fun, Function, LocalFunction, Module, Operation, Statement, VariableInfo,
};
pub use elixir::{is_elixir_module, is_made_by_elixir};
pub use guard::{
    Guard, GuardCall, GuardCase, GuardClause, GuardLet, GuardMap, GuardOperator, GuardSegment,
    GuardTry,
};
pub use ids::{BlockId, Callable, FunctionId, LocalId, SiteId, VarId};
pub use mentions::{Mentions, mentions};
pub use raising::ALWAYS_RAISE;
pub(crate) use raising::is_raising;
pub use references::{Reference, references};
pub use to_ast::{Emitters, Mark, TailForm, to_ast, to_ast_with_emitters};
pub use value::{
    Endianness, FunctionRef, Pattern, PatternSegment, Segment, SegmentKind, SegmentType, Value,
};
