//! A form of the values of a type.

use crate::graph::Condition;
use crate::types::TypeId;

/// A form that a value of a type can still have.
pub(crate) struct Form {
    /// The condition on the value.
    pub(crate) condition: Condition,
    /// Whether the type says more about constants than this condition.
    pub(crate) is_opaque: bool,
    /// Whether all values of a kind have it.
    pub(crate) is_whole_kind: bool,
    /// The type of the results, if it is a fun.
    pub(crate) returns: Option<TypeId>,
}

impl Form {
    /// Whether everything that it says can be asserted.
    pub(crate) fn can_be_said(&self) -> bool {
        !self.is_opaque || self.returns.is_some()
    }
}
