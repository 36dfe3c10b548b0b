//! `erlconcolic explore` as a user meets it.

use std::collections::BTreeSet;
use std::fs;
use std::io::Read;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use end_to_end::erlang::package_path;
use end_to_end::tool::Workplace;
use insta::assert_snapshot;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

const MANY: &str = "\
-module(many).
-export([count/1]).

count([{add, N} | Rest]) when N > 3 -> 1 + count(Rest);
count([sub | Rest]) -> count(Rest) - 1;
count([stop | _]) -> 0;
count([]) -> 0.
";

const CLAUSES: &str = "\
-module(clauses).
-export([p/1]).

p({f, a}) -> one;
p({f, X}) -> q(X).

q(b) -> two.
";

fn workplace() -> Workplace {
    let read = |name: &str| {
        let path = package_path("../samples/paper").join(name);
        fs::read_to_string(path).expect("the sample is there")
    };
    Workplace::new(env!("CARGO_BIN_EXE_erlconcolic-under-test")).with(&[
        ("figure5.core", &read("figure5.core")),
        ("app.erl", &read("app.erl")),
        ("many.erl", MANY),
        ("clauses.erl", CLAUSES),
    ])
}

/// The report of a search, which ends with this status.
fn report(place: &Workplace, status: i32, arguments: &[&str]) -> Value {
    let arguments = [&["explore"], arguments, &["--format", "json"]].concat();
    let run = place.run(&arguments);
    assert_eq!(run.status, status, "{run:?}");
    serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {run:?}"))
}

/// The arguments of all tests that end in this way, as one text each.
fn inputs(report: &Value, outcome: &str) -> Vec<String> {
    let tests = report["tests"].as_array().expect("tests are a list");
    let chosen = tests.iter().filter(|test| test["outcome"] == outcome);
    chosen.map(|test| test["args"].to_string()).collect()
}

/// A report without the parts that differ from run to run.
fn lasting(mut report: Value) -> Value {
    let statistics = report.get_mut("stats").and_then(Value::as_object_mut);
    let statistics = statistics.expect("an object");
    statistics.retain(|name, _| !name.ends_with("_ms") && !name.ends_with("_kb"));
    report
}

/// The same without the sources as they were named.
fn of_any_sources(report: Value) -> Value {
    let mut report = lasting(report);
    report.as_object_mut().expect("an object").remove("sources");
    report
}

const FIGURE_5: [&str; 7] = [
    "figure5.core",
    "--entry",
    "main/1",
    "--args",
    "[[a]]",
    "--term-depth",
    "3",
];

