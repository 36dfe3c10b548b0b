//! Literals and constants as nodes of a program.

use super::constant::{Constant, LiteralValue};
use super::meta::Meta;

/// A literal in a program.
#[derive(Clone, Debug, PartialEq)]
pub struct Literal {
    /// Place and annotations.
    pub meta: Meta,
    /// The value.
    pub value: LiteralValue,
}

/// A constant list or tuple in a program.
#[derive(Clone, Debug, PartialEq)]
pub struct ConstantTerm {
    /// Place and annotations.
    pub meta: Meta,
    /// The value.
    pub value: Constant,
}
