//! Modules of the user that have the name of a module that is installed: the user's code is what
//! runs, everywhere.

use std::process::Command;

use end_to_end::tool::Workplace;
use serde_json::Value;

/// Every call of a function of this module crashes for 7. A BEAM cannot run without its own `lists`.
const LISTS: &str = "\
-module(lists).
-export([direct/1, applied/1, spawned/1, named/1, computed/2, caught/1, stacked/1, mapped/1]).
-export([hit/1, info/1, reverse/1]).

-spec direct(integer()) -> term().
direct(X) -> lists:hit(X).

-spec applied(integer()) -> term().
applied(X) -> Args = [X || true], apply(?MODULE, hit, Args).

-spec spawned(integer()) -> term().
spawned(X) ->
    {_, Monitor} = spawn_monitor(?MODULE, hit, [X]),
    receive {'DOWN', Monitor, process, _, normal} -> ok end.

-spec named(integer()) -> term().
named(X) -> F = fun lists:hit/1, {F(X), F}.

-spec computed(lists | other, integer()) -> term().
computed(M, X) -> try M:hit(X) catch error:undef -> ok end.

-spec caught(integer()) -> term().
caught(X) ->
    case catch hit(X) of
        {'EXIT', {{bug, _}, [{lists, hit, 1, _} | _]}} -> error(caught);
        {'EXIT', Other} -> exit({unexpected, Other});
        Value -> Value
    end.

-spec stacked(integer()) -> term().
stacked(X) ->
    try hit(X)
    catch error:{bug, M}:Stack -> {M, hit, 1, _} = hd(Stack), error(stacked)
    end.

-spec mapped([integer()]) -> term().
mapped(Xs) -> maps:map(fun(_, X) -> hit(X) end, maps:from_list([{X, X} || X <- Xs])).

-spec info(integer()) -> term().
info(X) -> {?MODULE, proplists:get_value(module, module_info()), 1 div X}.

-spec reverse(integer()) -> term().
reverse(7) -> error(not_the_one_of_otp);
reverse(_) -> ok.

hit(7) ->
    error({bug, ?MODULE});
hit(X) ->
    X.
";

/// Uses that module.
const CALLER: &str = "\
-module(caller).
-export([f/1, g/1, otp/1]).

-spec f(integer()) -> term().
f(X) -> {lists:reverse(X), lists:seq(1, 3)}.

-spec g(integer()) -> term().
g(X) -> (fun lists:reverse/1)(X).

