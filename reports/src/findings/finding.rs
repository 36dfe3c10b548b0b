//! A crash that is reported.

use trace_engine::explore::Race;
use trace_format::{ProcessPath, Schedule};

use crate::acceptance::FindingKey;
use crate::chart::Chart;
use crate::crash_site::CrashSite;
use crate::explored_code::ExploredCode;
use crate::outcome::Outcome;
use crate::source_place::SourcePlace;

/// A crash.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The functions that lead there, each with its smallest input. The smallest of all is first;
    /// there is at least one.
    pub inputs: Vec<CrashInput>,
    /// How the process that crashes on the first input ends.
    pub outcome: Outcome,
    /// The process that crashes.
    pub process: ProcessPath,
    /// Which process takes its steps when; `None` if there is only one process.
    pub schedule: Option<Schedule>,
    /// Whether it does not happen without the schedule, in the usual order of steps.
    pub needs_order: bool,
    /// The places of two steps whose order matters; `None` if the crash happens in the usual order.
    pub race: Option<[SourcePlace; 2]>,
    /// What its processes do, if there are several.
    pub chart: Option<Chart>,
    /// On what code it happens.
    pub confirmed_on: ConfirmedOn,
    /// The message of the exception, where the program has words of its own for it.
    pub message: Option<String>,
    /// Whether a program is likely to get one of the inputs.
    pub is_likely: bool,
    /// Where it crashes, if that is known.
    pub site: Option<CrashSite>,
    /// Its name.
    pub key: FindingKey,
    /// Whether the user accepts it.
    pub is_accepted: bool,
    /// The play that shows it, if it is a crash of a machine.
    pub play: Option<CrashPlay>,
    /// Other arguments of the first function that crash there, the smallest first.
    pub also: Vec<Vec<String>>,
    /// How many tests of all functions crash there.
    pub tests: usize,
    /// The first of them: the number of its search, and its number there.
    pub first_test: (usize, usize),
}

/// The play of a machine that crashes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrashPlay {
    /// What is played, event by event.
    pub events: Vec<String>,
    /// Erlang expressions that show the crash on the unchanged module.
    pub script: String,
}

/// On what code a crash happens again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConfirmedOn {
    /// On the original code, whose processes run as they come.
    Code,
    /// On code whose processes follow the schedule.
    Schedule,
}

impl ConfirmedOn {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Code => "code",
            Self::Schedule => "schedule",
        }
    }
}

/// The places of two steps.
pub(super) fn places_of_race(code: &ExploredCode<'_>, race: Race) -> Option<[SourcePlace; 2]> {
    let [one, other] = race.map(|site| SourcePlace::of_site(code.program, &code.folder, site));
    Some([one?, other?])
}

/// An input that crashes.
#[derive(Clone, Debug)]
pub struct CrashInput {
    /// The number of the search.
    pub search: usize,
    /// The number of the test in it, from 0.
    pub test: usize,
    /// Whether it is smaller than the input of that test.
    pub is_shrunk: bool,
    /// The arguments.
    pub arguments: Vec<String>,
    /// Whether a program is likely to get them.
    pub is_likely: bool,
    /// How often another process goes on in its run.
    pub switches: usize,
}

impl Finding {
    /// The schedule, if it takes one to see the finding.
    pub(crate) fn needed_schedule(&self) -> Option<&Schedule> {
        let is_needed = self.needs_order || self.confirmed_on == ConfirmedOn::Schedule;
        self.schedule.as_ref().filter(|_| is_needed)
    }

    /// The smallest input.
    pub fn first(&self) -> &CrashInput {
        self.inputs.first().expect("a finding has an input")
    }
}
