//! The promise of pruning, on random programs: a search that asks for ways once in each state, and is
//! complete, finds each ending and each clause of the program that a search of all paths finds.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use end_to_end::erlang::temporary_folder;
use end_to_end::exploring::{BeamExecutor, Explored, plan};
use end_to_end::random_erlang;
use end_to_end::random_loops;
use end_to_end::random_programs::Random;
use end_to_end::random_readers;
use end_to_end::random_recursion;
use end_to_end::random_sums;
use erlconcolic::worker::Outcome;
use rayon::prelude::*;
use solver::NativeIntegers;
use trace_engine::explore::{ClauseId, Report, Solvers, Strategy, WantedPaths};
use trace_format::Program;

const MODULES: u64 = 6;
const FUNCTIONS: usize = 16;
const DEPTH: u32 = 4;
const RUNS: usize = 1_500;

/// How a run ended: class, first word of the reason, and line.
fn ending(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Ok(_) => "ok".to_owned(),
        Outcome::Exception {
            class,
            reason,
            stack,
        } => {
            let tag = reason.trim_start_matches('{').split([',', '}']).next();
            let line = stack.first().map(|it| it.line);
            format!("{class} {} at {line:?}", tag.unwrap_or_default())
        }
        Outcome::Timeout
        | Outcome::Killed
        | Outcome::WorkerDied
        | Outcome::Deadlock { .. }
        | Outcome::Steps
        | Outcome::Blocked(_) => format!("{outcome:?}"),
    }
}

fn explored(name: &str, text: &str) -> Explored {
    let folder = temporary_folder();
    let path = folder.path().join(format!("{name}.erl"));
    fs::write(&path, text).expect("the folder can be written");
    Explored::new(path)
}

/// What a search found: endings with an input for each, and clauses of the first module.
struct Found {
    endings: BTreeMap<String, String>,
    clauses: BTreeSet<ClauseId>,
}

impl Found {
    fn of(report: &Report<Outcome>) -> Self {
        let tests = report.tests.iter();
        let endings = tests.map(|it| (ending(&it.outcome), format!("{:?}", it.arguments.terms())));
        let clauses = report.clauses.iter().copied();
        Self {
            endings: endings.collect(),
            clauses: clauses.filter(|it| it.0 == 0).collect(),
        }
    }
}

/// The runs of a search, and how many of them took a path that another one took.
#[derive(Clone, Copy, Debug, Default)]
struct Counted {
    all: usize,
    pruned: usize,
    repeats: usize,
}

