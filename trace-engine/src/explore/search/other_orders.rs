//! The other orders of steps that one run shows to be possible.

use erlang_term::Term;
use solver::ReleaseRules;
use trace_format::{ProcessLogs, Program, RunLog, Wire};

use super::super::candidate::OtherOrder;
use super::orders::ManyProcesses;
use crate::replay::{
    Bounds, Noted, NotedMarks, PlayMark, PlayModules, Replayed, RunEvent, replay_run,
};

/// A run with its logs.
#[derive(Clone, Copy, Debug)]
pub struct RecordedRun<'run> {
    /// The program.
    pub program: &'run Program,
    /// Which events it logs.
    pub wire: Wire,
    /// Module and index of the entry function.
    pub entry: (usize, usize),
    /// The input.
    pub arguments: &'run [Term],
    /// What its processes logged.
    pub logs: &'run ProcessLogs,
    /// What values meant in it.
    pub rules: &'run ReleaseRules,
    /// Whether the time of a `receive` may be over at any moment.
    pub any_time: bool,
}

impl RecordedRun<'_> {
    /// What it did, symbolically; `None` if its logs make no sense.
    pub(crate) fn replayed(
        &self,
        max_events: usize,
        bounds: Bounds,
        should_stop: &dyn Fn() -> bool,
    ) -> Option<Replayed> {
        self.replayed_with(Noted::default(), max_events, bounds, should_stop)
    }

    /// What the play of a machine told, with states and replies, given the modules
    /// of the play.
    pub fn marks(
        &self,
        modules: PlayModules,
        max_events: usize,
        bounds: Bounds,
        should_stop: &dyn Fn() -> bool,
    ) -> Vec<PlayMark> {
        let marks = NotedMarks {
            modules,
            has_values: true,
        };
        let noted = Noted {
            marks: Some(marks),
            ..Noted::default()
        };
        let replayed = self.replayed_with(noted, max_events, bounds, should_stop);
        replayed.map(|it| it.marks).unwrap_or_default()
    }

    fn replayed_with(
        &self,
        noted: Noted<'_>,
        max_events: usize,
        bounds: Bounds,
        should_stop: &dyn Fn() -> bool,
    ) -> Option<Replayed> {
        let log = RunLog {
            program: self.program,
            wire: self.wire,
            bytes: self.logs.entry(),
            entry: Some(self.entry),
            limit: max_events,
        };
        let replayed = replay_run(
            &log,
            self.logs,
            self.rules,
            self.arguments,
            noted,
            bounds,
            should_stop,
        );
        replayed.ok()
    }
}

/// The orders in which two steps that depend on each other change places; none for one process, or
/// if the run cannot be replayed within so many events, or before it should stop.
pub fn other_orders(
    run: &RecordedRun<'_>,
    max_events: usize,
    bounds: Bounds,
    should_stop: &dyn Fn() -> bool,
) -> Vec<OtherOrder> {
    let Some(mut replayed) = run.replayed(max_events, bounds, should_stop) else {
        return Vec::new();
    };
    let mut events = std::mem::take(&mut replayed.events);
    if run.any_time {
        events.iter_mut().for_each(RunEvent::without_waiting);
    }
    let deaths = std::mem::take(&mut replayed.deaths);
    let happened = (events.as_slice(), deaths.as_slice());
    let many = ManyProcesses::new(run.program, happened, &mut replayed, run.any_time);
    many.map(|it| it.reversed()).unwrap_or_default()
}
