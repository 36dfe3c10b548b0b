//! `erlconcolic replay` of searches with `--machine` and `--calls`.

use end_to_end::tool::{Run, Workplace};
use serde_json::Value;

/// Fails when it is closed with 7 in it, and a minute after it was told to wait with more than 2.
const TILL: &str = "\
-module(till).
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2, is_valid/1]).

-spec init(integer()) -> {ok, integer()}.
init(_) -> {ok, 0}.

handle_call({add, N}, _From, Sum) when is_integer(N), N > 0 -> {reply, N, Sum + N};
handle_call(_, _From, Sum) -> {reply, no, Sum}.

handle_cast(close, 7) -> error(seven);
handle_cast(wait, Sum) -> {noreply, Sum, 60000};
handle_cast(_, Sum) -> {noreply, Sum}.

handle_info(timeout, Sum) when Sum > 2 -> error(late);
handle_info(_, Sum) -> {noreply, Sum}.

is_valid(Sum) -> Sum =/= 4.
";

/// Counts wrong for one element.
const STACK: &str = "\
-module(stack).
-export([new/0, push/2, pop/1, is_valid/1]).
-export_type([t/0]).
-opaque t() :: {non_neg_integer(), [integer()]}.

-spec new() -> t().
new() -> {0, []}.

-spec push(integer(), t()) -> t().
push(X, {N, Xs}) -> {N + 1, [X | Xs]}.

-spec pop(t()) -> {ok, integer(), t()} | empty.
pop({0, []}) -> empty;
pop({2, [7, X]}) -> {ok, 7, {2, [X]}};
pop({N, [X | Xs]}) -> {ok, X, {N - 1, Xs}}.

-spec is_valid(t()) -> boolean().
is_valid({N, Xs}) -> N =:= length(Xs).
";

const INVARIANT: [&str; 2] = ["--invariant", "stack:is_valid/1"];

fn workplace() -> Workplace {
    let binary = env!("CARGO_BIN_EXE_erlconcolic-under-test");
    let files = [("src/till.erl", TILL), ("src/stack.erl", STACK)];
    Workplace::new(binary).with(&files)
}

/// Explores, and keeps the report in `report.json`, the runs in `runs/`.
fn explored(place: &Workplace, arguments: &[&str]) -> Value {
    let usual = ["explore", "--format", "json", "--state", "runs"];
    let run = place.run(&[&usual, arguments].concat());
    place.write("report.json", run.stdout.as_bytes());
    serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {run:?}"))
}

fn replayed(place: &Workplace, file: &str, more: &[&str]) -> Run {
    place.run(&[&["replay", file, "src"], more].concat())
}

/// Checks that nothing has changed.
fn assert_same(run: &Run) {
    assert_eq!(run.status, 1, "{run:?}");
    for change in ["now", "differently", "fixed", "not run"] {
        let is_told = run.stdout.lines().any(|it| it.starts_with(change));
        assert!(!is_told && !run.stdout.contains("took too long"), "{run:?}");
    }
    let last = run.stdout.lines().last().unwrap_or_default();
    assert!(
        last.contains("as before") && last.contains("still"),
        "{run:?}"
    );
    assert!(!last.contains("now") && !last.contains("differ"), "{run:?}");
}

fn assert_refused(run: &Run, code: &str, words: &str) {
    assert_eq!(run.status, 2, "{run:?}");
    assert!(run.stderr.contains(&format!("error[{code}]")), "{run:?}");
    assert!(run.stderr.contains(words), "{run:?}");
}

#[test]
fn events_of_a_machine_are_sent_again() {
    let place = workplace();
    explored(&place, &["--machine", "till", "--length", "3"]);
    for file in ["report.json", "runs"] {
        let run = replayed(&place, file, &[]);
        assert_same(&run);
        let seven = "call {add,7}, cast close: raised error: seven (src/till.erl:11)";
        assert!(run.stdout.contains(seven), "{run:?}");
        // Nobody waits for a minute.
        let late = "cast wait, timeout: raised error: late (src/till.erl:15)";
        assert!(run.stdout.contains(late), "{run:?}");
    }
    let fixed = TILL.replace("error(seven)", "{noreply, 0}");
    place.write("src/till.erl", fixed.as_bytes());
    let run = replayed(&place, "report.json", &[]);
    assert_eq!(run.status, 1, "{run:?}");
    let seven = "fixed: till: init(0), call {add,7}, cast close: raised error: seven; now returned";
    assert!(run.stdout.contains(seven), "{run:?}");
    assert!(run.stdout.contains("still fails: till: "), "{run:?}");
}

