//! Programs that do their worst: each run ends as it should, and the next run in the same worker
//! is like one in a fresh worker.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::time::Instant;

use end_to_end::erlang::package_path;
use end_to_end::tool::Workplace;
use erlang_term::{Atom, Term};
use erlconcolic::front_end::{FrontEnd, Settings};
use erlconcolic::instrumented::{Instrumented, instrument};
use erlconcolic::worker::{Limits, Outcome, Run, Worker};
use flattener::flat::FunctionId;
use insta::assert_snapshot;
use trace_format::{Wire, body_name};

/// How much a worker may have grown in the end.
const MOST_GROWTH: i64 = 300_000_000;

/// The hostile modules, instrumented.
struct Programs {
    instrumented: Instrumented,
    configuration: Term,
}

impl Programs {
    fn new() -> Self {
        let folder = package_path("erlang_samples/hostile");
        let mut sources: Vec<PathBuf> = fs::read_dir(folder)
            .expect("the samples are there")
            .map(|entry| entry.expect("the folder can be read").path())
            .collect();
        sources.sort_unstable();
        let front_end = FrontEnd::with_settings(Settings::default());
        let loaded = front_end.load(&sources).expect("the modules compile");
        let flat = loaded.into_iter().map(|module| module.flatten());
        let flat = flat.collect::<Result<Vec<_>, _>>().expect("programs");
        Self {
            instrumented: instrument(&front_end, flat, Wire::Full).expect("Erlang is here"),
            configuration: front_end.configuration(&sources),
        }
    }

    fn worker(&self) -> Worker {
        Worker::new(
            &self.instrumented.program,
            self.instrumented.beams.clone(),
            self.configuration.clone(),
        )
    }

    /// The exported functions without parameters of a module, in the order of its text.
    fn functions(&self, module: &str) -> Vec<String> {
        let modules = self.instrumented.program.modules();
        let found = modules.iter().find(|it| it.name.as_str() == module);
        let exports = &found.expect("there is such a module").flat.exports;
        let own = |id: &&FunctionId| id.arity == 0 && id.name.as_str() != "module_info";
        let names = exports.iter().filter(own);
        names.map(|id| id.name.as_str().to_owned()).collect()
    }
}

fn run(worker: &mut Worker, module: &str, function: &str, arguments: Vec<Term>, time: u64) -> Run {
    let id = FunctionId {
        name: Atom::new(function),
        arity: u32::try_from(arguments.len()).expect("a few arguments"),
    };
    let limits = Limits {
        milliseconds: time,
        heap_words: 20_000_000,
        allowed: Vec::new(),
    };
    let run = worker.run(
        &Atom::new(module),
        &body_name(&id),
        Term::list(arguments),
        &limits,
    );
    run.unwrap_or_else(|failure| panic!("{module}:{function}: {:?}", failure.0))
}

/// The results of two ordinary runs: the first looks around in the node, the second is shown
/// whole.
fn ordinary(worker: &mut Worker) -> (Outcome, String, Outcome, Vec<Vec<u8>>) {
    let list = Term::list([1, 2, 3].map(|it: i64| Term::Integer(it.into())));
    let first = run(worker, "hostile", "ordinary", vec![list.clone()], 60_000);
    let second = run(worker, "hostile", "quiet", vec![list], 60_000);
    (first.outcome, first.output, second.outcome, second.logs)
}

fn memory(worker: &mut Worker) -> i64 {
    let outcome = run(worker, "hostile", "memory", Vec::new(), 60_000).outcome;
    let Outcome::Ok(bytes) = outcome else {
        panic!("{outcome:?}")
    };
    bytes.parse().expect("a number")
}

