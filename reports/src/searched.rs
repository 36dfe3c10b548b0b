//! The search of one function.

use std::collections::HashSet;

use erlang_term::Term;
use trace_engine::PlayMark;
use trace_engine::explore::{Gap, Race, Report, Test};
use trace_format::{Program, Schedule};

use crate::argument_names::argument_names;
use crate::callees::FunctionNumber;
use crate::coverage::{Coverage, ReachableCode};
use crate::entry::Entry;
use crate::explored_code::ExploredCode;
use crate::likelihood::is_plain;
use crate::machine::FoundMachine;
use crate::outcome::{Outcome, StackEntry};
use crate::run_end::{ProcessCrash, RunEnd};
use crate::told_search::ToldSearch;

/// What of the input of a machine may be any term, because nothing declares its type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Undeclared {
    /// The argument of `init/1`.
    pub argument: bool,
    /// The content of events.
    pub events: bool,
}

/// The search of one function.
#[derive(Debug)]
pub struct Searched {
    /// The function.
    pub entry: Entry,
    /// Its tests and gaps. Inputs that the precondition rejects are not among the tests.
    pub report: Report<RunEnd>,
    /// What it reached of the functions that the entry may call.
    pub coverage: Coverage,
    /// The functions that count for this coverage.
    pub(crate) counted: HashSet<FunctionNumber>,
    /// For each test, how many clauses of this coverage it reached first.
    pub new_clauses: Vec<usize>,
    /// How many inputs were rejected: by the precondition, or because a value of an opaque type
    /// could not be made.
    pub rejected: usize,
    /// The depth limit for arguments.
    pub term_depth: u32,
    /// How many events or calls a sequence has at most, if the input is one.
    pub length: Option<usize>,
    /// What of the input of a machine may be any term.
    undeclared: Undeclared,
    /// Whether only a process calls the function, with a state of its own.
    is_callback: bool,
    /// What a report tells about it, if it was read from one. Then `report` has no tests.
    pub(crate) told: Option<ToldSearch>,
}

impl Searched {
    /// Takes inputs that were rejected out of a report, and counts coverage.
    pub fn new(
        code: &ExploredCode<'_>,
        reachable: &ReachableCode,
        entry: Entry,
        term_depth: u32,
        mut report: Report<RunEnd>,
    ) -> Self {
        let rejected = take_rejected(&mut report);
        let called = code.callees_of(&entry);
        // The text does not show which functions are called by computed names: they count once a
        // run has called them.
        let counts = |it: &FunctionNumber| called.contains(it) || report.functions.contains(it);
        let counted = reachable.clauses_of(counts);
        let new_clauses = |test: &Test<RunEnd>| {
            let clauses = test.new_clauses.iter();
            clauses.filter(|it| counted.contains(it)).count()
        };
        Self {
            counted: called.union(&report.functions).copied().collect(),
            coverage: Coverage::new(reachable, &report.functions, &report.clauses, counts),
            new_clauses: report.tests.iter().map(new_clauses).collect(),
            is_callback: code.is_process_callback(&entry),
            entry,
            report,
            rejected,
            term_depth,
            length: None,
            undeclared: Undeclared::default(),
            told: None,
        }
    }

    /// A search as a report tells it.
    pub(crate) fn told(entry: Entry, told: ToldSearch, coverage: Coverage) -> Self {
        Self {
            entry,
            report: Report::default(),
            coverage,
            counted: HashSet::new(),
            new_clauses: Vec::new(),
            rejected: 0,
            term_depth: 0,
            length: None,
            undeclared: Undeclared::default(),
            is_callback: false,
            told: Some(told),
        }
    }

    /// How many tests it has.
    pub(crate) fn tests(&self) -> usize {
        let told = self.told.as_ref();
        told.map_or(self.report.tests.len(), |it| it.tests.len())
    }

    /// The names of the arguments of its entry.
    pub(crate) fn parameters(&self, program: &Program) -> Vec<String> {
        match &self.told {
            Some(told) => told.parameters.clone(),
            None => argument_names(program, &self.entry),
        }
    }

    /// The same for sequences of at most this length. Events may be any terms.
    #[must_use]
    pub fn with_sequences(self, length: Option<usize>, undeclared: Undeclared) -> Self {
        Self {
            length,
            undeclared,
            ..self
        }
    }

    /// The machine as its tests show it; `None` if it is none.
    pub fn found_machine(&self) -> Option<FoundMachine> {
        self.entry.behaviour()?;
        if let Some(told) = &self.told {
            return told.machine.clone();
        }
        let tests = self.report.tests.iter();
        let tests = tests.map(|it| (it.arguments.terms(), &*it.marks, it.outcome.is_finding()));
        Some(FoundMachine::of(tests))
    }

    /// The tests that crash: number, arguments and the processes that crash.
    pub(crate) fn crashes(&self) -> impl Iterator<Item = (usize, Vec<Term>, Vec<ProcessCrash>)> {
        let tests = self.report.tests.iter().enumerate();
        let crashes = tests.filter(|(_, test)| test.outcome.is_finding());
        crashes.map(|(number, test)| (number, test.arguments.terms(), test.outcome.crashes()))
    }

