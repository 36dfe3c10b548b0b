//! How machines end: where a finding is if a callback returned what ends its machine, what scripts
//! and tests show then, and which findings are likely.

use end_to_end::erlang::evaluate;
use end_to_end::tool::{Run, Workplace};
use serde_json::Value;

/// Ends in several ways, by what its callbacks return.
const SERVER: &str = "-module(ender).
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2, handle_continue/2, is_small/1]).
init(refuse) -> {stop, refused};
init({later, N}) when is_integer(N) -> {ok, N, {continue, N}};
init(N) when is_integer(N) -> {ok, N}.
handle_continue(7, _) -> seven;
handle_continue(_, N) -> {noreply, N}.
handle_call(quit, _, N) -> {stop, helped(N), bye, N};
handle_call({set, V}, _, _) -> {reply, ok, V};
handle_call(_, _, N) -> {reply, N, N}.
handle_cast(leave, N) -> {stop, bad, N};
handle_cast(go, 5) -> {stop, bad, 5};
handle_cast(_, N) -> {noreply, N}.
helped(N) when N > 3 -> bad;
helped(_) -> worse.
is_small(N) when N < 100 -> true;
is_small(500) -> error(too_large);
is_small(_) -> false.
";

/// Two timers, of which the second is over soon after the first.
const TIMERS: &str = "-module(timers).
-behaviour(gen_statem).
-export([init/1, callback_mode/0, first/3, second/3, third/3]).
callback_mode() -> state_functions.
init(_) -> {ok, first, none}.
first(cast, begin_, D) -> {keep_state, D, {state_timeout, 100, slow}};
first(state_timeout, slow, D) -> {next_state, second, D, {state_timeout, 5, fast}};
first(_, _, _) -> keep_state_and_data.
second(state_timeout, fast, D) -> {next_state, third, D};
second(_, _, _) -> keep_state_and_data.
third(_, _, _) -> keep_state_and_data.
";

fn workplace() -> Workplace {
    let place = Workplace::new(env!("CARGO_BIN_EXE_erlconcolic-under-test"));
    place.with(&[("ender.erl", SERVER), ("timers.erl", TIMERS)])
}

fn explore(place: &Workplace, module: &str, options: &[&str]) -> Run {
    let file = format!("{module}.erl");
    let fixed = ["explore", &file, "--machine", module, "--quiet"];
    place.run(&[&fixed[..], options].concat())
}

fn report(place: &Workplace, options: &[&str]) -> Value {
    let run = explore(place, "ender", &[options, &["--format", "json"]].concat());
    serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{run:?}"))
}

fn findings(report: &Value) -> Vec<&Value> {
    let findings = report["findings"].as_array();
    findings.into_iter().flatten().collect()
}

#[test]
fn a_finding_is_where_a_callback_returned_the_end() {
    let place = workplace();
    let report = report(&place, &["--length", "2"]);
    let places = findings(&report);
    let places = places.iter().filter(|it| it["class"] == "exit");
    let mut places: Vec<(i64, &str)> = places
        .filter_map(|it| Some((it["line"].as_i64()?, it["reason"].as_str()?)))
        .collect();
    places.sort_unstable();
    // The reason at line 9 comes from a function that the callback called.
    let expected = [
        (7, "{bad_return_value,seven}"),
        (9, "bad"),
        (9, "worse"),
        (12, "bad"),
        (13, "bad"),
    ];
    assert_eq!(places, expected, "{report:#}");
    for finding in findings(&report) {
        assert_eq!(finding["confirmed_on"], "code", "{finding:#}");
    }
}

#[test]
fn transitions_to_the_end_name_the_event_that_led_there() {
    let place = workplace();
    let report = report(&place, &["--length", "1"]);
    let transitions = report["machine"]["transitions"].as_array();
    let ends = transitions.into_iter().flatten();
    let ends = ends.filter(|it| it["to"].is_null());
    let mut events: Vec<&str> = ends.filter_map(|it| it["event"].as_str()).collect();
    events.sort_unstable();
    let expected = ["call quit", "cast go", "cast leave", "continue integer()"];
    assert_eq!(events, expected);
}