#[test]
fn calls_are_made_again() {
    let place = workplace();
    let calls = ["--calls", "stack"];
    explored(&place, &[&calls[..], &INVARIANT].concat());
    let broken = "stack:push(7, S2), stack:pop(S3): raised error: {invariant,{stack,is_valid,1},";
    for file in ["report.json", "runs"] {
        let run = replayed(&place, file, &INVARIANT);
        assert_same(&run);
        assert!(run.stdout.contains(broken), "{run:?}");
    }
    // A new function comes first, and what calls are made of has other numbers.
    let changed = STACK
        .replace("pop({2, [7, X]}) -> {ok, 7, {2, [X]}};\n", "")
        .replace("[new/0,", "[all/1, new/0, both/2,")
        .replace(
            "-spec new()",
            "-spec all(t()) -> [integer()].\nall({_, Xs}) -> Xs.\n\n\
             -spec both(t(), integer()) -> {t(), t()}.\nboth(T, _) -> {T, T}.\n\n-spec new()",
        );
    place.write("src/stack.erl", changed.as_bytes());
    for file in ["report.json", "runs"] {
        let run = replayed(&place, file, &INVARIANT);
        assert_eq!(run.status, 0, "{run:?}");
        assert!(run.stdout.contains("fixed: S1 = stack:new(), "), "{run:?}");
    }
}

#[test]
fn a_broken_invariant_needs_the_invariant() {
    let place = workplace();
    let arguments = ["--machine", "till", "--length", "2"];
    let invariant = ["--invariant", "till:is_valid/1"];
    explored(&place, &[&arguments[..], &invariant].concat());
    let run = replayed(&place, "report.json", &invariant);
    assert_same(&run);
    assert!(
        run.stdout.contains("{invariant,{till,is_valid,1},4}"),
        "{run:?}"
    );
    let without = replayed(&place, "report.json", &[]);
    assert_refused(&without, "bad-condition", "but --invariant is missing");
    let wrong = replayed(&place, "runs", &["--invariant", "till:init/2"]);
    assert_refused(&wrong, "no-entry", "there is no function till:init/2");
}

#[test]
fn plays_and_functions_are_in_one_report() {
    let place = workplace();
    explored(&place, &["src/till.erl", "--all", "--max-runs", "60"]);
    for file in ["report.json", "runs"] {
        let run = replayed(&place, file, &[]);
        assert_same(&run);
        assert!(run.stdout.contains("still fails: till: init("), "{run:?}");
    }
}

#[test]
fn machines_that_changed_too_much_are_refused() {
    let place = workplace();
    let mut report = explored(&place, &["--machine", "till", "--length", "1"]);
    place.write(
        "src/till.erl",
        TILL.replace("-behaviour(gen_server).\n", "").as_bytes(),
    );
    let run = replayed(&place, "report.json", &[]);
    assert_refused(
        &run,
        "no-machine",
        "till is neither a gen_server nor a gen_statem",
    );
    let statem = TILL.replace("gen_server", "gen_statem");
    place.write("src/till.erl", statem.as_bytes());
    let run = replayed(&place, "runs", &[]);
    assert_refused(
        &run,
        "no-machine",
        "till is a gen_statem now, but it was a gen_server",
    );
    std::fs::remove_file(place.path("src/till.erl")).expect("it is there");
    let run = replayed(&place, "report.json", &[]);
    assert_refused(&run, "no-entry", "there is no module till");
    place.write("src/till.erl", TILL.as_bytes());
    for (edited, words) in [
        ("{shout,1}", "test 1: {shout,1} is no event"),
        ("{call,", "test 1: "),
    ] {
        report["tests"][0]["args"] = serde_json::json!(["0", edited]);
        place.write("edited.json", report.to_string().as_bytes());
        let run = replayed(&place, "edited.json", &[]);
        assert_refused(&run, "bad-report", words);
    }
}

#[test]
fn calls_that_cannot_be_made_any_more_are_refused() {
    let place = workplace();
    let mut report = explored(&place, &["--calls", "stack", "--length", "2"]);
    place.write("src/stack.erl", STACK.replace("pop", "peek").as_bytes());
    let run = replayed(&place, "report.json", &[]);
    assert_refused(
        &run,
        "bad-report",
        "call number 2 fits no spec of stack any more",
    );
    let without = STACK.lines().filter(|it| !it.starts_with("-spec"));
    let without: Vec<&str> = without.collect();
    place.write("src/stack.erl", without.join("\n").as_bytes());
    let run = replayed(&place, "runs", &[]);
    assert_refused(&run, "no-calls", "stack exports no function with a spec");
    std::fs::remove_file(place.path("src/stack.erl")).expect("it is there");
    let run = replayed(&place, "runs", &[]);
    assert_refused(&run, "no-entry", "there is no module stack");
    place.write("src/stack.erl", STACK.as_bytes());
    for (edited, words) in [
        ("S1 = heap:new()", "S1 = heap:new() is no call of stack"),
        ("stack:push(1, S4)", "test 1: "),
        ("stack:push(1, 2)", "call number 1 fits no spec"),
    ] {
        report["tests"][0]["args"] = serde_json::json!([edited]);
        place.write("edited.json", report.to_string().as_bytes());
        let run = replayed(&place, "edited.json", &[]);
        assert_refused(&run, "bad-report", words);
    }
}
