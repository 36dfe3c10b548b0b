//! The receives of OTP mean the same where the gate controls them.
//!
//! The Erlang half, `erlang_tools/otp_receives`, makes a module of all receives of some applications:
//! functions with their patterns and guards, and tests that call them with messages.

use std::ffi::OsString;
use std::fs;
use std::path::Path;

use end_to_end::erlang::{compile_folders, erlc, run_main, temporary_folder};
use end_to_end::exploring::Explored;
use end_to_end::tool::no_project;
use erlang_term::{Atom, Term};
use erlconcolic::beam::{Beam, ProcessModel};
use erlconcolic::worker::{Limits, Outcome, Worker};
use flattener::flat::{FunctionId, Operation};
use instrumenter::instrument;
use trace_format::{Wire, body_name};

const APPLICATIONS: [&str; 2] = ["stdlib", "kernel"];
const MODULE: &str = "all_receives";

/// Fewer than Debian's OTP 25 has there.
const FEWEST_RECEIVES: usize = 200;

fn limits(milliseconds: u64) -> Limits {
    Limits {
        milliseconds,
        heap_words: 16 * 1024 * 1024,
        allowed: Vec::new(),
    }
}

/// How a run ended, without pids.
fn ending(outcome: &Outcome) -> String {
    let text = format!("{outcome:?}");
    let mut parts = text.split("<0.");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let rest = part.split_once('>').map_or(part, |it| it.1);
        out.push_str("<pid>");
        out.push_str(rest);
    }
    out
}

#[test]
fn receives_of_otp_mean_the_same_under_the_gate_and_outside() {
    let tools = compile_folders(&["erlang_tools"]);
    let folder = temporary_folder();
    let source = folder.path().join(format!("{MODULE}.erl"));
    let mut arguments = vec![source.clone().into_os_string()];
    arguments.extend(APPLICATIONS.map(OsString::from));
    let made = run_main(tools.path(), "otp_receives", &arguments);
    assert_eq!(made.status, 0, "{}", made.text);
    let receives: usize = made.text.trim().parse().expect("a number");
    assert!(receives >= FEWEST_RECEIVES, "only {receives}");

    let explored = Explored::new(source.clone());
    // One more is the function that empties the mailbox.
    assert_eq!(controlled(&explored), receives + 1);
    let tests = tests(&explored);
    assert!(tests.len() > 3 * receives);
    let worker = || Worker::new(&explored.program, explored.beams().to_vec(), no_project());
    let mut under_the_gate = worker();
    let mut outside = worker().with_processes(ProcessModel {
        is_controlled: false,
        ..ProcessModel::default()
    });
    let mut original = Worker::for_original_code(original_code(&source), no_project());
    let module = Atom::new(MODULE);
    let (mut returned, mut timed_out) = (0, 0);
    for test in &tests {
        let none = || Term::list([]);
        let body = body_name(test);
        let run = under_the_gate.run(explored.loaded_as(), &body, none(), &limits(60_000));
        let gate = run.expect("it can be run").outcome;
        if matches!(gate, Outcome::Deadlock { .. }) {
            // None of the messages matches, so it would wait for ever elsewhere.
            continue;
        }
        returned += usize::from(matches!(gate, Outcome::Ok(_)));
        let expected = ending(&gate);
        timed_out += usize::from(expected.contains("{timeout,"));
        let run = outside.run(explored.loaded_as(), &body, none(), &limits(60_000));
        let free = run.expect("it can be run").outcome;
        assert_eq!(ending(&free), expected, "{test:?} outside");
        let run = original.run(&module, &test.name, none(), &limits(60_000));
        let original = run.expect("it can be run").outcome;
        assert_eq!(ending(&original), expected, "{test:?} in the original code");
    }
    assert!(
        returned > 2 * receives,
        "only {returned} of {}",
        tests.len()
    );
    assert!(timed_out > 0);
}

/// How many receives the gate controls.
fn controlled(explored: &Explored) -> usize {
    let module = instrument(&explored.program, 0, Wire::Lean).expect("it is there");
    let asks = |operation: &Operation| {
        let Operation::Call { name, .. } = operation else {
            return false;
        };
        name.as_literal().and_then(Term::as_atom) == Some("wait_time")
    };
    let statements = module.statements();
    statements.filter(|it| asks(&it.operation)).count()
}

/// The tests of the module.
fn tests(explored: &Explored) -> Vec<FunctionId> {
    let module = explored.program.module(0).expect("one module");
    let exports = module.flat.exports.iter();
    let tests = exports.filter(|it| it.name.as_str().starts_with('t') && it.arity == 0);
    tests.cloned().collect()
}

/// The module without instrumentation.
fn original_code(source: &Path) -> Vec<Beam> {
    let folder = temporary_folder();
    erlc(folder.path(), ["+nowarn_unused_vars"], &[source]);
    let path = folder.path().join(format!("{MODULE}.beam"));
    vec![Beam {
        name: Atom::new(MODULE),
        code: fs::read(path).expect("it was compiled"),
    }]
}
