//! What a replay notes beside the decisions.

use super::play_mark::NotedMarks;
use super::state_keys::KeyedStates;
use crate::pruning::Pruning;

/// What a replay notes beside the decisions.
#[derive(Clone, Copy, Debug, Default)]
pub struct Noted<'search> {
    /// The places that are reached in the first modules, this many.
    pub modules: usize,
    /// What is noted of the play of a machine.
    pub marks: Option<NotedMarks>,
    /// What is looked at, if that is known.
    pub(crate) views: Option<&'search Pruning>,
    /// The states before decisions, in a run of one process.
    pub(crate) states: Option<KeyedStates<'search>>,
}
