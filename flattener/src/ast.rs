//! The syntax tree of Core Erlang: one struct per kind of node, two enums over them.
//!
//! Every node carries a [`Meta`]: its place in the text and its annotations. Equality of trees
//! ignores places, so a tree is equal to what its printed text parses to.

mod child;
mod constant;
mod literals;
mod meta;
mod nodes;

pub use child::{Child, deep};
pub use constant::{Constant, ConstantList, LiteralValue};
pub use literals::{ConstantTerm, Literal};
pub use meta::{Annotations, Meta, Span};
pub(crate) use nodes::Part;
pub use nodes::{
    Alias, Apply, Attribute, Binary, Call, Case, Catch, Cons, CoreClause, CoreFun, CoreModule,
    CorePattern, CorePatternSegment, CoreSegment, Definition, Expr, ExternalFun, FunctionName, Let,
    Letrec, Map, MapOperator, MapPair, PatternBinary, PatternCons, PatternMap, PatternMapPair,
    PatternTuple, Primop, Receive, Sequence, Try, Tuple, Values, Variable,
};