-spec otp(integer()) -> term().
otp(X) ->
    [\"a\", \"b\"] = string:lexemes(\"a b\", \" \"),
    [a, b] = ordsets:from_list([b, a]),
    X.
";

fn workplace() -> Workplace {
    Workplace::new(env!("CARGO_BIN_EXE_erlconcolic-under-test"))
}

fn own_lists() -> Workplace {
    workplace().with(&[("src/lists.erl", LISTS), ("src/caller.erl", CALLER)])
}

/// The report of a search, which ends with this status.
fn explored(place: &Workplace, status: i32, arguments: &[&str]) -> Value {
    let arguments = [&["explore", "--format", "json"], arguments].concat();
    let run = place.run(&arguments);
    assert_eq!(run.status, status, "{run:?}");
    place.write("report.json", run.stdout.as_bytes());
    serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {run:?}"))
}

/// Arguments, reason and line of each finding.
fn findings(report: &Value) -> Vec<(String, String, u64)> {
    let findings = report["findings"].as_array().expect("findings are a list");
    findings
        .iter()
        .map(|it| {
            let reason = it["reason"].as_str().expect("a reason is text").to_owned();
            let line = it["line"].as_u64().unwrap_or_default();
            assert_eq!(it["confirmed"], true, "{it}");
            (it["args"].to_string(), reason, line)
        })
        .collect()
}

fn finding(arguments: &str, reason: &str, line: u64) -> (String, String, u64) {
    (arguments.to_owned(), reason.to_owned(), line)
}

#[test]
fn crashes_of_a_module_that_the_beam_needs_itself_are_confirmed() {
    let place = workplace().with(&[(
        "user.erl",
        "-module(user).\n-export([f/1]).\nf(X) -> 10 div X.\n",
    )]);
    let report = explored(&place, 1, &["user.erl", "--entry", "f/1"]);
    assert_eq!(report["findings"][0]["line"], 3, "{report:#}");
    assert_eq!(report["findings"][0]["stack"][1], "user:f/1 (user.erl:3)");
    assert_eq!(report["findings"][0]["confirmed"], true);
}

#[test]
fn an_installed_module_is_replaced() {
    let place = workplace().with(&[(
        "eunit_surefire.erl",
        "-module(eunit_surefire).\n-export([start/1]).\n\n\n-spec start(integer()) -> term().\n\
         start(7) -> error(mine);\nstart(X) -> X.\n",
    )]);
    let report = explored(&place, 1, &["eunit_surefire.erl", "--entry", "start/1"]);
    assert_eq!(findings(&report), [finding("[\"7\"]", "mine", 6)]);
    assert_eq!(report["complete"], true, "{report:#}");
    let replayed = place.run(&["replay", "report.json", "eunit_surefire.erl"]);
    assert_eq!(replayed.status, 1, "{replayed:?}");
    assert!(replayed.stdout.contains("1 still"), "{replayed:?}");
}

#[test]
fn every_way_to_call_the_users_function_calls_it() {
    let place = own_lists();
    for (entry, arguments, reason, line) in [
        ("direct/1", r#"["7"]"#, "{bug,lists}", 47),
        ("applied/1", r#"["7"]"#, "{bug,lists}", 47),
        ("named/1", r#"["7"]"#, "{bug,lists}", 47),
        ("computed/2", r#"["lists","7"]"#, "{bug,lists}", 47),
        ("caught/1", r#"["7"]"#, "caught", 25),
        ("stacked/1", r#"["7"]"#, "stacked", 33),
        ("mapped/1", r#"["[7]"]"#, "{bug,lists}", 47),
        ("info/1", r#"["0"]"#, "badarith", 40),
    ] {
        let entry = format!("lists:{entry}");
        let report = explored(&place, 1, &["src", "--entry", &entry]);
        assert_eq!(
            findings(&report),
            [finding(arguments, reason, line)],
            "{entry}: {report:#}"
        );
        let shown = report.to_string();
        assert!(!shown.contains("@followed"), "{entry}: {report:#}");
    }
    let spawned = explored(
        &place,
        1,
        &["src", "--entry", "lists:spawned/1", "--run-timeout", "500"],
    );
    assert_eq!(spawned["findings"][0]["args"][0], "7", "{spawned:#}");
    for entry in ["caller:f/1", "caller:g/1"] {
        let report = explored(&place, 1, &["src", "--entry", entry]);
        let expected = [finding(r#"["7"]"#, "not_the_one_of_otp", 43)];
        assert_eq!(findings(&report), expected, "{report:#}");
    }
}

#[test]
fn otp_calls_its_own_functions() {
    let report = explored(&own_lists(), 0, &["src", "--entry", "caller:otp/1"]);
    assert_eq!(report["complete"], true, "{report:#}");
    assert_eq!(report["tests"][0]["outcome"], "ok");
}

#[test]
fn builds_beams_and_opaque_modules_run_the_users_code() {
    let place = own_lists();
    let expected = [finding(r#"["7"]"#, "not_the_one_of_otp", 43)];
    let opaque = [
        "src",
        "--entry",
        "caller:f/1",
        "--opaque",
        "lists",
        "--args",
        "[7]",
    ];
    assert_eq!(findings(&explored(&place, 1, &opaque)), expected);
    let built = place.run(&["instrument", "src", "-o", "build"]);
    assert_eq!(built.status, 0, "{built:?}");
    let report = explored(&place, 1, &["build", "--entry", "caller:f/1"]);
    assert_eq!(findings(&report), expected);
    for sources in ["src", "build"] {
        let replayed = place.run(&["replay", "report.json", sources]);
        assert!(replayed.stdout.contains("1 still"), "{replayed:?}");
    }
    let compiled = Command::new("erlc")
        .args([
            "+debug_info",
            "+nowarn_sticky",
            "src/lists.erl",
            "src/caller.erl",
        ])
        .current_dir(place.path("."))
        .status();
    assert!(compiled.expect("there is an erlc").success());
    let beams = ["lists.beam", "caller.beam", "--entry", "caller:f/1"];
    assert_eq!(findings(&explored(&place, 1, &beams)), expected);
}

#[test]
fn tests_for_eunit_use_the_names_of_the_user() {
    let place = own_lists();
    let arguments = [
        "src",
        "--entry",
        "lists:named/1",
        "--eunit",
        "test/own_tests.erl",
    ];
    explored(&place, 1, &arguments);
    let text = place.read("test/own_tests.erl");
    assert!(text.contains("lists:named(7)"), "{text}");
    assert!(!text.contains("@followed"), "{text}");
}

#[test]
fn conditions_are_checked_by_the_users_code() {
    let place = workplace().with(&[(
        "queue.erl",
        "-module(queue).\n-export([f/1, small/1, even/1]).\n\n-spec f(integer()) -> integer().\n\
         f(X) -> X + 1.\nsmall(X) -> X > 2 andalso X < 6.\neven(X) -> X rem 2 =:= 0.\n",
    )]);
    let conditions = ["--pre", "queue:small/1", "--post", "queue:even/1"];
    let entry = ["queue.erl", "--entry", "queue:f/1"];
    let report = explored(&place, 1, &[&entry[..], &conditions].concat());
    assert_eq!(report["findings"][0]["args"][0], "4", "{report:#}");
    assert_eq!(report["findings"][0]["confirmed"], true);
}