#[test]
fn a_script_shows_the_end_of_a_machine_that_has_just_started() {
    let place = workplace();
    let report = report(&place, &["--length", "1"]);
    let finding = findings(&report)
        .into_iter()
        .find(|it| it["reason"] == "{bad_return_value,seven}");
    let script = finding.and_then(|it| it["script"].as_str());
    let script = script.expect("there is a script");
    let shell = format!(
        "{{ok, ender}} = compile:file(ender), logger:set_primary_config(level, none), \
         {{ok, Tokens, _}} = erl_scan:string({script:?}), \
         {{ok, Expressions}} = erl_parse:parse_exprs(Tokens), \
         {{value, Why, _}} = erl_eval:exprs(Expressions, []), \
         io:format(\"~0p\", [Why]), halt()."
    );
    let shown = evaluate(&place.path(""), &shell).text;
    assert_eq!(shown.trim(), "{bad_return_value,seven}", "{script}");
}

#[test]
fn reports_for_ci_have_the_script() {
    let place = workplace();
    for (format, line_end) in [("junit", "\n"), ("github", "%0A")] {
        let run = explore(&place, "ender", &["--length", "1", "--format", format]);
        let script =
            format!("reproduce with:{line_end}{{ok, Pid}} = gen_server:start(ender, 5, [])");
        assert!(run.stdout.contains(&script), "{run:?}");
    }
}

#[test]
fn an_argument_that_nobody_declared_is_unlikely() {
    let place = workplace();
    let report = report(&place, &["--length", "1", "--args", "[{}]"]);
    let unknown = findings(&report)
        .into_iter()
        .find(|it| it["reason"] == "function_clause" && it["line"] == 4);
    assert_eq!(unknown.expect("it is found")["likely"], false);
}

/// Compiles and runs the tests that were written for a machine.
fn check_tests(place: &Workplace, module: &str) {
    let shell = format!(
        "logger:set_primary_config(level, none), {{ok, _}} = compile:file({module}), \
         {{ok, _}} = compile:file({module}_tests, [warnings_as_errors]), \
         ok = eunit:test({module}_tests), halt()."
    );
    let finished = evaluate(&place.path(""), &shell);
    assert_eq!(finished.status, 0, "{}", finished.text);
}

#[test]
fn tests_pass_on_the_real_machine() {
    let place = workplace();
    let options = ["--invariant", "ender:is_small/1", "--length", "2"];
    let file = ["--eunit", "ender_tests.erl"];
    let run = explore(&place, "ender", &[&options[..], &file].concat());
    assert_eq!(run.status, 1, "{run:?}");
    let tests = place.read("ender_tests.erl");
    for expected in [
        "?assertMatch({error, _}, gen_server:start(ender, refuse, []))",
        "{ok, {Pid, Ref}} = gen_server:start_monitor(ender, {later,7}, [])",
        "?assertNotEqual(true, ender:is_small(sys:get_state(Pid)))",
        "?assertException(error, too_large, ender:is_small(sys:get_state(Pid)))",
    ] {
        assert!(tests.contains(expected), "{expected}: {tests}");
    }
    assert!(!tests.contains("ended in another way"), "{tests}");
    check_tests(&place, "ender");
}

#[test]
fn timers_that_are_close_to_each_other_are_not_tested() {
    let place = workplace();
    let run = explore(&place, "timers", &["--eunit", "timers_tests.erl"]);
    assert_eq!(run.status, 0, "{run:?}");
    let tests = place.read("timers_tests.erl");
    let skipped =
        "a timer may be over before its next event:\n%% timers: init(0), cast begin_, timeout\n";
    assert!(tests.contains(skipped), "{tests}");
    let third = "timer:sleep(150),\n    timer:sleep(55),\n    ?assertEqual({third,none}";
    assert!(tests.contains(third), "{tests}");
    check_tests(&place, "timers");
}
