//! Inputs that wait to be run.

use flattener::flat::SiteId;
use serde::{Deserialize, Serialize};
use trace_format::Schedule;

use super::arguments::Arguments;
use super::clause_id::ClauseId;
use crate::concurrency::PartIdentity;
use crate::visited::Point;

/// The branch that an input should take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target {
    pub(super) point: Point,
    /// The number of the decision in the run that it was made from.
    pub(super) decision: usize,
    pub(super) way: usize,
    /// The clause that it should reach. None if it is a guess.
    pub(super) clause: Option<ClauseId>,
    /// The state in which a machine is there; `None` if there is no machine.
    pub(super) machine_state: Option<TargetState>,
    /// Whether it must get there. Otherwise something is not understood, and it only may.
    pub(super) is_certain: bool,
}

/// The state of a machine where an input should branch off.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct TargetState {
    /// What it is called, as a number.
    pub(super) label: u64,
    /// What does not depend on the input in it, as a number, where the next event is chosen.
    pub(super) fixed_data: Option<u64>,
}

/// Two steps that depend on each other: module and site of each.
pub type Race = [(usize, SiteId); 2];

/// Another order of two steps of a run.
#[derive(Clone, Debug)]
pub struct OtherOrder {
    /// The two steps.
    pub race: Race,
    /// The numbers of the two steps among the events of the run.
    pub events: [usize; 2],
    /// A schedule in which their order is another one.
    pub schedule: Schedule,
}

/// The order that the steps of several processes should have.
#[derive(Clone, Debug)]
pub(super) struct PlannedOrder {
    /// The schedule as text, which is small.
    pub(super) schedule: Box<str>,
    /// The events that the run should have.
    pub(super) part: PartIdentity,
    /// The steps whose order is another one than before.
    pub(super) race: Option<Race>,
    /// Whether it must have them. Otherwise something is not controlled, and it only may.
    pub(super) is_certain: bool,
}

/// An input to be run.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) arguments: Arguments,
    /// The test it was made from.
    pub(super) parent: Option<usize>,
    pub(super) target: Option<Target>,
    /// If several processes run.
    pub(super) order: Option<Box<PlannedOrder>>,
    /// Whether it has a value that got through as another argument.
    pub(super) is_exchanged: bool,
}

/// What a run is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Aim {
    /// To reach a clause.
    Clause(ClauseId),
    /// To try another value for something that is not understood.
    Guess,
    /// Another order of the steps of several processes.
    Order,
    /// To begin with.
    Seed,
}

impl Candidate {
    /// What it is for.
    pub(super) fn aim(&self) -> Aim {
        match (&self.target, &self.order) {
            (Some(target), _) => target.clause.map_or(Aim::Guess, Aim::Clause),
            (None, Some(_)) => Aim::Order,
            (None, None) => Aim::Seed,
        }
    }

    /// Which process should take its steps when.
    pub(super) fn schedule(&self) -> Schedule {
        let schedule = self.order.as_ref().map(|order| order.schedule.parse());
        let schedule = schedule.transpose().unwrap_or_default();
        schedule.unwrap_or_default()
    }

    /// The state of a machine and the clause that it should reach there: a transition, or part of it.
    pub(super) fn transition(&self) -> Option<(u64, ClauseId)> {
        let target = self.target?;
        Some((target.machine_state?.label, target.clause?))
    }

    /// The data of a machine that should get an event, and the clause that chooses the event.
    pub(super) fn next_event(&self) -> Option<(u64, ClauseId)> {
        let target = self.target?;
        Some((target.machine_state?.fixed_data?, target.clause?))
    }

    /// The clause that it should reach, if that is known.
    pub(super) fn clause(&self) -> Option<ClauseId> {
        self.target.and_then(|target| target.clause)
    }
}
