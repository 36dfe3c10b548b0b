//! Replays and solves for a search that is elsewhere.
//!
//! The search keeps the trie, the states, the queue and the report. Whoever made a run can replay it
//! and send a summary, which says where the run decided something but not on which conditions. From it
//! the search knows which other ways are new. It asks about these, and gets inputs. So neither values
//! nor conditions travel, and the search itself neither replays nor solves.

use std::time::Duration;

use erlang_term::{Atom, Term};
use flattener::flat::{Module, SiteId};
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use solver::types::Signature;
use solver::{Limits, ReleaseRules};
use trace_format::{ProcessLogs, Program, Wire};

use super::alternatives::{Patience, Run, solve};
use super::guesses::ways_of_values;
use super::replaying::{Clock, Replaying, RunToReplay, WantedKeys};
use super::solutions::{Alternative, Answers};
use super::task::{Options, Solvers, Task, WantedPaths};
use crate::pruning::Pruning;
use crate::replay::{Decision, PlayModules, ReplaySummary, Replayed, Rest};
use crate::visited::Visited;

/// How long questions about one run are answered. What is left then, the search asks by itself: it must
/// not take an assistant with hard questions for one that is gone.
const LONGEST: Duration = Duration::from_secs(5);

/// What an assistant must know of a search, as bytes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SearchBrief {
    tasks: Vec<TaskBrief>,
    wire: Wire,
    max_events: usize,
    max_decisions: usize,
    max_replay: Duration,
    /// Whether states are compared.
    compares_states: bool,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct TaskBrief {
    entry: (usize, usize),
    signature: Option<Signature>,
    limits: Limits,
    marks: Option<PlayModules>,
}

/// How a run should be replayed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ReplayOrder {
    /// The number of the task.
    pub(super) task: usize,
    /// If states are compared: which of them get keys.
    pub(super) keys: Option<OrderedKeys>,
    /// The first decision whose other ways are all asked for, if there is one.
    pub(super) asked_from: Option<usize>,
}

/// Which states of a run get keys.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct OrderedKeys {
    pub(super) first: usize,
    pub(super) skipped: Vec<(usize, SiteId)>,
    pub(super) with_calls: bool,
}

/// A way about which a search asks.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AskedWay {
    decision: usize,
    way: usize,
    /// Whether it was asked for before, and the solver could not tell.
    is_again: bool,
    /// If the decision is about a value that is not understood: those that are known.
    values: Vec<Term>,
}

/// Knows the program and the tasks of a search.
#[derive(Debug)]
pub struct Assistant {
    program: Program,
    brief: SearchBrief,
    pruning: Option<Pruning>,
}

/// A run that was replayed, about which the search may ask.
#[derive(Debug)]
pub struct OpenRun {
    task: usize,
    arguments: Vec<Term>,
    replayed: Replayed,
}

impl SearchBrief {
    /// What an assistant must know of a search of these tasks.
    pub fn new(tasks: &[Task], options: &Options) -> Self {
        let tasks = tasks.iter().map(|task| TaskBrief {
            entry: task.entry,
            signature: task.signature.clone(),
            limits: task.limits,
            marks: task.marks,
        });
        Self {
            tasks: tasks.collect(),
            wire: options.wire,
            max_events: options.max_events,
            max_decisions: options.max_decisions,
            max_replay: options.max_replay,
            compares_states: options.paths != WantedPaths::All,
        }
    }
}

/// A way that is asked for as soon as a run is replayed: decision, way, and whether that is again.
type ForeseenWay = (usize, usize, bool);

/// The ways that a run did not take, from a decision on.
pub(super) fn foreseen_ways(
    decisions: &[Decision],
    from: usize,
) -> impl Iterator<Item = ForeseenWay> {
    let decisions = decisions.iter().enumerate().skip(from);
    decisions.flat_map(|(number, decision)| {
        let ways = (0..decision.ways.len()).filter(|way| *way != decision.taken);
        ways.map(move |way| (number, way, false))
    })
}

impl AskedWay {
    /// An alternative as one of the ways of [`foreseen_ways`].
    pub(super) fn as_foreseen(alternative: &Alternative) -> ForeseenWay {
        let Alternative {
            decision,
            way,
            is_again,
            ..
        } = alternative;
        (*decision, *way, *is_again)
    }

    fn foreseen((decision, way, is_again): ForeseenWay) -> Self {
        Self {
            decision,
            way,
            is_again,
            values: Vec::new(),
        }
    }

    pub(super) fn new(alternative: &Alternative, values: &[Term]) -> Self {
        Self {
            decision: alternative.decision,
            way: alternative.way,
            is_again: alternative.is_again,
            values: values.to_vec(),
        }
    }
}

