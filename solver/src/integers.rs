//! Constraints between integers: sums of parts of the input with coefficients.

mod all_values;
mod bit_vectors;
mod bounds;
mod by_z3;
mod disjoint_bits;
mod exact;
mod halving;
mod intervals;
mod linear;
mod masked_variables;
mod narrowing;
mod operation_bounds;
mod problem;
mod rows;

pub use by_z3::{Z3Integers, z3_version};
pub(crate) use disjoint_bits::with_sums;
pub(crate) use exact::{exact, to_i128};
pub use linear::{Constraint, Linear, Relation};
pub use narrowing::NativeIntegers;
pub use problem::{Integers, Problem, Product, Solution};
