//! The promises of the engine, on random programs: no run diverges, no path is run twice, and a
//! complete search misses no path that random inputs find.

use std::collections::HashSet;
use std::fs;

use end_to_end::erlang::temporary_folder;
use end_to_end::exploring::{BeamExecutor, Explored, plan};
use end_to_end::random_erlang;
use end_to_end::random_programs::Random;
use erlang_term::Term;
use erlconcolic::worker::Outcome;
use rayon::prelude::*;
use solver::NativeIntegers;
use trace_engine::explore::Solvers;
use trace_format::Program;

const MODULES: u64 = 8;
const FUNCTIONS: usize = 30;
/// Random inputs of each function.
const INPUTS: usize = 250;
const DEPTH: u32 = 3;

/// How a run ended: its class and the part of its reason that does not depend on the input.
fn ending(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Ok(_) => "ok".to_owned(),
        Outcome::Exception { class, reason, .. } => {
            let tag = reason.trim_start_matches('{').split([',', '}']).next();
            format!("{class} {}", tag.unwrap_or_default())
        }
        Outcome::Timeout
        | Outcome::Killed
        | Outcome::WorkerDied
        | Outcome::Deadlock { .. }
        | Outcome::Steps
        | Outcome::Blocked(_) => {
            format!("{outcome:?}")
        }
    }
}

fn random_module(seed: u64) -> Explored {
    let mut random = Random::new(seed);
    let name = format!("random_{seed}");
    let text = random_erlang::module(&name, FUNCTIONS, &mut random);
    let folder = temporary_folder();
    let path = folder.path().join(format!("{name}.erl"));
    fs::write(&path, &text).expect("the folder can be written");
    Explored::new(path)
}

/// The trace of an input, and how its run ends.
fn path(executor: &mut BeamExecutor<'_>, argument: Term) -> (Vec<u32>, String) {
    let arguments = [argument];
    let run = executor.run_logged(&arguments);
    let (outcome, log) = run.expect("it can be run");
    let replayed = executor.replay(&log, &arguments);
    let replayed = replayed.expect("it can be replayed");
    (replayed.trace, ending(&outcome))
}

/// Whether a function was explored completely; the error says what is wrong.
fn check(
    program: &Program,
    executor: &mut BeamExecutor<'_>,
    name: &str,
    random: &mut Random,
) -> Result<bool, String> {
    executor.set_function(name, 1);
    let solvers = || Solvers {
        integers: Box::new(NativeIntegers::default()),
        fallback: None,
    };
    let report = plan(DEPTH, 500).search(program, vec![&mut *executor], &solvers)?;
    let mut paths = HashSet::new();
    for test in &report.tests {
        if test.diverged {
            return Err(format!("{name} diverged: {:?}", test.arguments));
        }
        if test.repeats {
            return Err(format!("{name} takes a path again: {:?}", test.arguments));
        }
        paths.insert((test.trace.clone(), ending(&test.outcome)));
    }
    if !report.is_complete() {
        return Ok(false);
    }
    for _ in 0..INPUTS {
        let depth = random.below(DEPTH as usize + 1);
        let argument = random_erlang::value(random, depth);
        let path = path(executor, argument.clone());
        if !paths.contains(&path) {
            return Err(format!("{name}({argument}) takes a new path: {path:?}"));
        }
    }
    Ok(true)
}

#[test]
fn promises_hold_on_random_programs() {
    let seeds: Vec<u64> = (0..MODULES).collect();
    let results: Vec<Result<bool, String>> = seeds
        .into_par_iter()
        .flat_map_iter(|seed| {
            let explored = random_module(seed);
            let mut random = Random::new(seed + 1_000);
            let mut executor = explored.executor("f0", 1);
            let names = (0..FUNCTIONS).map(|number| format!("f{number}"));
            let checked = names.map(|name| {
                let result = check(&explored.program, &mut executor, &name, &mut random);
                result.map_err(|failure| format!("seed {seed}: {failure}"))
            });
            checked.collect::<Vec<_>>()
        })
        .collect();
    let all = results.len();
    let (fine, failures): (Vec<_>, Vec<_>) = results.into_iter().partition(Result::is_ok);
    let failures: Vec<String> = failures.into_iter().filter_map(Result::err).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    let complete = fine.into_iter().filter(|it| *it == Ok(true)).count();
    assert!(complete * 100 >= all * 85, "{complete} of {all}");
}
