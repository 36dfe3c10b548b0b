//! Machines: sequences of events for a `gen_server` or a `gen_statem`.

use std::fs;

use end_to_end::erlang::{erlang_files, evaluate, package_path};
use end_to_end::machine_comments::{BrokenMachine, breaking_sequences};
use end_to_end::tool::{Run, Workplace};
use serde_json::{Value, json};

fn workplace() -> Workplace {
    let place = Workplace::new(env!("CARGO_BIN_EXE_erlconcolic-under-test"));
    let sources = erlang_files(&package_path("erlang_samples/machines"));
    let samples = erlang_files(&package_path("../samples/machines"));
    sources
        .into_iter()
        .chain(samples)
        .fold(place, |place, path| {
            let name = path
                .file_name()
                .expect("a file has a name")
                .display()
                .to_string();
            let text = fs::read_to_string(&path).expect("the machine can be read");
            place.with(&[(&name, &text)])
        })
}

fn explore(place: &Workplace, module: &str, options: &[&str]) -> Run {
    let file = format!("{module}.erl");
    let fixed = ["explore", &file, "--machine", module, "--quiet"];
    place.run(&[&fixed[..], options].concat())
}

fn report(place: &Workplace, module: &str, options: &[&str]) -> Value {
    let run = explore(place, module, &[options, &["--format", "json"]].concat());
    serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{module}: {run:?}"))
}

fn texts(value: &Value) -> Vec<&str> {
    let list = value.as_array().map_or(&[][..], Vec::as_slice);
    list.iter().filter_map(Value::as_str).collect()
}

fn findings(report: &Value) -> Vec<&Value> {
    report["findings"]
        .as_array()
        .into_iter()
        .flatten()
        .collect()
}

/// The reasons of findings, without the values in them.
fn reasons(report: &Value) -> Vec<String> {
    let reasons = findings(report).into_iter().map(|it| {
        let class = it["class"].as_str().unwrap_or("-");
        let reason = it["reason"].as_str().unwrap_or("-");
        format!("{class} {}", without_digits(reason))
    });
    let mut reasons: Vec<String> = reasons.collect();
    reasons.sort();
    reasons
}

fn without_digits(text: &str) -> String {
    text.chars().filter(|it| !it.is_ascii_digit()).collect()
}

#[test]
fn a_door_is_opened_by_the_fourth_code() {
    let place = workplace();
    let report = report(&place, "door", &[]);
    assert_eq!(report["entry"], "door (gen_statem)");
    assert_eq!(report["complete"], true);
    assert_eq!(report["stats"]["divergences"], 0);
    assert_eq!(reasons(&report), ["error badarith", "error {badkey,tries}"]);
    for finding in findings(&report) {
        assert_eq!(finding["confirmed"], true, "{finding}");
        assert_eq!(finding["likely"], true, "{finding}");
    }
    let slow = findings(&report)
        .into_iter()
        .find(|it| it["reason"] == "badarith");
    let events = texts(&slow.expect("it was found")["events"]);
    assert_eq!(events.len(), 5, "{events:?}");
    assert!(
        events[1..].iter().all(|it| it.starts_with("cast {code,")),
        "{events:?}"
    );
    assert!(events[..4].iter().all(|it| *it != events[4]), "{events:?}");
}

#[test]
fn states_and_transitions_are_told() {
    let place = workplace();
    let report = report(&place, "door", &["--length", "3"]);
    let machine = &report["machine"];
    assert_eq!(machine["module"], "door");
    assert_eq!(machine["states"], json!(["locked", "open"]));
    let transitions = machine["transitions"].as_array().expect("a list");
    let shown = |from: &str, event: &str, to: &str| {
        let mut transitions = transitions.iter();
        transitions.any(|it| it["from"] == from && it["event"] == event && it["to"] == to)
    };
    assert!(shown("locked", "cast {code,integer()}", "open"));
    assert!(shown("locked", "cast {code,integer()}", "locked"));
    assert!(shown("open", "timeout state_timeout", "locked"));
    assert!(shown("open", "cast slam", "locked"));
    assert!(!shown("locked", "cast slam", "open"));
    let locking = transitions
        .iter()
        .find(|it| it["event"] == "timeout state_timeout");
    let shortest = texts(&locking.expect("it was found")["shortest"]);
    assert_eq!(shortest.len(), 3);
    assert_eq!(shortest[2], "timeout state_timeout");
}

