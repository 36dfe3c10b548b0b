//! Replaying runs: the paper's example, and events that do not fit.

use erlang_term::{Atom, Term};
use flattener::{flatten, parse_module};
use proptest::prelude::*;
use solver::{Limits, NativeIntegers, ReleaseRules, Shortcuts, Solver};
use trace_engine::{Mark, ReplayError, Replayed, replay, replay_until};
use trace_format::{Program, RunLog, Wire, decode};

fn limits() -> Limits {
    Limits {
        term_depth: 10,
        cases: 100,
        shortcuts: Shortcuts::default(),
    }
}

/// A program of one module.
fn program(text: &str) -> Program {
    let module = parse_module(text).expect("the text is a module");
    let flat = flatten(module).expect("the module is a program");
    let name = Atom::new(flat.name.as_str());
    Program::new([(flat, name)])
}

/// The paper's program.
fn example_2() -> Program {
    program(include_str!("../../samples/paper/figure5.core"))
}

/// The log of its run on `[a]`.
fn log(program: &Program) -> RunLog<'_> {
    RunLog::new(program, Wire::Lean, &[3, 5, 4], Some((0, 0)))
}

fn replayed() -> Replayed {
    replay(&log(&example_2()), &ReleaseRules::default(), &[]).expect("the log fits the program")
}

/// `sym` of the paper: result and arguments, as general as the run allows.
#[test]
fn the_symbolic_run_of_the_paper() {
    let mut run = replayed();
    assert_eq!(run.trace, [2, 1]);
    let (input, result) = (run.graph.input(0), run.result.expect("it returned"));
    let mut integers = NativeIntegers::default();
    let list = Term::list([Term::atom("a")]);
    let parent = vec![run.graph.constant(&list)];
    let mut solver = Solver::new(&mut run.graph, parent, &mut integers, limits());
    for decision in &run.decisions {
        for condition in decision.conditions(decision.taken) {
            solver.assume(condition);
        }
    }
    let shapes = solver.shapes(&[], &[result, input]);
    assert_eq!(shapes, Some(vec!["[X,X]".to_owned(), "[X]".to_owned()]));
}

/// `input_alt` of the paper: the arguments of the run and of all others that decide differently
/// once.
#[test]
fn the_alternatives_of_the_paper() {
    let mut run = replayed();
    let input = run.graph.input(0);
    let mut integers = NativeIntegers::default();
    let mut solver = Solver::new(&mut run.graph, Vec::new(), &mut integers, limits());
    let mut answers = Vec::new();
    for decision in &run.decisions {
        let others = (0..decision.ways.len()).filter(|way| *way != decision.taken);
        for way in others {
            answers.extend(solver.shapes(&decision.conditions(way), &[input]));
        }
        for condition in decision.conditions(decision.taken) {
            solver.assume(condition);
        }
    }
    answers.extend(solver.shapes(&[], &[input]));
    assert_eq!(answers.concat(), ["[]", "[X,Y|R]", "[X]"]);
}

proptest! {
    /// Logs that are damaged or made up are refused or replayed, and never bring the engine down.
    #[test]
    fn damaged_logs_do_no_harm(bytes in prop::collection::vec(0..12_u8, 0..12)) {
        let program = example_2();
        for wire in [Wire::Lean, Wire::Full] {
            let log = RunLog { wire, bytes: &bytes, ..log(&program) };
            match (decode(&log), replay(&log, &ReleaseRules::default(), &[])) {
                (Ok(decoded), Ok(replayed)) => prop_assert_eq!(decoded.ending, replayed.ending),
                (Ok(_), Err(error)) => {
                    let is_event = matches!(error, ReplayError::Event { .. });
                    prop_assert!(is_event);
                }
                (Err(error), replayed) => {
                    prop_assert!(replayed.is_err(), "{error}");
                }
            }
        }
    }
}

/// The places of a run in the first modules are noted on demand.
#[test]
fn places_are_noted_only_for_the_modules_that_are_asked_for() {
    let program = example_2();
    let marks = |modules| {
        let replayed = replay_until(
            &log(&program),
            &ReleaseRules::default(),
            &[],
            modules,
            &|| false,
        );
        replayed.expect("the log fits the program").places.sorted()
    };
    assert!(marks(0).is_empty());
    let marks = marks(1);
    assert!(marks.iter().all(|(module, _)| *module == 0));
    let blocks = marks.iter().filter(|it| matches!(it.1, Mark::Block(..)));
    // Two functions, and a clause of each case.
    assert_eq!(blocks.count(), 4);
    let began = marks.iter().filter(|it| matches!(it.1, Mark::Began(_)));
    let ended = marks.iter().filter(|it| matches!(it.1, Mark::Ended(_)));
    assert!(began.count() >= ended.count());
}
