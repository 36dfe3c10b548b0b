//! The path of a run, compared with others.

use trace_format::Schedule;

use super::super::candidate::Aim;
use super::super::clause_id::ClauseId;
use super::super::gap::Gap;
use super::super::paths::Path;
use super::super::report::Statistics;
use super::super::solutions::Solutions;
use super::job::Job;
use crate::replay::PlayMark;

/// The path of a run, compared with the predicted one and with those of earlier runs.
#[derive(Debug, Default)]
pub(super) struct Course {
    pub(super) trace: Vec<u32>,
    pub(super) new_clauses: Vec<ClauseId>,
    /// Whether its log ends before the run did.
    pub(super) is_cut: bool,
    /// Whether everything in the run was controlled.
    pub(super) is_controlled: bool,
    pub(super) diverged: bool,
    pub(super) repeats: bool,
    pub(super) path: Option<Path>,
    pub(super) marks: Vec<PlayMark>,
    /// If several processes ran: who took steps when.
    pub(super) schedule: Option<Schedule>,
    /// Counters of their orders.
    pub(super) order_statistics: Statistics,
    /// Gaps in the run itself.
    pub(super) gaps: Vec<Gap>,
}

impl Course {
    /// Whether an equivalent run of several processes was made before, perhaps by another thread
    /// meanwhile. Then this one counts for nothing, unless somebody asked for its input.
    pub(super) fn is_made_before(&self, job: &Job<'_>) -> bool {
        let is_wanted = job.candidate.aim() == Aim::Seed || self.diverged || self.is_cut;
        self.schedule.is_some() && self.repeats && !is_wanted
    }

    /// Whether its path was known, and says how the run ends: a value of another argument led to it,
    /// or did so before the run that was to take it. Then it counts for nothing either.
    pub(super) fn is_vain(&self, job: &Job<'_>, solutions: &Solutions) -> bool {
        let is_unasked = match job.candidate.aim() {
            Aim::Seed => job.candidate.is_exchanged,
            Aim::Clause(_) => !self.diverged,
            Aim::Guess | Aim::Order => false,
        };
        let is_certain = self.is_controlled && self.gaps.is_empty() && !self.is_cut;
        is_unasked && self.repeats && is_certain && solutions.add_nothing()
    }
}
