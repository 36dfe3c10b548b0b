//! Inputs that fulfil conditions.
//!
//! The solver works on the shape of the input: it narrows the kinds that parts of the input can
//! have, binds parts to each other and to values, and keeps what it cannot decide yet. A question
//! is answered by guessing: the first guess is the parent's input, with small values where it has
//! none. Kept conditions that the guess breaks are split into cases, and each case is tried in
//! turn. Constraints between integers are solved separately (`integers`).
//!
//! The layers, from bottom to top: `graph` and `types` (values, conditions, types), `store` and
//! `known` (what is known about the input), `asserting` (adds conditions), `guess` (makes an
//! input), `trying` (tries all values of integers that have few), `split` (finds cases), `search`
//! (tries them), and `solver`, which other crates use.
//! `smt` is everything that is written in terms of Z3.

mod answer;
mod asserting;
mod atom_table;
mod conflict;
pub mod graph;
mod guess;
mod integers;
mod kinds;
mod known;
mod limits;
mod native;
mod patience;
mod questions;
mod release_rules;
mod savings;
mod search;
mod smt;
mod solver;
mod split;
mod store;
mod trying;
pub mod types;

pub use answer::Answer;
pub use atom_table::{AtomOrder, AtomTable};
pub use integers::{Integers, NativeIntegers, Z3Integers, z3_version};
pub use limits::{Limits, Shortcuts};
pub use native::Native;
pub use patience::Patience;
pub use questions::{Question, Questions};
pub use release_rules::{FloatsOfIntegers, ReleaseRules, Zeros};
pub use savings::Savings;
pub use smt::{Encoding, give_up_at_once};
pub use solver::Solver;

#[cfg(test)]
mod tests;