#[test]
fn the_paper_program_has_four_tests() {
    let report = report(&workplace(), 0, &FIGURE_5);
    assert_eq!(report["complete"], true);
    assert_eq!(report["findings"], Value::Array(Vec::new()));
    let inputs = inputs(&report, "ok");
    let expected = [r#"["[a]"]"#, r#"["[]"]"#, r#"["[a,0]"]"#, r#"["[a,0,0]"]"#];
    assert_eq!(inputs, expected);
    assert_snapshot!(format!("{:#}", lasting(report)));
}

#[test]
fn the_compiler_adds_a_clause_for_values_that_are_not_lists() {
    let mut arguments = FIGURE_5;
    arguments[0] = "app.erl";
    let report = report(&workplace(), 1, &arguments);
    assert_eq!(report["complete"], true);
    assert_eq!(inputs(&report, "ok").len(), 4);
    let findings = report["findings"].as_array().expect("a list");
    let [finding] = findings.as_slice() else {
        panic!("{findings:?}");
    };
    assert_eq!(finding["reason"], "function_clause");
    assert_eq!(finding["line"], 7);
    assert_eq!(finding["confirmed"], true);
}

#[test]
fn clauses_are_reached_through_negative_constraints_and_no_path_twice() {
    let report = report(&workplace(), 1, &["clauses.erl", "--entry", "p/1"]);
    assert_eq!(report["complete"], true);
    let tests = report["tests"].as_array().expect("a list");
    let paths: BTreeSet<String> = tests
        .iter()
        .map(|test| format!("{} {}", test["trace"], test["outcome"]))
        .collect();
    assert_eq!(paths.len(), tests.len(), "{tests:?}");
    assert_eq!(inputs(&report, "ok"), [r#"["{f,a}"]"#, r#"["{f,b}"]"#]);
    // Neither a tuple `{f, _}`, nor `a` or `b` in it.
    assert_eq!(inputs(&report, "error").len(), 2);
}

#[test]
fn findings_are_shown_with_the_code_and_the_call() {
    let finished = workplace().run(&["explore", "clauses.erl", "--entry", "p/1"]);
    assert_eq!(finished.status, 1, "{finished:?}");
    assert_snapshot!(finished.stdout);
}

#[test]
fn a_build_folder_is_explored() {
    let place = workplace().with(&[("src/many.erl", MANY)]);
    let built = place.run(&["instrument", "src/", "-o", "build/"]);
    assert_eq!(built.status, 0, "{built:?}");
    let from_build = report(&place, 1, &["--entry", "count/1", "--term-depth", "2"]);
    let from_source = ["src", "--entry", "count/1", "--term-depth", "2"];
    let from_source = report(&place, 1, &from_source);
    assert_eq!(of_any_sources(from_build), of_any_sources(from_source));
}

#[test]
fn one_worker_gives_the_same_tests_every_time() {
    let place = workplace();
    for strategy in ["coverage", "dfs", "bfs", "random", "graph"] {
        let arguments = ["many.erl", "--entry", "count/1", "--max-runs", "40"];
        let more = ["--strategy", strategy, "--seed", "7"];
        let arguments = [&arguments[..], &more].concat();
        let first = lasting(report(&place, 1, &arguments));
        assert_eq!(first, lasting(report(&place, 1, &arguments)), "{strategy}");
    }
}

#[test]
fn every_strategy_and_number_of_workers_finds_the_same_paths() {
    let place = workplace();
    let paths = |more: &[&str]| -> BTreeSet<String> {
        let arguments = ["many.erl", "--entry", "count/1", "--term-depth", "4"];
        let report = report(&place, 1, &[&arguments[..], more].concat());
        assert_eq!(report["complete"], true);
        let tests = report["tests"].as_array().expect("a list");
        let path = |test: &Value| format!("{} {}", test["trace"], test["outcome"]);
        tests.iter().map(path).collect()
    };
    let expected = paths(&[]);
    for strategy in ["dfs", "bfs", "random", "graph"] {
        assert_eq!(paths(&["--strategy", strategy]), expected, "{strategy}");
    }
    assert_eq!(paths(&["--workers", "3"]), expected);
}

#[test]
fn shortcuts_change_no_result() {
    let place = workplace();
    let arguments = ["many.erl", "--entry", "count/1", "--term-depth", "4"];
    let result = |more: &[&str]| {
        let mut report = report(&place, 1, &[&arguments[..], more].concat());
        report.as_object_mut().expect("an object").remove("stats");
        report
    };
    let expected = result(&[]);
    for shortcut in ["contradictions", "repetitions", "parent-values", "cache"] {
        assert_eq!(result(&["--without", shortcut]), expected, "{shortcut}");
    }
}

/// Z3 has other values for the same paths.
#[test]
fn z3_alone_finds_the_same_paths_as_our_own_solver() {
    let place = workplace();
    let arguments = ["many.erl", "--entry", "count/1", "--term-depth", "3"];
    let paths = |more: &[&str]| {
        let report = report(&place, 1, &[&arguments[..], more].concat());
        let tests = report["tests"].as_array().expect("a list");
        let path = |test: &Value| test["trace"].to_string();
        let paths: BTreeSet<String> = tests.iter().map(path).collect();
        (paths, report["complete"].clone(), report["stats"].clone())
    };
    let (expected, is_complete, own) = paths(&[]);
    let (found, is_complete_too, z3) = paths(&["--without", "native"]);
    assert_eq!((found, is_complete_too), (expected, is_complete));
    assert_eq!(own["smt"], 0, "{own:#}");
    assert_eq!(z3["smt"], z3["solver_queries"], "{z3:#}");
}

#[test]
fn a_report_says_how_long_reporting_took() {
    let report = report(&workplace(), 1, &["many.erl", "--entry", "count/1"]);
    let time = |name: &str| report["stats"][name].as_u64().expect("a number");
    assert!(time("report_ms") <= time("wall_ms"));
}

#[test]
fn a_search_can_stop_at_the_first_finding() {
    let arguments = [
        "many.erl", "--entry", "count/1", "--args", "[[]]", "--first", "--paths", "all",
    ];
    let report = report(&workplace(), 1, &arguments);
    assert_eq!(report["findings"].as_array().map(Vec::len), Some(1));
    assert_eq!(report["complete"], false);
    assert_eq!(report["incomplete"][0]["code"], "stopped");
}

/// Killed at several moments, and resumed each time.
#[test]
fn a_killed_search_is_resumed_where_it_was() {
    let place = workplace();
    let arguments = ["many.erl", "--entry", "count/1", "--term-depth", "6"];
    let undisturbed = report(&place, 1, &arguments);
    let kept = [&arguments[..], &["--state", "state", "--resume"]].concat();
    let journal = place.path("state/runs.journal");
    let length = || fs::metadata(&journal).map_or(0, |file| file.len());
    for round in 1..5 {
        let enough = length() + round * 1_000;
        let command = [&["explore"], &kept[..]].concat();
        let mut child = place
            .command(&command)
            .stdout(Stdio::null())
            .spawn()
            .expect("the tool can be started");
        while length() < enough && child.try_wait().is_ok_and(|status| status.is_none()) {
            thread::yield_now();
        }
        child.kill().expect("it can be killed");
        child.wait().expect("it ends");
    }
    let resumed = report(&place, 1, &kept);
    assert_eq!(lasting(resumed), lasting(undisturbed));
}

#[test]
fn a_search_that_is_interrupted_prints_its_report() {
    let place = workplace();
    let arguments = [
        "explore",
        "many.erl",
        "--entry",
        "count/1",
        "--term-depth",
        "200",
        "--paths",
        "all",
        "--state",
        "state",
        "--format",
        "json",
    ];
    let child = place
        .command(&arguments)
        .stdout(Stdio::piped())
        .spawn()
        .expect("the tool can be started");
    let journal = place.path("state/runs.journal");
    while fs::metadata(&journal).map_or(0, |file| file.len()) < 5_000 {
        thread::yield_now();
    }
    let id = Pid::from_raw(i32::try_from(child.id()).expect("a process id")).expect("not 0");
    kill_process(id, Signal::INT).expect("it is there");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130));
    let report: Value = serde_json::from_slice(&output.stdout).expect("a report");
    assert_eq!(report["complete"], false);
    assert_eq!(report["incomplete"][0]["code"], "stopped");
}

#[test]
fn a_second_interruption_ends_the_tool_at_once() {
    let endless = "\
-module(endless).
-export([f/1]).

f(X) -> ok = file:write_file(\"started\", []), go_on(X).

go_on(X) -> go_on(X).
";
    let place = workplace().with(&[("endless.erl", endless)]);
    let arguments = [
        "explore",
        "endless.erl",
        "--entry",
        "f/1",
        "--allow",
        "file",
    ];
    let mut child = place
        .command(&[&arguments[..], &["--run-timeout", "300000"]].concat())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the tool can be started");
    while !place.path("started").exists() {
        thread::sleep(Duration::from_millis(20));
    }
    // The run does not end by itself, so the first signal alone does not end the tool.
    let id = Pid::from_raw(i32::try_from(child.id()).expect("a process id")).expect("not 0");
    let start = Instant::now();
    let mut signals = 0;
    let status = loop {
        if let Some(status) = child.try_wait().expect("it can be asked") {
            break status;
        }
        assert!(start.elapsed() < Duration::from_secs(60), "it goes on");
        kill_process(id, Signal::INT).expect("it is there");
        signals += 1;
        thread::sleep(Duration::from_millis(200));
    };
    assert_eq!(status.code(), Some(130));
    assert!(signals >= 2, "it did not wait for the run");
    let mut report = String::new();
    let mut stdout = child.stdout.take().expect("it is piped");
    stdout.read_to_string(&mut report).expect("it is text");
    assert_eq!(report, "");
}

#[test]
fn wrong_use_is_explained() {
    let place = workplace();
    let with_state = [&["explore"], &FIGURE_5[..], &["--state", "state"]].concat();
    assert_eq!(place.run(&with_state).status, 0);
    assert_snapshot!("state_that_exists", place.run(&with_state).failure());
    let mut other = [&with_state[..], &["--resume"]].concat();
    other[1] = "app.erl";
    assert_snapshot!("state_of_another_search", place.run(&other).failure());
    let misspelt = ["explore", "app.erl", "--entry", "mian/1"];
    assert_snapshot!("explore_misspelt_entry", place.run(&misspelt).failure());
    let bad_seed = ["explore", "app.erl", "--entry", "main/1", "--args", "[1,2]"];
    assert_snapshot!("explore_bad_seed", place.run(&bad_seed).failure());
}

#[test]
fn opaque_calls_that_raise_are_reported() {
    let place = workplace().with(&[(
        "unknown.erl",
        "-module(unknown).
-export([apply/1, computed/1, applied/1, dice/1]).
apply(F) -> F(1).
computed(M) -> M:foo().
applied(L) -> erlang:apply(?MODULE, dice, L).
dice(_) -> case rand:uniform(6) of 6 -> error(bug); _ -> ok end.
",
    )]);
    for (entry, seed, what) in [
        ("apply/1", "[fun erlang:abs/1]", "a fun"),
        ("computed/1", "[0]", "a computed call"),
        ("applied/1", "[[0]]", "erlang:apply/3"),
        ("dice/1", "[0]", "rand:uniform/1"),
    ] {
        let arguments = ["unknown.erl", "--entry", entry, "--args", seed];
        let run = place.run(&[&["explore"], &arguments[..], &["--format", "json"]].concat());
        let report: Value = serde_json::from_str(&run.stdout).expect("a report");
        assert_eq!(report["complete"], false, "{entry} {seed}");
        assert_eq!(report["incomplete"][0]["what"], what, "{entry} {seed}");
    }
}

#[test]
fn opaque_modules_are_not_followed() {
    let place = workplace().with(&[
        (
            "two/caller.erl",
            "-module(caller).\n-export([f/1]).\nf(X) -> case helper:g(X) of 3 -> error(bug); _ -> lists:sum([1]) end.\n",
        ),
        (
            "two/helper.erl",
            "-module(helper).\n-export([g/1]).\ng(X) when X > 7 -> 3;\ng(_) -> 4.\n",
        ),
    ]);
    let followed = report(&place, 1, &["two", "--entry", "caller:f/1"]);
    assert_eq!(followed["findings"].as_array().map(Vec::len), Some(1));
    let alone = [
        "two",
        "--entry",
        "caller:f/1",
        "--opaque",
        "helper",
        "--opaque",
        "lists",
    ];
    // The result of helper is opaque, but values for it are tried.
    let alone = report(&place, 1, &alone);
    assert_eq!(alone["complete"], false);
    assert_eq!(alone["incomplete"][0]["what"], "helper:g/1");
    assert_eq!(alone["findings"][0]["reason"], "bug");
    let built = place.run(&["instrument", "two", "-o", "build"]);
    assert_eq!(built.status, 0, "{built:?}");
    let refused = ["explore", "--entry", "caller:f/1", "--opaque", "helper"];
    assert_snapshot!("opaque_in_a_build", place.run(&refused).failure());
}

#[test]
fn opaque_functions_are_not_followed() {
    let place = workplace().with(&[(
        "shop.erl",
        "-module(shop).\n-export([f/1]).\n\
         f(X) -> case sum(X) of 3 -> error(bug); _ -> lists:last([X]) end.\n\
         sum(X) when X > 7 -> 3;\nsum(_) -> 4.\n",
    )]);
    let explore = ["shop.erl", "--entry", "f/1"];
    let opaque = |function| [&explore[..], &["--opaque", function]].concat();
    let report = report(&place, 1, &opaque("shop:sum/1"));
    assert_eq!(report["complete"], false);
    assert_eq!(report["incomplete"][0]["what"], "shop:sum/1");
    assert_eq!(report["findings"][0]["reason"], "bug");
    let mut all = String::new();
    for function in [
        "shop:sum/2",
        "lists:lst/1",
        "lists:member/2",
        "file:read_file/1",
        "sum/1",
    ] {
        let run = place.run(&[&["explore"], &opaque(function)[..]].concat());
        assert_eq!((run.status, run.stdout.as_str()), (2, ""));
        all.push_str(&run.stderr);
    }
    assert_snapshot!("opaque_functions", all);
}

#[test]
fn every_test_can_be_shown_as_it_is_run() {
    let more = ["--verbose", "--no-spec", "--paths", "all"];
    let arguments = [&["explore"], &FIGURE_5[..], &more].concat();
    assert_snapshot!(workplace().run(&arguments).stderr);
}

#[test]
fn exceptions_keep_their_class_through_after() {
    let place = workplace().with(&[(
        "later.erl",
        "-module(later).
-export([f/1]).
f(X) ->
    try
        try throw(X) catch throw:a -> inner after put(k, 1) end
    catch
        throw:{b, Y} -> {outer, Y};
        throw:_ -> other
    end.
",
    )]);
    let report = report(&place, 0, &["later.erl", "--entry", "f/1"]);
    assert_eq!(report["complete"], true, "{report}");
    let expected = [r#"["0"]"#, r#"["a"]"#, r#"["{b,0}"]"#];
    assert_eq!(inputs(&report, "ok"), expected);
}

#[test]
fn maps_with_other_numbers_are_the_same() {
    let place = workplace().with(&[(
        "same.erl",
        "-module(same).
-export([f/1]).
f(X) when X == #{}; X == #{a => b} -> none;
f(X) when X =:= #{a => 1} -> exact;
f(X) when X == #{a => 1} -> error(bug);
f(_) -> other.
",
    )]);
    let arguments = ["same.erl", "--entry", "f/1", "--args", "[#{a => 1.0}]"];
    let seeded = report(&place, 1, &arguments);
    assert_eq!(seeded["stats"]["divergences"], 0, "{seeded}");
    assert_eq!(inputs(&seeded, "error"), [r##"["#{a => 1.0}"]"##]);
    let unseeded = report(&place, 0, &arguments[..3]);
    assert_eq!(unseeded["complete"], false, "{unseeded}");
}

#[test]
fn crashes_of_instrumented_code_alone_are_unconfirmed() {
    let place = workplace().with(&[(
        "looks.erl",
        "-module(looks).\n-export([f/1]).\n\
         f(X) when X > 5 ->\n    false = erlang:function_exported(looks, '@f', 1);\n\
         f(_) -> ok.\n",
    )]);
    let arguments = ["looks.erl", "--entry", "f/1"];
    let report = report(&place, 0, &arguments);
    let gaps = report["incomplete"].to_string();
    assert!(gaps.contains("unconfirmed"), "{report:#}");
    assert!(gaps.contains("error: {badmatch,_} (looks.erl:4)"), "{gaps}");
    assert_eq!(report["complete"], false);
}

const SPECS: &str = "\
-module(specs).
-export([main/1, tags/1, tree/1, user/1, bytes/2, options/1, number/1]).

-spec main(list()) -> list().
main(L) -> app(L, L).
app([], Y) -> Y;
app([H | T], Y) -> [H | app(T, Y)].

-spec tags([{a, integer()} | {b, atom()}]) -> integer().
tags([{a, _} | _]) -> 1;
tags([{b, _} | _]) -> 2;
tags([]) -> 3.

-type tree() :: leaf | {node, integer(), tree(), tree()}.
-spec tree(tree()) -> ok.
tree({node, 42, leaf, {node, 7, _, _}}) -> error(bug);
tree(_) -> ok.

-record(user, {name :: string(), age = 0 :: 0..150, kind :: admin | guest}).
-spec user(#user{}) -> ok.
user(#user{name = \"root\", kind = admin, age = A}) when A > 100 -> error(bug);
user(#user{age = A}) when A > 150 -> error(impossible);
user(#user{}) -> ok.

-spec bytes(X, X) -> boolean() when X :: byte().
bytes(A, B) when A + B =:= 300 -> error(bug);
bytes(A, B) when A + B > 510 -> error(impossible);
bytes(A, B) -> A =< B.

-spec options([{atom(), integer()} | verbose]) -> ok.
options(Options) ->
    case lists:keyfind(level, 1, Options) of
        {level, 3} -> lists:member(verbose, Options) andalso error(bug);
        {level, a} -> error(impossible);
        _ -> ok
    end.

-spec number(string()) -> integer().
number(Text) ->
    case catch list_to_integer(Text) of
        471 -> error(bug);
        {'EXIT', _} -> 0;
        N -> N
    end.
";

#[test]
fn inputs_fulfil_the_spec() {
    let place = workplace().with(&[("specs.erl", SPECS)]);
    let of_spec = report(&place, 0, &["specs.erl", "--entry", "main/1"]);
    assert_eq!(of_spec["complete"], true);
    assert_eq!(of_spec["findings"], Value::Array(Vec::new()));
    let tags = report(&place, 0, &["specs.erl", "--entry", "tags/1"]);
    assert_eq!(tags["complete"], true, "{tags:#}");
    assert_eq!(inputs(&tags, "ok").len(), 3, "{tags:#}");
    let of_any = ["specs.erl", "--entry", "main/1", "--no-spec"];
    assert_ne!(report(&place, 1, &of_any)["findings"], of_spec["findings"]);
    for (entry, input) in [
        ("tree/1", "{node,42,leaf,{node,7,leaf,leaf}}"),
        ("user/1", "{user,\"root\",101,admin}"),
        ("bytes/2", "45, 255"),
        ("options/1", "[{level,3},verbose]"),
        ("number/1", "\"471\""),
    ] {
        let report = report(
            &place,
            1,
            &["specs.erl", "--entry", entry, "--timeout", "20"],
        );
        let findings = report["findings"].as_array().expect("a list");
        assert_eq!(findings.len(), 1, "{entry}: {findings:?}");
        assert_eq!(findings[0]["reason"], "bug");
        let arguments = findings[0]["args"].as_array().expect("a list").iter();
        let arguments: Vec<&str> = arguments.filter_map(Value::as_str).collect();
        assert_eq!(arguments.join(", "), input);
        assert_eq!(report["stats"]["divergences"], 0, "{entry}");
    }
}

#[test]
fn impossible_seeds_and_types_are_reported() {
    let place = workplace().with(&[(
        "odd.erl",
        "-module(odd).\n-export([f/1, g/1, h/1]).\n\
         -spec f(atom()) -> ok.\nf(_) -> ok.\n\
         -spec g(pid()) -> ok.\ng(_) -> ok.\n\
         -spec h(nobody:knows()) -> ok.\nh(_) -> ok.\n",
    )]);
    let explore = |arguments: &[&str]| place.run(&[&["explore", "odd.erl"], arguments].concat());
    let outside = explore(&["--entry", "f/1", "--args", "[1]"]);
    let none = explore(&["--entry", "g/1"]);
    let unknown = explore(&["--entry", "h/1"]);
    assert_snapshot!(
        [outside, none, unknown]
            .map(|run| format!("{} {}{}", run.status, run.stderr, run.stdout))
            .join("\n")
    );
}

/// The bytes of such a long constant are not looked at. Whether the pattern is matched with them
/// depends on the input. Here it is not, so everything about this run is known, but questions about
/// the constant look different each time.
#[test]
fn questions_about_unknown_bytes_end() {
    let source = "\
-module(unknown).
-export([f/2]).

f(Map, Key) ->
    case Map#{Key => <<0:40000>>} of
        #{k := <<Character/utf8, _/binary>>} -> Character;
        _ -> none
    end.
";
    let place = workplace().with(&[("unknown.erl", source)]);
    let arguments = ["unknown.erl", "--entry", "f/2", "--max-runs", "1"];
    // The questions about this run would not end for long; only the run itself matters.
    let limits = ["--args", "[#{k => <<1>>}, j]", "--timeout", "10"];
    let report = report(&place, 0, &[&arguments[..], &limits].concat());
    assert_eq!(inputs(&report, "ok"), [r##"["#{k => <<1>>}","j"]"##]);
    assert_eq!(report["complete"], false);
}

#[test]
fn what_a_program_writes_to_stderr_is_kept_apart() {
    let loud = "-module(loud).\n-export([f/1]).\n-spec f(0..9) -> ok.\n\
        f(7) -> io:format(standard_error, \"seven is loud~n\", []);\n\
        f(_) -> io:format(user, \"so are others~n\", []).\n";
    let place = Workplace::new(env!("CARGO_BIN_EXE_erlconcolic-under-test"));
    let place = place.with(&[("loud.erl", loud)]);
    let explore = ["explore", "loud.erl", "--entry", "f/1"];
    let run = place.run(&explore);
    let note = "note: the program wrote 2 lines to stderr; --verbose shows them\n";
    assert_eq!((run.status, run.stderr.as_str()), (0, note));
    let verbose = place.run(&[&explore[..], &["--verbose"]].concat());
    assert!(
        verbose.stderr.contains("seven is loud\n"),
        "{}",
        verbose.stderr
    );
    assert!(
        verbose.stderr.contains("so are others\n"),
        "{}",
        verbose.stderr
    );
}

const DEEP: &str = "\
-module(deep).
-export([small/1, large/1, named/1]).

-spec small([boolean()]) -> integer().
small([true | Rest]) -> 1 + small(Rest);
small([false | Rest]) -> small(Rest);
small([]) -> 0.

-spec large([boolean()]) -> integer().
large([_, _, _, _, _, _, _, _]) -> 8;
large(_) -> 0.

-spec named([boolean()]) -> integer().
named(List) -> apply(deep, pick(List), [List]).

pick([]) -> small;
pick(_) -> large.
";

/// Patterns count where the entry reaches them, by a call or by the name of the module.
#[test]
fn the_usual_depth_comes_from_what_the_entry_reaches() {
    let place = workplace().with(&[("deep.erl", DEEP)]);
    let longest = |entry: &str| {
        let report = report(&place, 0, &["deep.erl", "--entry", entry, "--paths", "all"]);
        assert_eq!(report["complete"], true);
        let inputs = inputs(&report, "ok");
        let lengths = inputs
            .iter()
            .map(|it| it.matches("true").count() + it.matches("false").count());
        lengths.max()
    };
    assert_eq!(longest("small/1"), Some(4));
    assert_eq!(longest("large/1"), Some(8));
    assert_eq!(longest("named/1"), Some(8));
}