impl Assistant {
    /// An assistant of a search of these modules, given with the names under which they are loaded.
    pub fn new(modules: Vec<(Module, Atom)>, brief: SearchBrief) -> Self {
        let program = Program::new(modules);
        let entries: Vec<(usize, usize)> = brief.tasks.iter().map(|task| task.entry).collect();
        let pruning = brief
            .compares_states
            .then(|| Pruning::new(&program, &entries));
        Self {
            program,
            brief,
            pruning,
        }
    }

    /// Replays a run. There is nothing to send if the search has to look at the run itself, as at those
    /// of several processes.
    pub fn replay(
        &self,
        order: &ReplayOrder,
        arguments: Vec<Term>,
        (logs, rules): (&ProcessLogs, &ReleaseRules),
        now: &dyn Fn() -> Duration,
        should_stop: &dyn Fn() -> bool,
    ) -> Option<(ReplaySummary, OpenRun)> {
        if logs.are_interleaved() {
            return None;
        }
        let task = self.brief.tasks.get(order.task)?;
        let keys = order.keys.as_ref();
        let skipped: FxHashSet<(usize, SiteId)> = keys
            .into_iter()
            .flat_map(|it| it.skipped.iter().copied())
            .collect();
        let keys = keys.map(|keys| WantedKeys {
            first: keys.first,
            has_shapes: false,
            skipped: &skipped,
            with_calls: keys.with_calls,
        });
        let run = RunToReplay {
            entry: task.entry,
            signature: task.signature.as_ref(),
            marks: task.marks,
            arguments: &arguments,
            logs,
            rules,
            modules: 0,
            keys,
            rest: Rest::Coverage,
        };
        let clock = Clock { now, should_stop };
        let replayed = self.replaying().replay(&run, clock).0.ok()?;
        if rules.atoms.is_missing() || should_stop() {
            return None;
        }
        let summary = ReplaySummary::of(&replayed)?;
        let open = OpenRun {
            task: order.task,
            arguments,
            replayed,
        };
        Some((summary, open))
    }

    /// The limits of the solvers.
    pub fn limits(&self) -> Option<Limits> {
        self.brief.tasks.first().map(|task| task.limits)
    }

    fn replaying(&self) -> Replaying<'_> {
        Replaying {
            program: &self.program,
            pruning: self.pruning.as_ref(),
            wire: self.brief.wire,
            max_events: self.brief.max_events,
            max_decisions: self.brief.max_decisions,
            max_replay: self.brief.max_replay,
        }
    }

    /// The ways of a run that a search is sure to ask about; `None` if it decides that itself. It knows
    /// values for what is not understood, and leaves out some decisions of long runs.
    pub fn foreseen(&self, order: &ReplayOrder, run: &OpenRun) -> Option<Vec<AskedWay>> {
        let decisions = &run.replayed.decisions;
        let is_plain = decisions.len() <= self.brief.max_decisions
            && decisions.iter().all(|it| it.given.is_none());
        let ways = foreseen_ways(decisions, order.asked_from.filter(|_| is_plain)?);
        Some(ways.map(AskedWay::foreseen).collect())
    }

    /// Answers questions about a run. There is no answer if that depends on the order of atoms and it is
    /// not known.
    pub fn solve(
        &self,
        run: OpenRun,
        asked: &[AskedWay],
        solvers: &mut Solvers,
        now: &dyn Fn() -> Duration,
        should_stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Answers> {
        let OpenRun {
            task,
            arguments,
            mut replayed,
        } = run;
        let start = now();
        let task = self.brief.tasks.get(task)?;
        let atoms = replayed.graph.rules().atoms.clone();
        fill_guesses(&mut replayed, asked);
        let alternatives: Vec<Alternative> = asked.iter().map(AskedWay::alternative).collect();
        let run = Run {
            program: &self.program,
            graph: replayed.graph,
            decisions: &replayed.decisions,
            history: None,
            arguments: &arguments,
            signature: task.signature.as_ref(),
            given: &replayed.given,
            machine_states: &replayed.machine_states,
        };
        let patience = Patience {
            should_stop,
            should_pause: &|| now().saturating_sub(start) > LONGEST,
        };
        let mut answers = solve(run, &alternatives, solvers, task.limits, &patience);
        answers.statistics.solve_time = now().saturating_sub(start);
        (!atoms.is_missing()).then_some(answers)
    }
}

/// Gives decisions about values that are not understood the ways that the search knows.
pub(super) fn fill_guesses(replayed: &mut Replayed, asked: &[AskedWay]) {
    for way in asked {
        let decision = replayed.decisions.get_mut(way.decision);
        let given = decision.and_then(|it| Some((it.given.as_ref()?.0, &mut it.ways)));
        if let Some((node, ways)) = given {
            *ways = ways_of_values(&mut replayed.graph, node, &way.values);
        }
    }
}

impl AskedWay {
    /// The search alone knows the points of its alternatives.
    fn alternative(&self) -> Alternative {
        Alternative {
            decision: self.decision,
            point: Visited::START,
            way: self.way,
            state: None,
            is_again: self.is_again,
            among: None,
        }
    }
}
