//! The other orders of steps that one run shows to be possible.

use erlang_term::Term;
use solver::ReleaseRules;
use trace_format::{ProcessLogs, Program, RunLog, Wire};

use super::super::candidate::OtherOrder;
use super::orders::ManyProcesses;
use crate::replay::{Bounds, Noted, RunEvent, replay_run};

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

/// The orders in which two steps that depend on each other change places; none for one process, or
/// if the run cannot be replayed within so many events, or before it should stop.
pub fn other_orders(
    run: &RecordedRun<'_>,
    max_events: usize,
    bounds: Bounds,
    should_stop: &dyn Fn() -> bool,
) -> Vec<OtherOrder> {
    let log = RunLog {
        program: run.program,
        wire: run.wire,
        bytes: run.logs.entry(),
        entry: Some(run.entry),
        limit: max_events,
    };
    let (rules, arguments) = (run.rules, run.arguments);
    let replayed = replay_run(
        &log,
        run.logs,
        rules,
        arguments,
        Noted::default(),
        bounds,
        should_stop,
    );
    let Ok(mut replayed) = replayed else {
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