/// An outcome in a few words, without the parts that change from run to run.
fn summary(outcome: &Outcome) -> String {
    let text = match outcome {
        Outcome::Ok(value) => format!("ok {value}"),
        Outcome::Exception { class, reason, .. } => format!("{class} {reason}"),
        Outcome::Timeout => "timeout".to_owned(),
        // Which limit is reached first depends on the clock.
        Outcome::Killed | Outcome::WorkerDied => "killed".to_owned(),
        Outcome::Deadlock { .. } => "deadlock".to_owned(),
        Outcome::Steps => "steps".to_owned(),
        Outcome::Blocked(call) => format!("refused {call}"),
    };
    let mut short = String::new();
    let mut is_inside = false;
    let mut rest = text.chars().peekable();
    while let Some(character) = rest.next() {
        is_inside &= character != '>';
        if !is_inside {
            short.push(character);
        }
        // `<0.1.0>` and `#Ref<...>`, but not `<<1,2>>`.
        let is_binary = short.ends_with("<<") || rest.peek() == Some(&'<');
        is_inside |= character == '<' && !is_binary;
        if short.len() > 60 {
            // Numbers of pids and ports may have some digits more or less.
            let length = text.chars().count() / 100 * 100;
            return format!("{short}... (about {length} characters)");
        }
    }
    short
}

/// How a function is called.
const WAYS: [&str; 2] = ["", "in_process"];
const MORE_WAYS: [&str; 4] = ["", "by_fun", "by_name", "in_process"];

/// Runs each function of a module in several ways, with an ordinary run after each. Returns how
/// they ended, the last way apart. Functions that do not end are named, and get little time.
fn check(module: &str, endless: &[&str], ways: &[&str]) -> String {
    let programs = Programs::new();
    let expected = ordinary(&mut programs.worker());
    let mut worker = programs.worker();
    assert_eq!(ordinary(&mut worker), expected);
    let before = memory(&mut worker);
    let mut lines = String::new();
    for function in programs.functions(module) {
        let is_endless = endless.contains(&function.as_str());
        let time = if is_endless { 300 } else { 60_000 };
        let mut summaries = Vec::new();
        for way in ways {
            let outcome = if way.is_empty() {
                run(&mut worker, module, &function, Vec::new(), time).outcome
            } else {
                let arguments = vec![Term::atom(module), Term::atom(&function)];
                run(&mut worker, "hostile", way, arguments, time).outcome
            };
            summaries.push(summary(&outcome));
            let after = ordinary(&mut worker);
            assert_eq!(after, expected, "after {module}:{function}, {way}");
        }
        let in_process = summaries.pop().unwrap_or_default();
        summaries.dedup();
        let direct = summaries.join(" | ");
        writeln!(lines, "{function}: {direct}; in a process: {in_process}").expect("a string");
    }
    let grown = memory(&mut worker) - before;
    assert!(grown < MOST_GROWTH, "the worker has {grown} bytes more");
    lines
}

/// Modules, with their functions that do not end.
const OUTPUT: (&str, &[&str]) = (
    "hostile_output",
    &["prints_what_never_comes", "prints_without_end"],
);
const PROCESSES: (&str, &[&str]) = ("hostile_processes", &["bomb", "busy", "traps"]);
const MEMORY: (&str, &[&str]) = ("hostile_memory", &[]);
const LOOPS: (&str, &[&str]) = (
    "hostile_loops",
    &[
        "allocates",
        "backtracks",
        "catches",
        "forever",
        "in_after",
        "logs",
        "matches",
        "multiplies",
        "receives",
        "reverses",
        "sleeps",
    ],
);
const NODE: (&str, &[&str]) = ("hostile_node", &[]);
const RESULTS: (&str, &[&str]) = ("hostile_results", &[]);

#[test]
#[ignore = "takes a minute; `make slow-tests` runs it"]
fn programs_that_print_too_much() {
    assert_snapshot!(check(OUTPUT.0, OUTPUT.1, &WAYS));
}

#[test]
fn programs_that_leave_processes_behind() {
    assert_snapshot!(check(PROCESSES.0, PROCESSES.1, &WAYS));
}

#[test]
#[ignore = "takes a minute; `make slow-tests` runs it"]
fn programs_that_take_all_memory() {
    assert_snapshot!(check(MEMORY.0, MEMORY.1, &WAYS));
}

#[test]
#[ignore = "takes a minute; `make slow-tests` runs it"]
fn programs_that_do_not_end() {
    assert_snapshot!(check(LOOPS.0, LOOPS.1, &WAYS));
}

#[test]
fn programs_that_change_their_node() {
    assert_snapshot!(check(NODE.0, NODE.1, &WAYS));
}

#[test]
fn programs_that_end_in_odd_ways() {
    assert_snapshot!(check(RESULTS.0, RESULTS.1, &WAYS));
}