/// The runs of a search of all paths and of one by states, if the latter is complete; the error says
/// what is wrong.
fn check(
    program: &Program,
    executors: &mut [BeamExecutor<'_>],
    name: &str,
    strategy: Strategy,
) -> Result<Option<Counted>, String> {
    let solvers = || Solvers {
        integers: Box::new(NativeIntegers::default()),
        fallback: None,
    };
    for executor in &mut *executors {
        executor.set_function(name, 1);
    }
    let mut search = |paths: WantedPaths| {
        let mut plan = plan(DEPTH, RUNS);
        plan.options.strategy = strategy;
        plan.options.paths = paths;
        plan.search(program, executors.iter_mut().collect(), &solvers)
    };
    let pruned = search(WantedPaths::States)?;
    if let Some(test) = pruned.tests.iter().find(|it| it.diverged) {
        return Err(format!("{name} diverged: {:?}", test.arguments));
    }
    // An input for a caller and an exit may have another path than it should.
    let repeats = pruned.tests.iter().filter(|it| it.repeats).count();
    if !pruned.is_complete() {
        return Ok(None);
    }
    let all = search(WantedPaths::All)?;
    let (found, wanted) = (Found::of(&pruned), Found::of(&all));
    for (ending, input) in &wanted.endings {
        if !found.endings.contains_key(ending) {
            return Err(format!("{name} lost {ending}: {input}"));
        }
    }
    if let Some(lost) = wanted.clauses.difference(&found.clauses).next() {
        return Err(format!("{name} lost a clause: {lost:?}"));
    }
    Ok(Some(Counted {
        all: all.tests.len(),
        pruned: pruned.tests.len(),
        repeats,
    }))
}

/// Checks all functions of modules, with each strategy and with one or two workers.
fn check_modules(text: impl Fn(&str, &mut Random) -> String + Sync) -> (usize, Counted) {
    let results: Vec<Result<Option<Counted>, String>> = (0..MODULES)
        .into_par_iter()
        .flat_map_iter(|seed| {
            let name = format!("random_{seed}");
            let explored = explored(&name, &text(&name, &mut Random::new(seed)));
            let strategies = Strategy::ALL;
            let checked = (0..FUNCTIONS).map(|number| {
                let name = format!("f{number}");
                let workers = 1 + number % 2;
                let executor = || explored.executor("f0", 1);
                let mut executors: Vec<_> =
                    std::iter::repeat_with(executor).take(workers).collect();
                let strategy = strategies.iter().cycle().nth(number);
                let strategy = *strategy.expect("there are strategies");
                let result = check(&explored.program, &mut executors, &name, strategy);
                result.map_err(|failure| format!("seed {seed}, {strategy:?}: {failure}"))
            });
            checked.collect::<Vec<_>>()
        })
        .collect();
    let failures = results.iter().filter_map(|it| it.as_ref().err());
    let failures: Vec<&String> = failures.collect();
    assert!(failures.is_empty(), "{failures:#?}");
    let complete: Vec<Counted> = results.into_iter().flatten().flatten().collect();
    let mut sum = Counted::default();
    for counted in &complete {
        sum.all += counted.all;
        sum.pruned += counted.pruned;
        sum.repeats += counted.repeats;
    }
    (complete.len(), sum)
}

#[test]
fn nothing_is_lost_in_loops_that_carry_something_along() {
    let text = |name: &str, random: &mut Random| random_loops::module(name, FUNCTIONS, random);
    let (complete, counted) = check_modules(text);
    assert!(complete > 40, "{complete}");
    assert!(counted.pruned * 4 < counted.all * 3, "{counted:?}");
    assert!(counted.repeats * 20 < counted.pruned, "{counted:?}");
}

#[test]
#[ignore = "takes a minute; `make slow-tests` runs it"]
fn nothing_is_lost_in_functions_that_take_values_apart() {
    let text = |name: &str, random: &mut Random| random_erlang::module(name, FUNCTIONS, random);
    let (complete, counted) = check_modules(text);
    assert!(complete > 40 && counted.pruned < counted.all, "{counted:?}");
    assert!(counted.repeats * 20 < counted.pruned, "{counted:?}");
}

#[test]
#[ignore = "takes a minute; `make slow-tests` runs it"]
fn nothing_is_lost_in_functions_that_go_on_after_their_calls() {
    let text = |name: &str, random: &mut Random| random_recursion::module(name, FUNCTIONS, random);
    let (complete, counted) = check_modules(text);
    assert!(complete > 40, "{complete}");
    assert!(counted.pruned * 4 < counted.all * 3, "{counted:?}");
    assert!(counted.repeats * 20 < counted.pruned, "{counted:?}");
}

#[test]
#[ignore = "takes a minute; `make slow-tests` runs it"]
fn nothing_is_lost_in_sums_that_are_looked_at() {
    let text = |name: &str, random: &mut Random| random_sums::module(name, FUNCTIONS, random);
    let (complete, counted) = check_modules(text);
    assert!(complete > 40, "{complete}");
    assert!(counted.pruned * 6 < counted.all * 5, "{counted:?}");
}

#[test]
#[ignore = "takes minutes; `make slow-tests` runs it"]
fn nothing_is_lost_in_functions_that_read_binaries() {
    let text = |name: &str, random: &mut Random| random_readers::module(name, FUNCTIONS, random);
    let (complete, counted) = check_modules(text);
    assert!(complete > 40, "{complete}");
    assert!(counted.pruned * 4 < counted.all * 3, "{counted:?}");
}
