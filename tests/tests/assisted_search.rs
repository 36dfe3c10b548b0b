//! It makes no difference whether a search replays and solves by itself, or an assistant elsewhere
//! does: the tests are the same, in the same order, and so is all that a report counts.

use std::fs;
use std::path::PathBuf;

use end_to_end::erlang::{package_path, temporary_folder};
use end_to_end::exploring::{Explored, Plan, plan};
use end_to_end::random_programs::Random;
use end_to_end::{random_loops, random_recursion};
use erlconcolic::worker::Outcome;
use solver::{Encoding, Z3Integers};
use trace_engine::explore::{Report, Solvers, WantedPaths};

fn solvers() -> Solvers {
    Solvers {
        integers: Box::new(Z3Integers::default()),
        fallback: Some(Box::new(Encoding::default())),
    }
}

/// All of a report that does not depend on time.
fn shown(report: &Report<Outcome>) -> String {
    let statistics = &report.statistics;
    let counts = [statistics.queries, statistics.sat, statistics.unsat];
    let mut lines = vec![format!("{:?} {:?} {counts:?}", report.gaps, report.pruned)];
    lines.extend(report.tests.iter().map(|test| {
        let path = (&test.trace, test.diverged, test.repeats, &test.new_clauses);
        format!("{:?} {:?} {path:?}", test.parent, test.arguments)
    }));
    lines.join("\n")
}

/// Searches functions with one argument in both ways. The assistant must answer most questions.
fn check(path: PathBuf, names: &[String], plan: &Plan) {
    let explored = Explored::new(path);
    let (mut all, mut answered) = (0, 0);
    for name in names {
        let mut executor = explored.executor(name, 1);
        let alone = plan.search(&explored.program, vec![&mut executor], &solvers);
        let mut executor = explored.executor(name, 1);
        let assisted = plan.search_assisted(&explored.program, &mut executor, &solvers);
        let (assisted, asked) = assisted.expect("it can be searched");
        let alone = alone.expect("it can be searched");
        assert_eq!(shown(&assisted), shown(&alone), "{name}");
        all += alone.tests.len();
        answered += asked;
    }
    assert!(answered > all, "{answered} questions about {all} runs");
}

/// Makes a module of so many functions with random bodies.
type Generator = fn(&str, usize, &mut Random) -> String;

const FUNCTIONS: usize = 8;

fn check_random(seed: u64, module: Generator, paths: WantedPaths) {
    let name = format!("random_{seed}");
    let text = module(&name, FUNCTIONS, &mut Random::new(seed));
    let folder = temporary_folder();
    let path = folder.path().join(format!("{name}.erl"));
    fs::write(&path, text).expect("the folder can be written");
    let mut plan = plan(3, 120);
    plan.options.paths = paths;
    // The search itself looks at what covers states.
    plan.options.has_interpolants = false;
    let names: Vec<String> = (0..FUNCTIONS).map(|number| format!("f{number}")).collect();
    check(path, &names, &plan);
}

#[test]
fn random_programs_have_the_same_paths() {
    check_random(71, random_recursion::module, WantedPaths::All);
}

#[test]
fn random_programs_have_the_same_states() {
    check_random(72, random_loops::module, WantedPaths::StatesAndMore);
    check_random(73, random_recursion::module, WantedPaths::States);
}

/// Values of calls that are not understood, whose ways only the search knows.
#[test]
fn guesses_are_the_same() {
    let folder = temporary_folder();
    let path = folder.path().join("guessed.erl");
    let text = "-module(guessed).\n-export([f/1]).\n\
                f(X) -> case erlang:phash2(X) rem 5 of 3 when X > 7 -> a; 4 -> b; _ -> g(X) end.\n\
                g(X) when is_integer(X), X * 3 =:= 21 -> c;\ng([_ | T]) -> g(T);\ng(_) -> d.\n";
    fs::write(&path, text).expect("the folder can be written");
    let names = ["f".to_owned()];
    check(path, &names, &plan(3, 60));
}

#[test]
fn samples_have_the_same_tests() {
    let sample = package_path("../samples/calculator/calculator.erl");
    let mut plan = plan(4, 150);
    plan.options.paths = WantedPaths::StatesAndMore;
    let names = ["calculate".to_owned()];
    check(sample, &names, &plan);
}
