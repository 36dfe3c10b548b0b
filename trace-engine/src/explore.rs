//! The search: Definition 6 of Palacios and Vidal's paper, with a queue in place of a set.

mod queue;

use std::collections::{BTreeMap, HashSet};

use erlang_term::Term;
use flattener::flat::SiteId;
use trace_format::{Event, Program};

use crate::graph::{Graph, NodeId};
use crate::replay::{Decision, ReplayError, Replayed, replay};
use crate::solver::{Answer, Integers, Limits, Solver};
use crate::visited::{Point, Visited};

pub use queue::Strategy;
use queue::{Candidate, Queue, Target};

/// Runs inputs.
pub trait Executor {
    /// How a run ended.
    type Outcome;
    /// Why nothing can be run.
    type Error;

    /// Runs one input.
    ///
    /// # Errors
    /// When nothing can be run.
    fn run(&mut self, arguments: &[Term]) -> Result<Execution<Self::Outcome>, Self::Error>;

    /// Whether the search should end now.
    fn should_stop(&mut self) -> bool {
        false
    }
}

/// What one run did.
#[derive(Debug)]
pub struct Execution<O> {
    /// How it ended.
    pub outcome: O,
    /// What happened, or why the log cannot be read.
    pub events: Result<Vec<Event>, String>,
    /// Whether the log ends before the run did.
    pub is_cut: bool,
    /// Whether this is what `--first` looks for.
    pub is_finding: bool,
}

/// How to search.
#[derive(Clone, Debug)]
pub struct Options {
    /// The inputs to begin with.
    pub seeds: Vec<Vec<Term>>,
    /// The limits of the solver.
    pub limits: Limits,
    /// Which input is run next.
    pub strategy: Strategy,
    /// For random choices.
    pub seed: u64,
    /// How many inputs may be run.
    pub max_runs: Option<usize>,
    /// Whether to stop at the first finding.
    pub first: bool,
}

/// A test that was run.
#[derive(Debug)]
pub struct Test<O> {
    /// The test whose decisions led to this one.
    pub parent: Option<usize>,
    /// Its arguments.
    pub arguments: Vec<Term>,
    /// How it ended.
    pub outcome: O,
    /// The clauses it went through, counted from 1.
    pub trace: Vec<u32>,
    /// Whether it did not go where it should.
    pub diverged: bool,
    /// Whether an earlier test took the same path.
    pub repeats: bool,
}

/// Why a search may have missed something.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Gap {
    /// A call whose result was taken from the log.
    OpaqueCall(String),
    /// A decision about something that is not understood.
    NotUnderstood(String),
    /// A question that the solver could not answer.
    Unsolved(String),
    /// A run that did not go where it should.
    Divergence,
    /// A run whose log ends before the run did.
    CutRun,
    /// A log that cannot be replayed.
    BadLog(String),
    /// A budget was used up, or the search was stopped.
    Stopped,
}

/// What a search did.
#[derive(Debug)]
pub struct Report<O> {
    /// The tests in the order in which they were run.
    pub tests: Vec<Test<O>>,
    /// Why something may have been missed, and how often.
    pub gaps: BTreeMap<Gap, usize>,
    /// The clauses that were reached: module, site, clause counted from 0.
    pub clauses: HashSet<(usize, SiteId, usize)>,
    /// The functions that were reached: module and index.
    pub functions: HashSet<(usize, usize)>,
    /// Counters.
    pub statistics: Statistics,
}

impl<O> Report<O> {
    /// Whether every path within the limits was run.
    pub fn is_complete(&self) -> bool {
        self.gaps.is_empty()
    }
}

/// Counters of a search.
#[derive(Clone, Copy, Debug, Default)]
pub struct Statistics {
    /// Questions to the solver.
    pub queries: u64,
    /// Those that had an answer.
    pub sat: u64,
    /// Those that have none.
    pub unsat: u64,
    /// Those that may have one.
    pub unknown: u64,
    /// Those for which an SMT solver was asked.
    pub smt: u64,
    /// Runs that did not go where they should.
    pub divergences: u64,
}

/// Searches for inputs that take every path.
///
/// # Errors
/// When the executor cannot run anything.
pub fn explore<E: Executor>(
    program: &Program,
    entry: (usize, usize),
    executor: &mut E,
    integers: &mut dyn Integers,
    options: &Options,
) -> Result<Report<E::Outcome>, E::Error> {
    let mut search = Search {
        program,
        entry,
        options,
        integers,
        visited: Visited::default(),
        queue: Queue::new(options.strategy, options.seed),
        report: Report {
            tests: Vec::new(),
            gaps: BTreeMap::new(),
            clauses: HashSet::new(),
            functions: HashSet::new(),
            statistics: Statistics::default(),
        },
    };
    for seed in &options.seeds {
        search.queue.push(Candidate {
            arguments: seed.clone(),
            parent: None,
            target: None,
        });
    }
    search.run(executor)?;
    Ok(search.report)
}

/// Where a run went, compared with where it should and with the runs before.
#[derive(Clone, Copy, Debug, Default)]
struct Course {
    diverged: bool,
    repeats: bool,
}

struct Search<'search, O> {
    program: &'search Program,
    entry: (usize, usize),
    options: &'search Options,
    integers: &'search mut dyn Integers,
    visited: Visited,
    queue: Queue,
    report: Report<O>,
}

