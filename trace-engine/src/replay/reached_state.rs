//! The state of a run before a decision.

use crate::pruning::StateKey;

/// The state before a decision.
#[derive(Clone, Debug)]
pub struct ReachedState {
    /// The number of the decision.
    pub(crate) decision: usize,
    /// Its key, if it has one.
    pub(crate) key: Option<StateKey>,
    /// How much work the key was.
    pub(crate) work: usize,
}