#[test]
fn a_script_shows_the_crash_in_a_shell() {
    let place = workplace();
    let report = report(&place, "door", &[]);
    for finding in findings(&report) {
        let script = finding["script"].as_str().expect("there is a script");
        let reason = finding["reason"].as_str().expect("there is a reason");
        let shell = format!(
            "{{ok, door}} = compile:file(door), logger:set_primary_config(level, none), \
             {{ok, Tokens, _}} = erl_scan:string({script:?}), \
             {{ok, Expressions}} = erl_parse:parse_exprs(Tokens), \
             {{value, {{Why, _}}, _}} = erl_eval:exprs(Expressions, []), \
             io:format(\"~0p\", [Why]), halt()."
        );
        assert_eq!(evaluate(&place.path(""), &shell).text.trim(), reason);
    }
}

#[test]
#[ignore = "takes a minute; `make slow-tests` runs it"]
fn planted_bugs_of_the_samples_are_found() {
    let place = workplace();
    for path in erlang_files(&package_path("../samples/machines")) {
        let module = path.file_stem().expect("a name").display().to_string();
        let source = fs::read_to_string(&path).expect("the sample can be read");
        let mut expected = Vec::new();
        let mut options = vec!["--length".to_owned(), "4".to_owned()];
        for sequence in breaking_sequences(&source) {
            expected.push(match sequence.end {
                BrokenMachine::Raised { class, reason, .. } => {
                    format!("{class} {}", without_digits(&reason))
                }
                BrokenMachine::Invariant { function } => {
                    let invariant = format!("{module}:{function}/1");
                    options.extend(["--invariant".to_owned(), invariant]);
                    "error {invariant,".to_owned()
                }
            });
        }
        expected.sort();
        options.extend(["--max-runs", "1500", "--timeout", "600"].map(str::to_owned));
        let options: Vec<&str> = options.iter().map(String::as_str).collect();
        let report = report(&place, &module, &options);
        let found = reasons(&report);
        assert_eq!(
            found.len(),
            expected.len(),
            "{module}: {found:?}, not {expected:?}"
        );
        for (found, expected) in found.iter().zip(&expected) {
            assert!(
                found.starts_with(expected),
                "{module}: {found}, not {expected}"
            );
        }
        for finding in findings(&report) {
            assert_eq!(finding["confirmed"], true, "{module}: {finding}");
        }
        assert_eq!(report["stats"]["divergences"], 0, "{module}");
    }
}

#[test]
fn an_invariant_is_asked_after_each_event() {
    let place = workplace();
    let options = [
        "--invariant",
        "tally:is_fine/1",
        "--state-of",
        "tally:sign/1",
    ];
    let report = report(
        &place,
        "tally",
        &[&options[..], &["--events", "tally:event/0"]].concat(),
    );
    assert_eq!(reasons(&report), ["error {invariant,{tally,is_fine,},-}"]);
    let finding = findings(&report)[0];
    assert_eq!(texts(&finding["events"]).len(), 3);
    let script = finding["script"].as_str().unwrap_or_default();
    assert!(
        script.ends_with("tally:is_fine(sys:get_state(Pid))."),
        "{script}"
    );
    let mut states = texts(&report["machine"]["states"]);
    states.sort_unstable();
    assert_eq!(states, ["negative", "positive", "zero"]);
}

#[test]
fn a_declared_type_narrows_events() {
    let place = workplace();
    let report = report(
        &place,
        "tally",
        &["--events", "tally:event/0", "--length", "2"],
    );
    assert_eq!(report["complete"], true);
    assert_eq!(reasons(&report), [""; 0]);
    let tests = report["tests"].as_array().expect("there are tests");
    let events = tests.iter().flat_map(|it| texts(&it["events"]));
    for event in events {
        let is_declared = ["init([])", "cast reset", "timeout"].contains(&event)
            || event.starts_with("call {add,");
        assert!(is_declared, "{event}");
    }
}

#[test]
fn events_that_nobody_declared_are_unlikely() {
    let place = workplace();
    let report = report(&place, "tally", &["--length", "1"]);
    let unknown = findings(&report);
    let unknown = unknown
        .iter()
        .filter(|it| it["reason"] == "function_clause");
    let likely: Vec<&Value> = unknown.map(|it| &it["likely"]).collect();
    assert_eq!(likely.len(), 2);
    assert_eq!(likely.iter().filter(|it| **it == false).count(), 2);
}

#[test]
fn conditions_see_the_argument_the_events_and_the_result() {
    let place = workplace();
    let options = [
        "--pre",
        "tally:begins_without_timeout/2",
        "--post",
        "tally:has_few_replies/1",
        "--events",
        "tally:event/0",
        "--args",
        "[[], {call, {add, 1}}]",
    ];
    let report = report(&place, "tally", &options);
    let tests = report["tests"].as_array().expect("there are tests");
    assert!(tests.iter().all(|it| it["events"][1] != "timeout"));
    let found = reasons(&report);
    assert!(
        found
            .iter()
            .all(|it| it.starts_with("error {postcondition,")),
        "{found:?}"
    );
    assert!(!found.is_empty());
}

