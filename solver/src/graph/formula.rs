//! Formulas: what conditions state about nodes.
//!
//! A conjunction is read from left to right: a condition on a part of a value comes after the
//! condition that the value has such a part.

use std::sync::Arc;

use super::ids::{Condition, NodeId};
use super::operator::Operator;
use crate::kinds::Kinds;
use crate::types::{Field, TypeId};

/// The statement of a condition that is not negated.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Formula {
    /// Always true.
    True,
    /// All of these hold.
    All(Arc<[Condition]>),
    /// A value is of one of these kinds.
    Kind(Kinds, NodeId),
    /// A value is a tuple of this size.
    Arity(u32, NodeId),
    /// A value is a fun of this arity.
    FunArity(u32, NodeId),
    /// A value is a list that ends in `[]`.
    ProperList(NodeId),
    /// A value is of a type.
    Member(TypeId, NodeId),
    /// A part of the input that is a map has a key: the key, the map.
    HasKey(NodeId, NodeId),
    /// All pairs of a part of the input that is a map fit these fields.
    Fields(Arc<[Field]>, NodeId),
    /// The bytes of a binary from this one on are UTF-8.
    Utf8(u32, NodeId),
    /// Two values are equal: `=:=`.
    Equal(NodeId, NodeId),
    /// Two values are equal, with integers and floats compared by value: `==`.
    Same(NodeId, NodeId),
    /// A value comes before another in the order of terms.
    Less(NodeId, NodeId),
    /// A value comes before another as a key of a small map.
    Before(NodeId, NodeId),
    /// The result of an operation on two numbers would be too large.
    TooLarge(Operator, NodeId, NodeId),
}
