//! Symbolic values: a hash-consed graph, in which equal values are one node.
//!
//! An input is a tree. A part of it that the program has looked at is a node named by its path:
//! the head of the tail of the first argument. So matching a pattern needs no new variables, and a
//! negated match needs no quantifier: "there is no `H` with `X = [H|_]` and `H > 3`" is "`X` is
//! not a list cell, or its head is not greater than 3".
//!
//! [`Graph`] holds nodes and conditions. Its methods make new ones, in their simplest form; they
//! are grouped in files by the kind of value. Everything else is a type or function on top:
//! [`Input`] evaluates, [`Words`] writes conditions for reading, [`to_term`] gives constants.

mod arena;
mod arithmetic;
mod atom_text;
mod bit_contents;
mod bit_equality;
mod bit_numbers;
mod bit_pieces;
mod bit_sizes;
mod choices;
mod collections;
mod conditions;
mod constant_terms;
mod constants;
mod equality;
mod evaluation;
mod facts;
mod float_bits;
mod formula;
mod fun_keys;
mod fun_tables;
mod ids;
mod interner;
mod key_order;
mod made_values;
mod map_keys;
mod map_nodes;
mod node;
mod number_bounds;
mod operator;
mod order;
mod overflow;
mod places;
mod recomputing;
mod rounding;
mod term_order;
mod type_conditions;
mod utf8;
mod wording;

pub use crate::kinds::Kinds;
pub(crate) use crate::types::MOST_PARAMETERS;
pub use arena::Graph;
pub use atom_text::LONGEST_ATOM;
pub use bit_contents::MOST_BYTES;
pub use bit_pieces::{Bits, Piece, Rest};
pub use collections::Set;
pub use constant_terms::{characters, has_funs, to_term};
pub use evaluation::Input;
pub use formula::Formula;
pub use fun_keys::can_be_key;
pub use ids::{Condition, NodeId};
pub use map_keys::MapKeys;
pub use node::{Closure, Elements, Node, Pair, Place, Table};
pub use operator::Operator;
pub use rounding::Rounding;
pub use wording::Words;

pub(crate) use arithmetic::exact_float;
pub(crate) use constant_terms::depth_of_constant;
pub(crate) use number_bounds::{MOST_INPUT_BYTES, range_of_part, upper_bound};
pub(crate) use overflow::{SHORT_SHIFT, may_be_too_large};
pub(crate) use recomputing::computed;
