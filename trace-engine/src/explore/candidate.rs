//! Inputs that wait to be run.

use super::arguments::Arguments;
use super::clause_id::ClauseId;
use crate::visited::Point;

/// The branch that an input should take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target {
    pub(super) point: Point,
    pub(super) way: usize,
    /// The clause that it should reach. None if it is a guess.
    pub(super) clause: Option<ClauseId>,
    /// Whether it must get there. Otherwise something is not understood, and it only may.
    pub(super) is_certain: bool,
}

/// An input to be run.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) arguments: Arguments,
    /// The test it was made from.
    pub(super) parent: Option<usize>,
    pub(super) target: Option<Target>,
}

impl Candidate {
    /// The clause that it should reach, if that is known.
    pub(super) fn clause(&self) -> Option<ClauseId> {
        self.target.and_then(|target| target.clause)
    }
}
