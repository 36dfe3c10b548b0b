//! The state of a run before a decision.

use flattener::flat::SiteId;
use serde::{Deserialize, Serialize};

use crate::pruning::{ComparableState, StateShape};

/// The state before a decision.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ReachedState {
    /// The number of the decision.
    pub(crate) decision: usize,
    /// The number of the event at which it is made, counted from 1.
    pub(crate) event: usize,
    /// How many functions wait for others there.
    pub(crate) depth: usize,
    /// Module and site of the decision.
    pub(crate) place: (usize, SiteId),
    /// How it compares with others, if all of it is known.
    pub(crate) state: Option<ComparableState>,
    /// Its shape, if all of it is known and shapes are wanted.
    #[serde(skip)]
    pub(crate) shape: Option<StateShape>,
    /// How much work it was to write the state.
    pub(crate) work: usize,
}
