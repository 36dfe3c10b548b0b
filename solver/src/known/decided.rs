//! Conditions that are the same for all inputs.

use crate::graph::Condition;

/// Whether a condition holds, if that is the same for all inputs.
pub(crate) fn constant(condition: Condition) -> Option<bool> {
    condition
        .is_constant()
        .then_some(condition == Condition::TRUE)
}
