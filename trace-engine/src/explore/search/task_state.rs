//! The state of the search of one task.

use std::collections::{BTreeMap, VecDeque};

use erlang_term::Term;
use rustc_hash::FxHashSet;
use solver::graph::Graph;
use trace_format::ProcessLogs;

use super::super::arguments::Arguments;
use super::super::call_graph::MissingPairs;
use super::super::call_walk::CallWalk;
use super::super::candidate::Candidate;
use super::super::clause_id::ClauseId;
use super::super::exchange::Exchange;
use super::super::gap::Gap;
use super::super::guesses::Guesses;
use super::super::paths::{Path, Paths};
use super::super::report::{Pruned, Report, Test};
use super::super::solutions::{Alternative, Solutions};
use super::super::state_graph::{StateCursor, StatePoint};
use super::super::strategies::{Ground, Queue};
use super::super::task::{Options, Task, WantedPaths};
use super::job::Job;
use super::known_states::KnownStates;
use super::path_point::PathPoint;
use super::paused::Paused;
use crate::concurrency::MadeRuns;
use crate::replay::{CallMark, Decision, ReachedState, Replayed};
use crate::visited::{Point, Visited};

/// At least this many ways of known states are run after all states.
const LEAST_MORE: usize = 100;

/// The paths of a task that are known, and the inputs that wait.
pub(super) struct TaskState<O> {
    pub(super) visited: Visited,
    pub(super) guesses: Guesses,
    /// Inputs with values of other arguments.
    exchange: Exchange,
    /// The clauses that were reached: those of the report, which takes longer to look into.
    reached: FxHashSet<ClauseId>,
    /// The runs of several processes that were made or planned.
    pub(super) made: MadeRuns,
    /// Branches that no input takes, whatever other processes do.
    pub(super) refuted: FxHashSet<(Point, usize)>,
    pub(super) queue: Box<dyn Queue>,
    /// By number; tests that still run are missing.
    pub(super) tests: Vec<Option<Test<O>>>,
    pub(super) report: Report<O>,
    /// Runs with questions that wait for the next turn of this task.
    pub(super) paused: VecDeque<Paused>,
    /// How many inputs are being run.
    pub(super) running: usize,
    wanted: WantedPaths,
    /// The states that runs came to, as long as their ways are not asked for again.
    pub(super) states: Option<KnownStates>,
    /// How deep inputs may be.
    most_depth: usize,
    /// After that: how many runs may follow.
    left: Option<usize>,
    /// Whether these are all that there are, as far as is known.
    may_run_all: bool,
}

/// The states of a run, and the ways that were not asked for because of them.
#[derive(Debug, Default)]
pub(super) struct MergedHere {
    /// The points of its decisions, by their states.
    states: Vec<Option<StatePoint>>,
    /// Numbers of decisions, ways, and the points that are known.
    pub(super) ways: Vec<(usize, usize, StatePoint)>,
}

impl<O> TaskState<O> {
    /// The state before the first run.
    pub(super) fn new(task: &Task, options: &Options, ground: &Ground<'_>) -> Self {
        let mut queue = options.strategy.queue(ground, task.entry);
        for seed in &task.seeds {
            queue.push(Candidate {
                arguments: Arguments::new(seed),
                parent: None,
                target: None,
                order: None,
                is_exchanged: false,
            });
        }
        Self {
            visited: Visited::default(),
            guesses: Guesses::default(),
            exchange: Exchange::new(task),
            reached: FxHashSet::default(),
            made: MadeRuns::default(),
            refuted: FxHashSet::default(),
            queue,
            tests: Vec::new(),
            report: Report {
                paths: task.paths.as_ref().map(Paths::new),
                ..Report::default()
            },
            paused: VecDeque::new(),
            running: 0,
            wanted: options.paths,
            states: (options.paths != WantedPaths::All).then(|| KnownStates::new(options)),
            most_depth: task.limits.term_depth as usize,
            left: None,
            may_run_all: false,
        }
    }

    /// Whether there is something to do.
    pub(super) fn is_waiting(&self) -> bool {
        self.left != Some(0) && (!self.paused.is_empty() || !self.queue.is_empty())
    }

    /// Whether something is to do before ways of known states are run.
    pub(super) fn is_about_states(&self) -> bool {
        self.states.is_some() && (self.is_waiting() || self.running > 0)
    }

