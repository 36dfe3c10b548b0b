//! How the processes of a run are controlled.

use erlang_term::Term;
use reports::Trial;
use trace_format::{ProcessPath, Schedule, StepOwner};

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
    /// When a message arrives.
    pub delivery: DeliveryModel,
    /// Whether processes leave a record of what they do.
    pub is_recorded: bool,
    /// Whether a run of one process is told without its gate, which takes time.
    pub is_brief: bool,
}

/// When a timeout of a `receive` runs out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeModel {
    /// When no process can go on.
    Quiet,
    /// Whenever the schedule says so and no message matches.
    Any,
}

/// When a message arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeliveryModel {
    /// When it is sent.
    Instant,
    /// When the schedule says so, in the order of its sender.
    Any,
}

impl Default for ProcessModel {
    fn default() -> Self {
        Self {
            is_controlled: true,
            max_steps: MAX_STEPS,
            time: TimeModel::Quiet,
            delivery: DeliveryModel::Instant,
            is_recorded: true,
            is_brief: false,
        }
    }
}

impl ProcessModel {
    /// Processes run as they come.
    pub(crate) const UNCONTROLLED: Self = Self {
        is_controlled: false,
        max_steps: MAX_STEPS,
        time: TimeModel::Quiet,
        delivery: DeliveryModel::Instant,
        is_recorded: true,
        is_brief: false,
    };

    /// The same, but runs of one process are told without their gates.
    pub(crate) fn in_brief(self) -> Self {
        Self {
            is_brief: true,
            ..self
        }
    }

    /// The keys of the request for a run that follows a schedule.
    pub(super) fn request(&self, schedule: &Schedule) -> Vec<(Term, Term)> {
        let integer = |value: u32| Term::Integer(i64::from(value).into());
        let leases = schedule.leases().iter().map(|lease| {
            let path = |process: &ProcessPath| Term::list(process.numbers().map(integer));
            let owner = match &lease.owner {
                StepOwner::Process(process) => path(process),
                StepOwner::Channel { from, to } => Term::Tuple(vec![path(from), path(to)]),
            };
            Term::Tuple(vec![owner, integer(lease.steps.get())])
        });
        let schedules = if self.is_controlled { "all" } else { "none" };
        let record = if self.is_recorded { "true" } else { "false" };
        let brief = if self.is_brief { "true" } else { "false" };
        vec![
            (Term::atom("schedules"), Term::atom(schedules)),
            (Term::atom("schedule"), Term::list(leases)),
            (Term::atom("max_steps"), integer(self.max_steps)),
            (Term::atom("time"), Term::atom(self.time.name())),
            (Term::atom("delivery"), Term::atom(self.delivery.name())),
            (Term::atom("record"), Term::atom(record)),
            (Term::atom("brief"), Term::atom(brief)),
        ]
    }
}

/// The keys of the request for a run whose processes run as they come.
pub(super) fn trial_request(trial: Trial) -> Vec<(Term, Term)> {
    let number = i64::try_from(trial.number).unwrap_or(i64::MAX);
    let waits = if trial.waits { "true" } else { "false" };
    let options = vec![
        (Term::atom("number"), Term::Integer(number.into())),
        (Term::atom("waits"), Term::atom(waits)),
    ];
    vec![
        (Term::atom("schedules"), Term::atom("none")),
        (Term::atom("trial"), Term::Map(options)),
        (Term::atom("record"), Term::atom("false")),
    ]
}

impl DeliveryModel {
    /// Its name in reports and requests.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Instant => "instant",
            Self::Any => "any",
        }
    }
}

impl TimeModel {
    /// Its name in reports and requests.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Quiet => "quiet",
            Self::Any => "any",
        }
    }
}