    /// What the play of a test told.
    pub(crate) fn marks(&self, test: usize) -> &[PlayMark] {
        let test = self.report.tests.get(test);
        test.map_or(&[], |test| &test.marks)
    }

    /// Which process took its steps when in a test; `None` if there was only one.
    pub(crate) fn schedule(&self, test: usize) -> Option<Schedule> {
        let test = self.report.tests.get(test)?;
        test.schedule.as_ref()?.parse().ok()
    }

    /// The two steps whose order made the order of a test: its own, or that of the test it was made
    /// from.
    pub(crate) fn race(&self, test: usize) -> Option<Race> {
        let tests = &self.report.tests;
        let mut ancestors = std::iter::successors(tests.get(test), |it| tests.get(it.parent?));
        ancestors.find_map(|it| it.race.as_deref().copied())
    }

    /// The arguments of a test.
    pub(crate) fn arguments(&self, test: usize) -> Vec<Term> {
        let test = self.report.tests.get(test);
        test.map_or(Vec::new(), |test| test.arguments.terms())
    }

    /// Adds a gap for some tests.
    pub(crate) fn add_gap(&mut self, gap: Gap, tests: &[usize]) {
        *self.report.gaps.entry(gap).or_default() += tests.len();
    }

    /// Whether a program is likely to call the function with these arguments, and to end like this.
    pub(crate) fn is_plain(&self, arguments: &[Term], outcome: &Outcome) -> bool {
        !self.is_callback && !self.is_unknown_event(outcome) && is_plain(arguments, outcome)
    }

    /// Whether a callback of a machine has no clause for an event that nobody declared, or `init/1` for
    /// such an argument. Few people send events that a machine does not know.
    fn is_unknown_event(&self, outcome: &Outcome) -> bool {
        let Outcome::Exception { reason, stack, .. } = outcome else {
            return false;
        };
        let module = self.entry.module.to_string();
        let is_callback = |it: &StackEntry| {
            let callbacks = [
                "handle_call/3",
                "handle_cast/2",
                "handle_info/2",
                "handle_event/4",
            ];
            let name = it.function.strip_prefix(&module);
            let name = name.and_then(|it| it.strip_prefix(':')).unwrap_or_default();
            match name {
                "init/1" => self.undeclared.argument,
                _ => self.undeclared.events && (callbacks.contains(&name) || name.ends_with("/3")),
            }
        };
        reason == "function_clause" && stack.first().is_some_and(is_callback)
    }

    /// Tests by their worth: likely arguments first, of these those with the fewest switches between
    /// processes, and of these the smallest.
    pub(crate) fn by_worth(&self, mut tests: Vec<usize>) -> Vec<usize> {
        tests.sort_by_cached_key(|number| {
            let test = self.report.tests.get(*number);
            let arguments = self.arguments(*number);
            let is_plain = test.is_some_and(|it| self.is_plain(&arguments, &it.outcome.of_entry));
            let switches = test.map_or(0, switches);
            let texts = self.entry.arguments(&arguments);
            let size = texts.iter().map(String::len).sum::<usize>();
            (!is_plain, switches, size)
        });
        tests
    }

    /// The arguments of some tests that are worth most.
    pub(crate) fn smallest(&self, tests: Vec<usize>, most: usize) -> Vec<Vec<String>> {
        let mut known = HashSet::new();
        let tests = self.by_worth(tests).into_iter();
        tests
            .map(|test| self.entry.arguments(&self.arguments(test)))
            .filter(|it| known.insert(it.clone()))
            .take(most)
            .collect()
    }

    /// What several searches together reached of the functions that their entries may call, or of
    /// all functions of the user.
    pub fn total_coverage(searches: &[Self], reachable: &ReachableCode, of_all: bool) -> Coverage {
        let functions = searches.iter().flat_map(|it| &it.report.functions);
        let clauses = searches.iter().flat_map(|it| &it.report.clauses);
        let (functions, clauses) = (functions.copied().collect(), clauses.copied().collect());
        let counts = |it: &FunctionNumber| {
            of_all || searches.iter().any(|search| search.counted.contains(it))
        };
        Coverage::named(reachable, &functions, &clauses, counts)
    }
}

/// How often another process goes on in a test.
fn switches(test: &Test<RunEnd>) -> usize {
    let schedule = test.schedule.as_ref();
    schedule.map_or(0, |it| it.matches(',').count())
}

/// Removes runs whose inputs were rejected from a report, and returns how many there were. Tests
/// made from a rejected input then count as made from that input's parent.
fn take_rejected(report: &mut Report<RunEnd>) -> usize {
    let before = report.tests.len();
    let mut number = 0;
    // For each test its new number, or its parent's if it is removed.
    let mut numbers: Vec<Option<usize>> = Vec::with_capacity(before);
    let parent = |test: &Test<RunEnd>, numbers: &[Option<usize>]| {
        test.parent
            .and_then(|parent| numbers.get(parent).copied().flatten())
    };
    report.tests.retain_mut(|test| {
        test.parent = parent(test, &numbers);
        let is_kept = !test.outcome.of_entry.is_rejected();
        numbers.push(if is_kept { Some(number) } else { test.parent });
        number += usize::from(is_kept);
        is_kept
    });
    before - report.tests.len()
}
