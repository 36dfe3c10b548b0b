//! Values that a BEAM printed, read back as far as reports need them.

mod printed_shape;
mod shape_reader;

pub(crate) use printed_shape::{MODULUS, Shape, Unknown};
pub(crate) use shape_reader::{bytes, read_shape, unquoted};
