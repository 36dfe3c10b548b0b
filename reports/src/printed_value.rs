//! Values that a BEAM or a report printed, read back as far as reports need them.

mod expression;
mod expression_reader;
mod leaf_text;
mod printed_shape;
mod shape_reader;

pub(crate) use expression::{Expression, FunctionName, TableClause, TableHead, TableTest};
pub(crate) use expression_reader::{read_expression, read_function};
pub use leaf_text::printed_text;
pub(crate) use leaf_text::{bytes, unquoted};
pub(crate) use printed_shape::{MODULUS, Shape, Unknown};
pub(crate) use shape_reader::read_shape;
