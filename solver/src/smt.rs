//! Z3: the encoding of whole questions, and what all users of Z3 share.

mod budget;
mod decoding;
mod encoding;
mod fractions;
mod mentioned;
mod operations;
mod term_arithmetic;
mod term_sort;
mod translation;

pub(crate) use budget::Budget;
pub use budget::give_up_at_once;
pub use encoding::Encoding;
pub(crate) use fractions::{exact_fraction, number, parse_integer, real, rounded};
pub(crate) use operations::{LARGE, Side, computed, with_constant};
