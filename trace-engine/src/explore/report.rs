//! What a search did.

use std::collections::{BTreeMap, HashSet};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use solver::Savings;

use super::arguments::Arguments;
use super::candidate::Race;
use super::clause_id::ClauseId;
use super::gap::Gap;
use super::paths::{Path, Paths};
use crate::replay::PlayMark;

/// A test that was run.
#[derive(Debug)]
pub struct Test<O> {
    /// The test whose decisions led to this one.
    pub parent: Option<usize>,
    /// Its arguments.
    pub arguments: Arguments,
    /// How it ended.
    pub outcome: O,
    /// The clauses on its path, counted from 1.
    pub trace: Vec<u32>,
    /// Whether it did not take the path that was predicted.
    pub diverged: bool,
    /// Whether an earlier test took the same path.
    pub repeats: bool,
    /// The clauses that no test of its task had reached before.
    pub new_clauses: Vec<ClauseId>,
    /// How many processes logged something, besides the one that called the function.
    pub other_processes: usize,
    /// If several processes ran: which one took its steps when, as text.
    pub schedule: Option<Box<str>>,
    /// The steps whose order is another one than in the test that it was made from.
    pub race: Option<Box<Race>>,
    /// What the play of a machine told.
    pub marks: Box<[PlayMark]>,
    /// Its path, if paths are kept and its log could be replayed.
    pub path: Option<Path>,
}

/// What a search did.
#[derive(Debug)]
pub struct Report<O> {
    /// The tests in the order in which they were run.
    pub tests: Vec<Test<O>>,
    /// Why something may have been missed, and how often.
    pub gaps: BTreeMap<Gap, usize>,
    /// The clauses that were reached.
    pub clauses: HashSet<ClauseId>,
    /// The functions that were reached: module and index.
    pub functions: HashSet<(usize, usize)>,
    /// Counters.
    pub statistics: Statistics,
    /// The paths of the tests, if they are kept.
    pub paths: Option<Paths>,
    /// What was not run because it goes on as something that was run; `None` if every path was to
    /// be run.
    pub pruned: Option<Pruned>,
}

/// Paths that were not run because they come to a state that a run came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pruned {
    /// How many states there are.
    pub points: usize,
    /// How many ways of decisions were not asked for in known states.
    pub ways: usize,
    /// How many runs it took until every path within the limits was run, or goes on as one that
    /// was; `None` if that was not shown.
    pub proved_after: Option<usize>,
    /// Whether every path was run in the end.
    pub all_run: bool,
}

impl<O> Report<O> {
    /// Whether every path within the limits was run, or goes on as one that was run.
    pub fn is_complete(&self) -> bool {
        self.gaps.is_empty()
    }
}

impl<O> Default for Report<O> {
    fn default() -> Self {
        Self {
            tests: Vec::new(),
            gaps: BTreeMap::new(),
            clauses: HashSet::new(),
            functions: HashSet::new(),
            statistics: Statistics::default(),
            paths: None,
            pruned: None,
        }
    }
}

impl Pruned {
    /// Adds the counts of another task.
    pub(super) fn add(&mut self, other: Self) {
        self.points += other.points;
        self.ways += other.ways;
    }
}

/// Counters of a search.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Statistics {
    /// Questions to the solver.
    pub queries: u64,
    /// Those for which there is an input.
    pub sat: u64,
    /// Those for which there is none.
    pub unsat: u64,
    /// Those without an answer.
    pub unknown: u64,
    /// Those that an SMT solver helped to answer.
    pub smt: u64,
    /// Those that the native solver did not answer and handed on as a whole.
    pub handed_on: u64,
    /// Those of them that were then answered.
    pub answered_then: u64,
    /// Work that was saved.
    pub savings: Savings,
    /// Runs that did not take the path that was predicted.
    pub divergences: u64,
    /// Runs of several processes.
    pub schedules: u64,
    /// Their steps.
    pub steps: u64,
    /// How often another process went on in them.
    pub switches: u64,
    /// Other orders of two steps, and other messages for a `receive`, that they showed.
    pub races: u64,
    /// The time that runs took.
    pub run_time: Duration,
    /// The time that replaying took.
    pub replay_time: Duration,
    /// The time that solving took.
    pub solve_time: Duration,
}

impl Statistics {
    /// Adds the counters of another search.
    pub fn add(&mut self, other: &Self) {
        self.queries += other.queries;
        self.sat += other.sat;
        self.unsat += other.unsat;
        self.unknown += other.unknown;
        self.smt += other.smt;
        self.handed_on += other.handed_on;
        self.answered_then += other.answered_then;
        self.savings.add(&other.savings);
        self.divergences += other.divergences;
        self.schedules += other.schedules;
        self.steps += other.steps;
        self.switches += other.switches;
        self.races += other.races;
        self.run_time += other.run_time;
        self.replay_time += other.replay_time;
        self.solve_time += other.solve_time;
    }
}