    /// Goes on with ways that were not asked for in known states, when there is nothing else to do.
    pub(super) fn go_beyond_states(&mut self) {
        if self.is_waiting() || self.running > 0 || self.goes_on_with_calls() {
            return;
        }
        let again = self.states.as_mut().map(KnownStates::ask_again);
        if let Some(again) = again.filter(|runs| !runs.is_empty()) {
            self.paused.extend(again);
            return;
        }
        let Some(states) = self.states.take() else {
            return;
        };
        let runs = self.tests.iter().flatten().count();
        let mut pruned = states.counts();
        pruned.proved_after = self.report.gaps.is_empty().then_some(runs);
        self.report.pruned = Some(pruned);
        if self.wanted == WantedPaths::StatesAndMore {
            self.left = Some(runs.max(LEAST_MORE));
            let (runs, are_all, dropped) = states.into_runs();
            self.paused.extend(runs);
            dropped.into_iter().for_each(|it| self.queue.push(it));
            self.may_run_all = are_all;
        }
    }

    /// Goes on with calls whose callers have not seen all their exits. Returns whether there are
    /// any.
    fn goes_on_with_calls(&mut self) -> bool {
        let Some(states) = &mut self.states else {
            return false;
        };
        match states.missing(self.most_depth) {
            MissingPairs::Nothing => false,
            MissingPairs::Input(parent, input) => {
                self.queue.push(candidate_of_parts(parent, &input));
                true
            }
            MissingPairs::Again => {
                self.paused.extend(states.restart());
                true
            }
            MissingPairs::Lost => {
                if let Some(runs) = states.give_up_calls() {
                    self.paused.extend(runs);
                    return true;
                }
                *self.report.gaps.entry(Gap::Divergence).or_default() += 1;
                false
            }
        }
    }

    /// The states that are known so far, and the ways that were not asked for.
    pub(super) fn pruned(&self) -> Pruned {
        let now = self.states.as_ref().map(KnownStates::counts);
        now.or(self.report.pruned).unwrap_or_default()
    }

    /// Takes out the next input, unless the order that was planned for it was run meanwhile.
    pub(super) fn next_candidate(&mut self) -> Option<Candidate> {
        let (number, states) = (self.tests.len(), self.states.as_mut());
        if let Some((parent, input)) = states.and_then(|it| it.early_pair(number, self.most_depth))
        {
            return Some(candidate_of_parts(parent, &input));
        }
        if let (None, Some((parent, input))) = (self.left, self.exchange.take()) {
            return Some(Candidate {
                is_exchanged: true,
                ..candidate_of_parts(parent, &input)
            });
        }
        loop {
            let candidate = self.queue.pop(&self.report.clauses)?;
            if self.states.as_mut().is_some_and(|it| it.drops(&candidate)) {
                continue;
            }
            self.left = self.left.map(|left| left.saturating_sub(1));
            match &candidate.order {
                Some(order) if order.part.was_run(&self.visited, &self.made) => {
                    self.made.forget(order.part.hash_code());
                }
                Some(_) | None => return Some(candidate),
            }
        }
    }

    /// The report, when the search is over.
    pub(super) fn into_report(mut self) -> Report<O> {
        self.go_beyond_states();
        if let Some(states) = &self.states {
            self.report.pruned = Some(states.counts());
        }
        if self.is_waiting() && self.left.is_none() {
            *self.report.gaps.entry(Gap::Stopped).or_default() = 1;
        }
        let is_empty = self.paused.is_empty() && self.queue.is_empty();
        if let Some(pruned) = &mut self.report.pruned {
            if !self.report.gaps.is_empty() {
                pruned.proved_after = None;
            }
            let are_none_merged = pruned.ways == 0;
            pruned.all_run = is_empty && (self.may_run_all || are_none_merged);
        }
        self.report.tests = without_missing(self.tests);
        self.report
    }

    /// Notes what a run reached. Returns the clauses that no run reached before.
    pub(super) fn reach(&mut self, replayed: &Replayed, job: &Job<'_>) -> Vec<ClauseId> {
        let clauses = replayed.clauses.iter().copied();
        let known = &mut self.reached;
        let new: Vec<ClauseId> = clauses.filter(|clause| known.insert(*clause)).collect();
        self.report.clauses.extend(&new);
        self.report.functions.extend(&replayed.functions);
        if job.is_new {
            let reached_new = !new.is_empty();
            let decisions = replayed.decisions.len();
            let exchange = &mut self.exchange;
            exchange.note(job.number, &job.arguments, decisions, reached_new);
        }
        new
    }

