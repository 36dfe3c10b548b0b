//! A run that was replayed, here or elsewhere.

use std::time::Duration;

use solver::ReleaseRules;

use super::super::executor::ReplayedElsewhere;
use crate::replay::{ReplayError, Replayed, Segments};

/// A run that was replayed.
pub(super) struct Followed {
    pub(super) replayed: Result<Replayed, ReplayError>,
    /// Its parts between states, if they are of interest.
    pub(super) segments: Option<Segments>,
    /// Whether it was replayed elsewhere, so that its conditions are not here.
    pub(super) is_elsewhere: bool,
    /// What values meant in it.
    pub(super) rules: ReleaseRules,
    pub(super) run_time: Duration,
    pub(super) replay_time: Duration,
}

impl Followed {
    pub(super) fn elsewhere(replayed: ReplayedElsewhere, rules: ReleaseRules) -> Self {
        Self {
            replayed: Ok(replayed.summary.into_replayed()),
            segments: None,
            is_elsewhere: true,
            rules,
            run_time: Duration::ZERO,
            replay_time: replayed.took,
        }
    }
}
