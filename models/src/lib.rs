//! What is known of the functions that are built into the BEAM.
//!
//! Each is one entry ([`Model`]) in the table of its family, beside the functions that describe
//! it: whether it raises, and how its result follows from its arguments. The instrumenter and the
//! decoder of logs ask whether a result must be logged; the engine computes those that are not.
//!
//! A new built-in is one line in `ENTRIES` of its family and the function that it names. The
//! end-to-end test `models` compares all of them with the real ones on random arguments, and
//! `docs/limitations.md` lists them.

mod arithmetic;
mod atoms;
mod binary_atoms;
mod binary_conversions;
mod binary_parts;
mod building;
mod changing;
mod comparisons;
mod decimals;
mod documentation;
mod elixir_libraries;
mod libraries;
mod lists;
mod map_generators;
mod maps;
mod model;
mod numerals;
mod pieces;
mod primops;
mod process_calls;
mod raising;
mod steps;
mod table;
mod trial;
mod tuples;
mod type_checks;
mod walk;

pub use building::{BuiltSegment, build, is_big};
pub use changing::is_changing;
pub use documentation::{
    list_of_followed_elixir_modules, list_of_followed_modules, list_of_models,
};
pub use elixir_libraries::{FOLLOWED_ELIXIR_MODULES, FOLLOWED_PROTOCOLS, MODELLED_ELIXIR_MODULES};
pub use libraries::{
    FOLLOWED_MODULES, FollowedModule, Form, UseOfModule, is_followed, is_reached_by_names,
};
pub use model::{Applied, Exception, Meaning, Model, ProcessCall, Raises, Rule, Walker};
pub use pieces::exact;
pub use primops::{Primop, primop};
pub use steps::{Access, AccessMode, Object, Step, StepKind, step, steps};
pub use table::{all, find};
pub use trial::{Given, NotUnderstood, try_call};
pub use walk::{Choice, Stop, Walk, Walked};