    /// The points at which a run made its decisions, in these states, and the point after the last.
    pub(super) fn points<'run>(
        &mut self,
        decisions: &mut [Decision],
        (states, calls): (&[ReachedState], &'run [CallMark]),
        graph: &mut Graph,
        mut walk: CallWalk<'run>,
    ) -> (Vec<PathPoint>, Point) {
        let mut at = Visited::START;
        let mut cursor = self.states.is_some().then_some(StateCursor::START);
        let mut states = states.iter().peekable();
        let mut calls = calls.iter().peekable();
        let mut points = Vec::with_capacity(decisions.len());
        for (number, decision) in decisions.iter_mut().enumerate() {
            self.guesses.take_in(at, decision, graph);
            // Ways of guesses have other numbers elsewhere.
            cursor = cursor.filter(|_| decision.given.is_none());
            let state = states.next_if(|state| state.decision == number);
            if let (Some(known), Some(cursor)) = (&mut self.states, &mut cursor) {
                while let Some(mark) = calls.next_if(|mark| mark.before <= number) {
                    *cursor = known.pass(*cursor, mark, &mut walk);
                }
                if !walk.is_silent() {
                    *cursor = known.arrive(at, *cursor, decision, state, &walk);
                }
                walk.step((decision.module, decision.site), decision.taken);
            }
            points.push(PathPoint {
                point: at,
                state: cursor,
            });
            at = self.visited.step(at, decision.taken);
            if let (Some(known), Some(cursor), false) =
                (&mut self.states, &mut cursor, walk.is_silent())
            {
                *cursor = known.step(*cursor, decision.taken);
            }
        }
        if let (Some(known), Some(cursor)) = (&mut self.states, cursor) {
            calls.fold(cursor, |cursor, mark| known.pass(cursor, mark, &mut walk));
        }
        (points, at)
    }

    /// Notes the path of a run, if paths are kept.
    pub(super) fn path(&mut self, replayed: &Replayed, merged: &MergedHere) -> Option<Path> {
        let paths = self.report.paths.as_mut()?;
        paths.take_in_opaque(&replayed.opaque);
        let mut states = merged.states.iter();
        let mut ways = merged.ways.iter().copied().peekable();
        let mut last = None;
        for (number, decision) in replayed.decisions.iter().enumerate() {
            if let Some(state) = states.next().copied().flatten() {
                paths.arrive(state, last);
            }
            while let Some((_, way, state)) = ways.next_if(|it| it.0 == number) {
                paths.take_in_merged(last, (decision, way), state, &replayed.graph);
            }
            last = paths.take_in(last, decision, &replayed.graph);
        }
        Some(paths.end(last, &replayed.places))
    }

    /// The alternatives that were not asked for yet, and those that were asked for in the same
    /// states elsewhere.
    pub(super) fn alternatives(
        &mut self,
        decisions: &[Decision],
        points: &[PathPoint],
        job: &Job<'_>,
    ) -> (Vec<Alternative>, MergedHere) {
        let mut alternatives = Vec::new();
        let states = points.iter().map(|at| at.state.map(|it| it.point));
        let mut merged = MergedHere {
            ways: Vec::new(),
            states: states.collect(),
        };
        let states = self.states.as_mut();
        let covered_from = states.and_then(|it| it.covered_from(job.number));
        for (number, (decision, at)) in decisions.iter().zip(points).enumerate() {
            let is_covered = covered_from.is_some_and(|from| from <= number);
            for way in (0..decision.ways.len()).filter(|way| *way != decision.taken) {
                if self.visited.knows(at.point, way) {
                    if let (Some(known), Some(cursor)) = (&mut self.states, at.state) {
                        known.note_asked(cursor, way);
                    }
                    continue;
                }
                let mut is_again = false;
                if let (Some(known), Some(cursor)) = (&mut self.states, at.state) {
                    if is_covered || !known.ask(cursor, way) {
                        known.note_twin(cursor, way, job.number);
                        merged.ways.push((number, way, cursor.point));
                        continue;
                    }
                    is_again = known.is_unsolved(cursor.point, way);
                }
                self.visited.ask(at.point, way);
                alternatives.push(Alternative {
                    decision: number,
                    point: at.point,
                    state: at.state.map(|it| it.point),
                    way,
                    is_again,
                    among: None,
                });
            }
        }
        if let Some(known) = self.states.as_mut().filter(|_| job.is_new) {
            known.add_merged_ways(merged.ways.len());
        }
        (alternatives, merged)
    }

