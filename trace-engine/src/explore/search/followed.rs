//! A run that was replayed, here or elsewhere.

use std::time::Duration;

use solver::ReleaseRules;

use super::super::executor::ReplayedElsewhere;
use super::super::solutions::Answers;
use crate::replay::{ReplayError, Replayed, Segments};

/// A run that was replayed.
pub(super) struct Followed {
    pub(super) replayed: Result<Replayed, ReplayError>,
    /// Its parts between states, if they are of interest.
    pub(super) segments: Option<Segments>,
    /// Whether it was replayed elsewhere, so that its conditions are not here.
    pub(super) is_elsewhere: bool,
    /// The answers about it, if they were looked for there at once.
    pub(super) answers: Option<Answers>,
    /// What values meant in it, if it was replayed here.
    pub(super) rules: ReleaseRules,
    pub(super) run_time: Duration,
    pub(super) replay_time: Duration,
}

impl Followed {
    pub(super) fn elsewhere(replayed: ReplayedElsewhere) -> Self {
        Self {
            replayed: Ok(replayed.summary.into_replayed()),
            segments: None,
            is_elsewhere: true,
            answers: replayed.answers,
            rules: ReleaseRules::default(),
            run_time: Duration::ZERO,
            replay_time: replayed.took,
        }
    }
}
