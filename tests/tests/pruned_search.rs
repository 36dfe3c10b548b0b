//! The promise of pruning, on random programs: a search that asks for ways once in each state, and is
//! complete, finds each ending and each clause of the program that a search of all paths finds.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use end_to_end::erlang::temporary_folder;
use end_to_end::exploring::{BeamExecutor, Explored, plan};
use end_to_end::random_erlang;
use end_to_end::random_loops;
use end_to_end::random_programs::Random;
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

/// The runs of a search of all paths and of one by states, if the latter is complete; the error says
/// what is wrong.
fn check(
    program: &Program,
    executors: &mut [BeamExecutor<'_>],
    name: &str,
    strategy: Strategy,
) -> Result<Option<(usize, usize)>, String> {
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
    for test in &pruned.tests {
        if test.diverged || test.repeats {
            return Err(format!("{name} diverged or repeats: {:?}", test.arguments));
        }
    }
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
    Ok(Some((all.tests.len(), pruned.tests.len())))
}

/// Checks all functions of modules, with each strategy and with one or two workers.
fn check_modules(text: impl Fn(&str, &mut Random) -> String + Sync) -> (usize, usize, usize) {
    let results: Vec<Result<Option<(usize, usize)>, String>> = (0..MODULES)
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
    let complete: Vec<(usize, usize)> = results.into_iter().flatten().flatten().collect();
    let all = complete.iter().map(|it| it.0).sum();
    let pruned = complete.iter().map(|it| it.1).sum();
    (complete.len(), all, pruned)
}

#[test]
fn nothing_is_lost_in_loops_that_carry_something_along() {
    let text = |name: &str, random: &mut Random| random_loops::module(name, FUNCTIONS, random);
    let (complete, all, pruned) = check_modules(text);
    println!("{complete} complete, {all} runs of all paths, {pruned} by states");
    assert!(complete > 40, "{complete}");
    assert!(pruned * 4 < all * 3, "{pruned} of {all}");
}

#[test]
fn nothing_is_lost_in_functions_that_take_values_apart() {
    let text = |name: &str, random: &mut Random| random_erlang::module(name, FUNCTIONS, random);
    let (complete, all, pruned) = check_modules(text);
    println!("{complete} complete, {all} runs of all paths, {pruned} by states");
    assert!(
        complete > 40 && pruned < all,
        "{complete}, {pruned} of {all}"
    );
}

#[test]
fn nothing_is_lost_in_sums_that_are_looked_at() {
    let text = |name: &str, random: &mut Random| random_sums::module(name, FUNCTIONS, random);
    let (complete, all, pruned) = check_modules(text);
    println!("{complete} complete, {all} runs of all paths, {pruned} by states");
    assert!(
        complete > 40 && pruned * 5 < all * 4,
        "{complete}, {pruned} of {all}"
    );
}
