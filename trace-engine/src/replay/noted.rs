//! What a replay notes beside the decisions.

use super::state_keys::KeyedStates;

/// What a replay notes beside the decisions.
#[derive(Clone, Copy, Debug, Default)]
pub struct Noted<'search> {
    /// The places that are reached in the first modules, this many.
    pub modules: usize,
    /// The states before decisions, in a run of one process.
    pub(crate) states: Option<KeyedStates<'search>>,
}