impl<O> Search<'_, O> {
    fn run<E: Executor<Outcome = O>>(&mut self, executor: &mut E) -> Result<(), E::Error> {
        loop {
            let is_over_budget = self
                .options
                .max_runs
                .is_some_and(|limit| self.report.tests.len() >= limit);
            if self.queue.is_empty() {
                return Ok(());
            }
            if is_over_budget || executor.should_stop() {
                self.note(Gap::Stopped);
                return Ok(());
            }
            let Some(candidate) = self.queue.pop(&self.report.clauses) else {
                return Ok(());
            };
            let execution = executor.run(&candidate.arguments)?;
            let is_finding = execution.is_finding;
            self.learn(candidate, execution);
            if is_finding && self.options.first {
                if !self.queue.is_empty() {
                    self.note(Gap::Stopped);
                }
                return Ok(());
            }
        }
    }

    fn note(&mut self, gap: Gap) {
        *self.report.gaps.entry(gap).or_default() += 1;
    }

    /// Takes in what a run did.
    fn learn(&mut self, candidate: Candidate, execution: Execution<O>) {
        let number = self.report.tests.len();
        let replayed = execution.events.and_then(|events| {
            let replayed = replay(self.program, &events, self.entry);
            replayed.map_err(|error: ReplayError| error.to_string())
        });
        if execution.is_cut {
            self.note(Gap::CutRun);
        }
        let (trace, Course { diverged, repeats }) = match replayed {
            Ok(mut replayed) => {
                let trace = std::mem::take(&mut replayed.trace);
                (trace, self.follow(number, &candidate, replayed))
            }
            Err(error) => {
                self.note(Gap::BadLog(error));
                (Vec::new(), Course::default())
            }
        };
        if diverged {
            self.report.statistics.divergences += 1;
            self.note(Gap::Divergence);
        }
        self.report.tests.push(Test {
            parent: candidate.parent,
            arguments: candidate.arguments,
            outcome: execution.outcome,
            trace,
            diverged,
            repeats,
        });
    }

    /// Finds where a run went, and asks for inputs that go elsewhere.
    fn follow(&mut self, number: usize, candidate: &Candidate, replayed: Replayed) -> Course {
        self.report.clauses.extend(&replayed.clauses);
        self.report.functions.extend(&replayed.functions);
        for call in &replayed.opaque {
            self.note(Gap::OpaqueCall(call.0.clone()));
        }
        let decisions = replayed.decisions;
        let mut graph = replayed.graph;
        let (points, is_new) = self.points(&decisions);
        let diverged = match &candidate.target {
            Some(target) => !points
                .iter()
                .zip(&decisions)
                .any(|(point, decision)| *point == target.point && decision.taken == target.way),
            None => false,
        };
        self.alternatives(number, candidate, &mut graph, &decisions, &points);
        Course {
            diverged,
            repeats: !is_new,
        }
    }

    /// The points at which the decisions were made, and whether no path ended there before.
    fn points(&mut self, decisions: &[Decision]) -> (Vec<Point>, bool) {
        let mut at = Visited::START;
        let mut points = Vec::with_capacity(decisions.len());
        for decision in decisions {
            points.push(at);
            at = self.visited.step(at, decision.taken);
        }
        let is_new = self.visited.end(at);
        (points, is_new)
    }

    fn alternatives(
        &mut self,
        number: usize,
        candidate: &Candidate,
        graph: &mut Graph,
        decisions: &[Decision],
        points: &[Point],
    ) {
        let parent: Vec<NodeId> = candidate
            .arguments
            .iter()
            .map(|argument| graph.constant(argument))
            .collect();
        let mut found = Vec::new();
        let mut gaps = Vec::new();
        let mut solver = Solver::new(graph, parent, self.integers, self.options.limits);
        for (decision, point) in decisions.iter().zip(points) {
            for way in 0..decision.ways.len() {
                if way == decision.taken || !self.visited.ask(*point, way) {
                    continue;
                }
                let conditions = decision.conditions(way);
                if conditions
                    .iter()
                    .any(|it| solver.graph().is_unknown_condition(*it))
                {
                    gaps.push(Gap::NotUnderstood(place(self.program, decision)));
                    continue;
                }
                self.report.statistics.queries += 1;
                let before = solver.asked_elsewhere();
                let answer = solver.ask(&conditions);
                if solver.asked_elsewhere() > before {
                    self.report.statistics.smt += 1;
                }
                match answer {
                    Answer::Sat(arguments) => {
                        self.report.statistics.sat += 1;
                        let graph = solver.graph();
                        let arguments: Option<Vec<Term>> =
                            arguments.iter().map(|it| graph.to_term(*it)).collect();
                        let target = Target {
                            point: *point,
                            way,
                            clause: (decision.module, decision.site, way),
                        };
                        found.extend(arguments.map(|arguments| (arguments, target)));
                    }
                    Answer::Unsat => self.report.statistics.unsat += 1,
                    Answer::Unknown => {
                        self.report.statistics.unknown += 1;
                        gaps.push(Gap::Unsolved(place(self.program, decision)));
                    }
                }
            }
            for condition in decision.conditions(decision.taken) {
                if !solver.graph().is_unknown_condition(condition) {
                    solver.assume(condition);
                }
            }
        }
        for gap in gaps {
            self.note(gap);
        }
        for (arguments, target) in found {
            self.queue.push(Candidate {
                arguments,
                parent: Some(number),
                target: Some(target),
            });
        }
    }
}

/// Where a decision is, for the user.
fn place(program: &Program, decision: &Decision) -> String {
    let module = program.module(decision.module);
    let found = module.and_then(|module| {
        let (function, statement) = module.statement(decision.site)?;
        let function = module.function(function)?;
        let line = statement.annotations.position().map(|it| it.0);
        Some((&module.name, &function.id, line))
    });
    match found {
        Some((module, function, Some(line))) => format!("{module}:{function}, line {line}"),
        Some((module, function, None)) => format!("{module}:{function}"),
        None => "an unknown place".to_owned(),
    }
}
