//! The state of a run before a decision.

use flattener::flat::SiteId;

use crate::pruning::{StateKey, StateShape};

/// The state before a decision.
#[derive(Clone, Debug)]
pub struct ReachedState {
    /// The number of the decision.
    pub(crate) decision: usize,
    /// The number of the event at which it is made, counted from 1.
    pub(crate) event: usize,
    /// How many functions wait for others there.
    pub(crate) depth: usize,
    /// Module and site of the decision.
    pub(crate) place: (usize, SiteId),
    /// Its key, if it has one.
    pub(crate) key: Option<StateKey>,
    /// Its shape, if it has a key and shapes are wanted.
    pub(crate) shape: Option<StateShape>,
    /// How much work the key was.
    pub(crate) work: usize,
}