    /// Adds what the solver found for a run. A run with questions that are left is kept for the
    /// next turn.
    pub(super) fn add(&mut self, job: &Job<'_>, solutions: Solutions, logs: ProcessLogs) {
        self.report.statistics.add(&solutions.statistics);
        let is_proved = self
            .report
            .pruned
            .is_some_and(|it| it.proved_after.is_some());
        let mut gaps = solutions.gaps;
        for unsolved in solutions.unsolved {
            let states = self.states.as_mut().zip(unsolved.state);
            let is_new = states.is_none_or(|(known, state)| {
                known.note_unsolved((state, unsolved.way), &unsolved.gap)
            });
            gaps.extend(is_new.then_some(unsolved.gap));
        }
        let settled = solutions.settled.into_iter();
        let known = &mut self.states;
        let settled = settled.filter_map(|it| known.as_mut()?.settle(it));
        for gap in settled {
            withdraw(&mut self.report.gaps, &gap);
        }
        for gap in gaps {
            if is_proved && gap.is_about_questions() {
                self.may_run_all = false;
                continue;
            }
            *self.report.gaps.entry(gap).or_default() += 1;
        }
        for candidate in solutions.candidates {
            self.queue.push(candidate);
        }
        if solutions.left.is_empty() {
            if let Some(states) = &mut self.states
                && (solutions.merged_ways > 0 || states.has_calls())
            {
                states.keep(Paused {
                    number: job.number,
                    candidate: job.candidate.clone(),
                    logs,
                    has_merged_ways: solutions.merged_ways > 0,
                });
            }
            return;
        }
        for alternative in &solutions.left {
            match &alternative.among {
                Some(among) => self.made.forget(among.hash),
                None => self.visited.take_back(alternative.point, alternative.way),
            }
            if let (Some(states), Some(state)) = (&mut self.states, alternative.state) {
                states.take_back(state, alternative.way);
            }
        }
        self.paused.push_back(Paused {
            number: job.number,
            candidate: job.candidate.clone(),
            logs,
            has_merged_ways: solutions.merged_ways > 0,
        });
    }
}

/// An input that puts parts of known ones together: for a caller and an exit of its call, or a value as
/// another argument.
fn candidate_of_parts(parent: usize, input: &[Term]) -> Candidate {
    Candidate {
        arguments: Arguments::new(input),
        parent: Some(parent),
        target: None,
        order: None,
        is_exchanged: false,
    }
}

/// Takes back a gap once.
fn withdraw(gaps: &mut BTreeMap<Gap, usize>, gap: &Gap) {
    if let Some(count) = gaps.get_mut(gap) {
        *count = count.saturating_sub(1);
    }
    gaps.retain(|_, count| *count > 0);
}

/// The tests in their order. Where one is missing because it could not be run, later tests get
/// other numbers, also as parents.
fn without_missing<O>(tests: Vec<Option<Test<O>>>) -> Vec<Test<O>> {
    let mut numbers = Vec::with_capacity(tests.len());
    let mut present = Vec::with_capacity(tests.len());
    for test in tests {
        numbers.push(present.len());
        present.extend(test);
    }
    for test in &mut present {
        test.parent = test.parent.and_then(|it| numbers.get(it).copied());
    }
    present
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parents_have_the_new_numbers() {
        let test = |parent| {
            Some(Test {
                parent,
                arguments: Arguments::new(&[]),
                outcome: (),
                trace: Vec::new(),
                diverged: false,
                repeats: false,
                path: None,
                marks: Box::default(),
                other_processes: 0,
                schedule: None,
                race: None,
                new_clauses: Vec::new(),
            })
        };
        let tests = vec![test(None), None, test(Some(0)), None, test(Some(2))];
        let parents = without_missing(tests).into_iter().map(|test| test.parent);
        assert_eq!(parents.collect::<Vec<_>>(), [None, Some(0), Some(1)]);
    }
}
