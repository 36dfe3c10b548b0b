//! A run of several processes that left a record, ready to be followed.

use erlang_term::Term;
use reports::{Outcome, RunProcess};
use solver::ReleaseRules;
use trace_engine::explore::RecordedRun;
use trace_engine::{Bounds, Rest};
use trace_format::ProcessLogs;

use crate::beam::worker::Run;
use crate::beam::{DeliveryModel, ProcessModel, TimeModel};
use crate::program::target::Target;

/// How many events of such a run are followed.
pub(crate) const MAX_EVENTS: usize = 200_000;

/// How many decisions of it are followed.
pub(crate) const BOUNDS: Bounds = Bounds {
    max_decisions: 2_000,
    max_decisions_of_several: 2_000,
    rest: Rest::Nothing,
};

/// A run that left a record.
#[derive(Debug)]
pub(crate) struct Recorded {
    /// How it ended.
    pub(crate) outcome: Outcome,
    /// Its processes, if they were controlled.
    pub(crate) processes: Vec<RunProcess>,
    logs: ProcessLogs,
    rules: ReleaseRules,
    /// Module and index of the entry function.
    entry: (usize, usize),
    arguments: Vec<Term>,
    any_time: bool,
}

impl Recorded {
    /// A run of an entry function, by its module and index, on some arguments.
    pub(crate) fn new(
        run: Run,
        rules: ReleaseRules,
        (entry, arguments): ((usize, usize), Vec<Term>),
        model: ProcessModel,
    ) -> Self {
        let logs = ProcessLogs::new(run.logs, run.gate.leases);
        Self {
            outcome: run.outcome,
            processes: run.gate.processes,
            logs: logs.delivering(model.delivery == DeliveryModel::Any),
            rules,
            entry,
            arguments,
            any_time: model.time == TimeModel::Any,
        }
    }

    /// The run with its logs.
    pub(crate) fn run<'run>(&'run self, target: &'run Target) -> RecordedRun<'run> {
        RecordedRun {
            program: &target.program,
            wire: target.wire,
            entry: self.entry,
            arguments: &self.arguments,
            logs: &self.logs,
            rules: &self.rules,
            any_time: self.any_time,
        }
    }
}
