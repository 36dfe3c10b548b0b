//! The arguments about processes, which several commands take.

use clap::builder::RangedI64ValueParser;
use clap::{Args, ValueEnum, value_parser};

use super::values::PROCESSES;
use crate::beam::{DeliveryModel, MAX_STEPS, ProcessModel, TimeModel};

/// How the processes of runs are controlled.
#[derive(Args, Clone, Debug)]
pub(crate) struct ProcessOptions {
    /// Which orders of the steps of processes there are
    #[arg(
        long,
        value_enum,
        value_name = "WHICH",
        num_args = 0..=1,
        default_missing_value = "all",
        help_heading = PROCESSES
    )]
    schedules: Option<SchedulesChoice>,

    /// How often another process may go on in a schedule [default: as often as there are orders]
    #[arg(long, value_name = "N", help_heading = PROCESSES)]
    pub(crate) max_switches: Option<usize>,

    /// Stop a run when its processes have taken this many steps
    #[arg(
        long,
        default_value_t = MAX_STEPS,
        value_name = "N",
        value_parser = steps(),
        help_heading = PROCESSES
    )]
    max_steps: u32,

    /// When the time of a `receive ... after` is over
    #[arg(
        long,
        value_enum,
        default_value_t = TimeChoice::Quiet,
        value_name = "WHEN",
        help_heading = PROCESSES
    )]
    time: TimeChoice,

    /// When a message arrives
    #[arg(
        long,
        value_enum,
        default_value_t = DeliveryChoice::Instant,
        value_name = "WHEN",
        help_heading = PROCESSES
    )]
    delivery: DeliveryChoice,
}

/// Which schedules there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SchedulesChoice {
    /// One process runs at a time, and a schedule says which [default]
    All,
    /// Processes run as they come
    None,
}

/// When the time of a `receive` is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TimeChoice {
    /// When no process can go on, the shortest time first
    Quiet,
    /// Whenever no message matches
    Any,
}

/// When a message arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DeliveryChoice {
    /// When it is sent
    Instant,
    /// At any time after that, in the order of its sender
    Any,
}

/// Steps of a run; the runtime counts them in small integers.
fn steps() -> RangedI64ValueParser<u32> {
    value_parser!(u32).range(1..)
}

impl ProcessOptions {
    /// Whether the user asks for the processes of a run.
    pub(crate) fn are_asked_for(&self) -> bool {
        self.schedules == Some(SchedulesChoice::All)
    }

    /// Whether a timeout may run out whenever no message matches.
    pub(crate) fn has_any_time(&self) -> bool {
        self.time == TimeChoice::Any
    }

    /// How processes are controlled.
    pub(crate) fn model(&self) -> ProcessModel {
        ProcessModel {
            is_controlled: self.schedules != Some(SchedulesChoice::None),
            max_steps: self.max_steps,
            time: match self.time {
                TimeChoice::Quiet => TimeModel::Quiet,
                TimeChoice::Any => TimeModel::Any,
            },
            delivery: match self.delivery {
                DeliveryChoice::Instant => DeliveryModel::Instant,
                DeliveryChoice::Any => DeliveryModel::Any,
            },
            is_recorded: true,
            is_brief: false,
        }
    }
}