#[test]
fn a_timer_that_takes_an_hour_is_confirmed_by_its_play() {
    let place = workplace();
    let report = report(&place, "clock", &["--length", "2"]);
    let crash = findings(&report)
        .into_iter()
        .find(|it| it["reason"] == "badarith");
    let crash = crash.unwrap_or_else(|| panic!("{report:#}"));
    assert_eq!(crash["confirmed_on"], "schedule");
    assert_eq!(
        texts(&crash["events"]).last(),
        Some(&"timeout state_timeout")
    );
}

#[test]
fn tests_for_eunit_are_scripts() {
    let place = workplace();
    let run = explore(&place, "door", &["--eunit", "door_tests.erl"]);
    assert_eq!(run.status, 1, "{run:?}");
    let tests = place.read("door_tests.erl");
    assert!(tests.contains("gen_statem:start(door, 0, [])"), "{tests}");
    assert!(tests.contains("sys:get_state(Pid)"), "{tests}");
    let shell = "logger:set_primary_config(level, none), {ok, door} = compile:file(door), \
         {ok, door_tests} = compile:file(door_tests, [warnings_as_errors]), \
         ok = eunit:test(door_tests), halt().";
    let finished = evaluate(&place.path(""), shell);
    assert_eq!(finished.status, 0, "{}{tests}", finished.text);
}

#[test]
fn machines_are_among_all_entries() {
    let place = workplace();
    let options = [
        "explore",
        "tally.erl",
        "--all",
        "--format",
        "json",
        "--quiet",
    ];
    let entries = |options: &[&str]| -> Vec<String> {
        let run = place.run(options);
        let report: Value = serde_json::from_str(&run.stdout).expect("a report");
        let entries = report["entries"].as_array().expect("entries").iter();
        entries
            .filter_map(|it| Some(it["entry"].as_str()?.to_owned()))
            .collect()
    };
    let machine = "tally (gen_server)".to_owned();
    assert!(entries(&options).contains(&machine));
    assert!(!entries(&[&options[..], &["--no-machines"]].concat()).contains(&machine));
}

/// The only run ends with the time of the search, so nobody knows what `init/1` returns.
#[test]
fn a_search_without_time_does_not_say_that_a_machine_never_starts() {
    let source = "-module(slow).\n-behaviour(gen_server).\n\
         -export([init/1, handle_call/3, handle_cast/2]).\n\
         init(_) -> spin(1000000000).\n\
         spin(0) -> {ok, []};\n\
         spin(N) -> spin(N - 1).\n\
         handle_call(_, _, State) -> {reply, ok, State}.\n\
         handle_cast(_, State) -> {noreply, State}.\n";
    let place = workplace().with(&[("slow.erl", source)]);
    let limits = ["--timeout", "8", "--run-timeout", "60000"];
    let run = explore(&place, "slow", &limits);
    assert!(!run.stderr.contains("never-starts"), "{run:?}");
}

#[test]
fn bad_input_is_explained() {
    let place = workplace();
    for (module, options, code) in [
        ("stopper", &[][..], "never-starts"),
        ("tally", &["--events", "tally:nothing/0"], "bad-events"),
        ("tally", &["--events", "tally"], "bad-events"),
        ("tally", &["--invariant", "tally:is_fine/2"], "no-entry"),
        (
            "tally",
            &["--invariant", "tally:handle_cast/2"],
            "bad-condition",
        ),
        ("tally", &["--args", "[]"], "bad-arguments"),
        ("tally", &["--args", "[[], get]"], "bad-arguments"),
        (
            "tally",
            &["--length", "1", "--args", "[[], timeout, timeout]"],
            "bad-arguments",
        ),
    ] {
        let run = explore(&place, module, options);
        assert_eq!(run.status, 2, "{module} {options:?}: {run:?}");
        assert!(run.stderr.contains(&format!("[{code}]")), "{run:?}");
    }
    for length in ["0", "201"] {
        let run = explore(&place, "tally", &["--length", length]);
        assert_eq!(run.status, 2, "{run:?}");
        assert!(run.stderr.contains("[bad-length]"), "{run:?}");
    }
    let place = place.with(&[(
        "plain.erl",
        "-module(plain).\n-export([f/1]).\nf(X) -> X.\n",
    )]);
    let run = explore(&place, "plain", &[]);
    assert!(run.stderr.contains("[no-machine]"), "{run:?}");
}
