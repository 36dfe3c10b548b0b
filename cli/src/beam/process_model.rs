//! How the processes of a run are controlled.

use erlang_term::Term;
use trace_format::Schedule;

/// More steps than this are too many, unless the user says otherwise.
pub(crate) const MAX_STEPS: u32 = 1_000;

/// How the processes of runs are controlled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProcessModel {
    /// Whether they are.
    pub is_controlled: bool,
    /// How many steps all processes of a run may take.
    pub max_steps: u32,
    /// When a timeout of a `receive` runs out.
    pub time: TimeModel,
}

/// When a timeout of a `receive` runs out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeModel {
    /// When no process can go on.
    Quiet,
    /// Whenever the schedule says so and no message matches.
    Any,
}

impl Default for ProcessModel {
    fn default() -> Self {
        Self {
            is_controlled: true,
            max_steps: MAX_STEPS,
            time: TimeModel::Quiet,
        }
    }
}

impl ProcessModel {
    /// Processes run as they come.
    pub(crate) const UNCONTROLLED: Self = Self {
        is_controlled: false,
        max_steps: MAX_STEPS,
        time: TimeModel::Quiet,
    };

    /// The keys of the request for a run that follows a schedule.
    pub(super) fn request(&self, schedule: &Schedule) -> Vec<(Term, Term)> {
        let integer = |value: u32| Term::Integer(i64::from(value).into());
        let leases = schedule.leases().iter().map(|lease| {
            let path = lease.process.numbers().map(integer);
            Term::Tuple(vec![Term::list(path), integer(lease.steps.get())])
        });
        let schedules = if self.is_controlled { "all" } else { "none" };
        let time = match self.time {
            TimeModel::Quiet => "quiet",
            TimeModel::Any => "any",
        };
        vec![
            (Term::atom("schedules"), Term::atom(schedules)),
            (Term::atom("schedule"), Term::list(leases)),
            (Term::atom("max_steps"), integer(self.max_steps)),
            (Term::atom("time"), Term::atom(time)),
        ]
    }
}
