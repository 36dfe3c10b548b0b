//! How the runs of a search are replayed, by the search itself or for it elsewhere.

use std::time::Duration;

use erlang_term::Term;
use flattener::flat::SiteId;
use rustc_hash::FxHashSet;
use solver::ReleaseRules;
use solver::types::Signature;
use trace_format::{ProcessLogs, Program, RunLog, Wire};

use super::long_runs::FOLLOWED;
use super::task::Options;
use crate::pruning::Pruning;
use crate::replay::{
    Bounds, KeyedStates, Noted, NotedMarks, PlayModules, ReplayError, Replayed, Rest, Segments,
    replay_run, replay_segments,
};

/// Runs with longer logs are not replayed a second time: that is sure to take long, and not sure to
/// save anything.
const MOST_BYTES_TWICE: usize = 32_000;

/// What is the same for all runs of a search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Replaying<'search> {
    pub(super) program: &'search Program,
    /// What is known of the program, if states are compared.
    pub(super) pruning: Option<&'search Pruning>,
    pub(super) wire: Wire,
    pub(super) max_events: usize,
    pub(super) max_decisions: usize,
    pub(super) max_replay: Duration,
}

/// A run to be replayed.
#[derive(Clone, Copy, Debug)]
pub(super) struct RunToReplay<'run> {
    /// Module and index of the entry function.
    pub(super) entry: (usize, usize),
    pub(super) signature: Option<&'run Signature>,
    pub(super) marks: Option<PlayModules>,
    pub(super) arguments: &'run [Term],
    pub(super) logs: &'run ProcessLogs,
    pub(super) rules: &'run ReleaseRules,
    /// Places are noted in the first modules, this many.
    pub(super) modules: usize,
    pub(super) keys: Option<WantedKeys<'run>>,
    pub(super) rest: Rest,
}

/// Which states of a run get keys.
#[derive(Clone, Copy, Debug)]
pub(super) struct WantedKeys<'run> {
    /// The first decision whose state gets a key.
    pub(super) first: usize,
    pub(super) has_shapes: bool,
    /// Sites of modules at which states get no keys.
    pub(super) skipped: &'run FxHashSet<(usize, SiteId)>,
    pub(super) with_calls: bool,
}

/// The time, and whether to stop.
#[derive(Clone, Copy)]
pub(super) struct Clock<'run> {
    pub(super) now: &'run dyn Fn() -> Duration,
    pub(super) should_stop: &'run dyn Fn() -> bool,
}

impl<'search> Replaying<'search> {
    pub(super) fn new(
        program: &'search Program,
        pruning: Option<&'search Pruning>,
        options: &Options,
    ) -> Self {
        Self {
            program,
            pruning,
            wire: options.wire,
            max_events: options.max_events,
            max_decisions: options.max_decisions,
            max_replay: options.max_replay,
        }
    }

    /// The run, and its parts between states if they are of interest.
    pub(super) fn replay(
        &self,
        run: &RunToReplay<'_>,
        clock: Clock<'_>,
    ) -> (Result<Replayed, ReplayError>, Option<Segments>) {
        let start = (clock.now)();
        let log = RunLog {
            program: self.program,
            wire: self.wire,
            bytes: run.logs.entry(),
            entry: Some(run.entry),
            limit: self.max_events,
        };
        let bounds = Bounds {
            max_decisions: self.max_decisions.saturating_mul(FOLLOWED),
            max_decisions_of_several: self.max_decisions,
            rest: run.rest,
        };
        let takes_long = || (clock.now)().saturating_sub(start) > self.max_replay;
        let stop = || (clock.should_stop)() || takes_long();
        let states = self
            .pruning
            .zip(run.keys)
            .map(|(pruning, keys)| KeyedStates {
                pruning,
                signature: run.signature,
                first: keys.first,
                has_shapes: keys.has_shapes && run.logs.entry().len() <= MOST_BYTES_TWICE,
                skipped: keys.skipped,
                with_calls: keys.with_calls,
            });
        let noted = Noted {
            modules: run.modules,
            marks: run.marks.map(|modules| NotedMarks {
                modules,
                has_values: false,
            }),
            views: self.pruning,
            states,
        };
        let (arguments, rules) = (run.arguments, run.rules);
        let replayed = replay_run(&log, run.logs, rules, arguments, noted, bounds, &stop);
        let segments = replayed.as_ref().ok().and_then(|replayed| {
            let has_shapes = replayed.states.iter().any(|it| it.shape.is_some());
            let is_short = replayed.decisions.len() <= self.max_decisions;
            let states = (replayed.states.as_slice(), run.modules);
            let again = || replay_segments(&log, rules, arguments, states, &stop);
            (has_shapes && is_short).then(again).flatten()
        });
        (replayed, segments)
    }
}