#[test]
#[ignore = "takes minutes"]
fn hostile_programs_called_in_other_ways() {
    for (module, endless) in [OUTPUT, PROCESSES, MEMORY, LOOPS, NODE, RESULTS] {
        let few = check(module, endless, &WAYS);
        let more = check(module, endless, &MORE_WAYS);
        assert_eq!(few, more, "{module}");
    }
}

const NASTY: &str = "\
-module(nasty).
-export([f/1]).

f(1) ->
    [erlang:display(N) || N <- lists:seq(1, 1000)],
    io:put_chars(user, binary:copy(<<\"loud \">>, 10000)),
    io:put_chars(standard_error, binary:copy(<<\"loud \">>, 10000)),
    io:put_chars(lists:duplicate(200000, \"loud \")),
    persistent_term:put(nasty, changed);
f(2) -> erlang:halt();
f(3) -> f(3);
f(4) -> binaries([]);
f(5) -> lists:seq(1, 1000000);
f(6) -> application:set_env(nasty, nasty, erlang:send_after(1, name, late));
f(7) -> exit(whereis(user), kill);
f(_) -> {persistent_term:get(nasty, none), application:get_env(nasty, nasty)}.

binaries(List) -> binaries([zeros(100000000) | List]).

zeros(Bytes) -> <<0:(8 * Bytes)>>.
";

#[test]
#[ignore = "takes a minute; `make slow-tests` runs it"]
fn a_search_goes_on_after_the_worst() {
    let place = Workplace::new(env!("CARGO_BIN_EXE_erlconcolic-under-test"));
    let place = place.with(&[("nasty.erl", NASTY)]);
    let options = [
        "--workers",
        "1",
        "--run-timeout",
        "5000",
        "--timeout",
        "240",
        "--format",
        "json",
    ];
    let seeds = (1..=7).flat_map(|number| ["--args".to_owned(), format!("[{number}]")]);
    let seeds: Vec<String> = seeds.collect();
    let seeds: Vec<&str> = seeds.iter().map(String::as_str).collect();
    let fixed = ["explore", "nasty.erl", "--entry", "f/1"];
    let run = place.run(&[&fixed[..], &options, &seeds].concat());
    assert_eq!(run.status, 1, "{}", run.stderr);
    let report: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON and no more");
    let tests = report["tests"].as_array().expect("a list");
    let mut lines: Vec<String> = tests
        .iter()
        .map(|test| {
            let result = test["result"].as_str().unwrap_or_default();
            assert!(result.len() < 20_000, "{}", test["args"]);
            let short: String = result.chars().take(40).collect();
            // Which limit is reached first depends on the machine.
            let outcome = test["outcome"].as_str().unwrap_or_default();
            let outcome = outcome.replace("killed", "timeout");
            format!("{} {outcome} {short}", test["args"])
        })
        .collect();
    lines.sort_unstable();
    lines.dedup();
    assert_snapshot!(lines.join("\n"));
}

/// `hd` of one element of a long tuple: integers, lists and atoms by turns.
fn long_tuple(size: usize) -> String {
    let elements = (1..=size).map(|number| match number % 3 {
        0 => number.to_string(),
        1 => format!("[{number}]"),
        _ => format!("a{number}"),
    });
    let elements: Vec<String> = elements.collect();
    let tuple = elements.join(",");
    format!("-module(long).\n-export([f/1]).\nf(X) -> hd(element(X, {{{tuple}}})).\n")
}

#[test]
fn a_long_tuple_of_mixed_elements_is_searched_within_the_timeout() {
    for size in [500, 20_000] {
        let place = Workplace::new(env!("CARGO_BIN_EXE_erlconcolic-under-test"));
        let place = place.with(&[("long.erl", &long_tuple(size))]);
        let fixed = ["explore", "long.erl", "--entry", "f/1", "--format", "json"];
        let start = Instant::now();
        let run = place.run(&[&fixed[..], &["--timeout", "30"]].concat());
        assert_eq!(run.status, 1, "{size} elements: {}", run.stderr);
        let report: serde_json::Value = serde_json::from_str(&run.stdout).expect("a report");
        let tests = report["tests"].as_array().expect("a list");
        assert!(!tests.is_empty(), "{size} elements");
        let seconds = start.elapsed().as_secs();
        assert!(seconds < 120, "{size} elements took {seconds} s");
    }
}
