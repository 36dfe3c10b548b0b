//! A form of the values of a type.

use crate::graph::Condition;
use crate::types::TypeId;

/// A form that a value of a type can still have.
pub(crate) struct Form {
    /// What it says of the value.
    pub(crate) condition: Condition,
    /// Whether it says more than that about constants.
    pub(crate) is_opaque: bool,
    /// Whether all values of a kind have it.
    pub(crate) is_whole_kind: bool,
    /// What it says of the results of a fun, beside the condition.
    pub(crate) returns: Option<TypeId>,
}

impl Form {
    /// Whether all that it says can be added to what is known.
    pub(crate) fn can_be_said(&self) -> bool {
        !self.is_opaque || self.returns.is_some()
    }
}
