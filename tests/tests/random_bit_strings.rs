//! The promises of the engine, on random functions about bit strings: no run diverges, and a
//! complete search misses no path that random inputs find.

use std::collections::HashSet;
use std::fs;

use end_to_end::erlang::temporary_folder;
use end_to_end::exploring::{BeamExecutor, Explored, plan};
use end_to_end::random_bits;
use end_to_end::random_programs::Random;
use rayon::prelude::*;
use solver::NativeIntegers;
use trace_engine::explore::Solvers;
use trace_format::Program;

const MODULES: u64 = 2;
const FUNCTIONS: usize = 12;
/// Random inputs of each function.
const INPUTS: usize = 60;
const DEPTH: u32 = 2;
const RUNS: usize = 15;

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
    let report = plan(DEPTH, RUNS).search(program, vec![&mut *executor], &solvers)?;
    let mut paths = HashSet::new();
    for test in &report.tests {
        if test.diverged {
            return Err(format!("{name} diverged: {:?}", test.arguments));
        }
        if test.repeats {
            return Err(format!("{name} takes a path again: {:?}", test.arguments));
        }
        paths.insert(test.trace.clone());
    }
    for _ in 0..INPUTS {
        let arguments = [random_bits::value(random)];
        let (_, log) = executor.run_logged(&arguments)?;
        let replayed = executor.replay(&log, &arguments);
        let replayed = replayed.map_err(|error| format!("{name}({}): {error}", arguments[0]))?;
        if report.is_complete() && !paths.contains(&replayed.trace) {
            return Err(format!("{name}({}) takes a new path", arguments[0]));
        }
    }
    Ok(report.is_complete())
}

#[test]
fn promises_hold_on_random_bit_strings() {
    let seeds: Vec<u64> = (0..MODULES).collect();
    let results: Vec<Result<bool, String>> = seeds
        .into_par_iter()
        .flat_map_iter(|seed| {
            let mut random = Random::new(seed + 7_100);
            let name = format!("random_bits_{seed}");
            let text = random_bits::module(&name, FUNCTIONS, &mut random);
            let folder = temporary_folder();
            let path = folder.path().join(format!("{name}.erl"));
            fs::write(&path, &text).expect("the folder can be written");
            let explored = Explored::new(path);
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
    println!("{complete} of {all} complete");
}
