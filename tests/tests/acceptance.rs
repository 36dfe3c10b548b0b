//! Accepted findings, unlikely inputs, what coverage counts, and `--exclude`.

use end_to_end::tool::{Run, Workplace};
use serde_json::Value;

const SHOP: &str = "\
-module(shop).
-export([share/2, first/1, calls/2, scaled/1]).

-spec share(integer(), integer()) -> integer().
share(Amount, People) -> Amount div People.

-spec first([integer()]) -> integer().
first([First | _]) -> First;
first([]) -> error({empty, []}).

-spec calls(module(), atom()) -> term().
calls(Module, Function) -> Module:Function().

-spec scaled(integer()) -> float().
scaled(N) -> N * 1.5.
";

/// Its callback crashes on states that it never has, and its API without the server.
const SERVER: &str = "\
-module(server).
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2, total/0, twice/1]).

init([]) -> {ok, 0}.

-spec handle_call(total, term(), integer()) -> {reply, integer(), integer()}.
handle_call(total, _From, Total) -> {reply, 100 div Total, Total}.

handle_cast(_, Total) -> {noreply, Total}.

-spec total() -> integer().
total() -> gen_server:call(?MODULE, total).

-spec twice(integer()) -> integer().
twice(N) when N =/= 7 -> 2 * N.
";

const OTHER: &str = "\
-module(other).
-export([f/1]).
-spec f(integer()) -> ok.
f(1) -> ok;
f(2) -> ok;
f(_) -> ok.
";

fn workplace() -> Workplace {
    let place = Workplace::new(env!("CARGO_BIN_EXE_erlconcolic-under-test"));
    let files = [
        ("src/shop.erl", SHOP),
        ("src/other.erl", OTHER),
        ("rebar.config", ""),
    ];
    place.with(&files)
}

fn explore(place: &Workplace, arguments: &[&str]) -> Run {
    place.run(&[&["explore"], arguments].concat())
}

fn report(place: &Workplace, arguments: &[&str]) -> (i32, Value) {
    let run = explore(place, &[arguments, &["--format", "json"]].concat());
    let report = serde_json::from_str(&run.stdout);
    (
        run.status,
        report.unwrap_or_else(|error| panic!("{error}: {run:?}")),
    )
}

/// Accepts all findings of a search.
fn accept(place: &Workplace, arguments: &[&str]) {
    let (_, report) = report(place, arguments);
    place.write("report.json", report.to_string().as_bytes());
    let run = place.run(&["accept", "report.json"]);
    assert_eq!(run.status, 0, "{run:?}");
}

const BOTH: [&str; 4] = ["--entry", "share/2", "--entry", "first/1"];

#[test]
fn only_new_findings_count() {
    let place = workplace();
    accept(&place, &["--entry", "share/2"]);
    let file = place.read("erlconcolic.accept");
    assert!(
        file.ends_with(
            "\n\n% shop:share(0, 0) raises error: badarith\n\
             shop:share/2  error  badarith  src/shop.erl\n"
        ),
        "{file}"
    );
    let alone = explore(&place, &["--entry", "share/2"]);
    assert_eq!(alone.status, 0, "{alone:?}");
    assert!(alone.stdout.contains("accepted: shop:share(0, 0) raises"));
    assert!(alone.stdout.contains(" tests, 0 findings, 1 accepted; "));
    let (status, both) = report(&place, &BOTH);
    assert_eq!(status, 1);
    let accepted = both["findings"].as_array().expect("a list").iter();
    let accepted: Vec<&Value> = accepted.map(|it| &it["accepted"]).collect();
    assert_eq!(accepted, [false, true]);
    place.write("mine.accept", b"% nothing\n");
    let run = explore(&place, &["--entry", "share/2", "--accept", "mine.accept"]);
    assert_eq!(run.status, 1);
}

#[test]
fn the_file_is_extended() {
    let place = workplace();
    place.write("erlconcolic.accept", b"% mine\n\n% later\n");
    accept(&place, &BOTH);
    let first = place.read("erlconcolic.accept");
    assert!(
        first.starts_with("% mine\n\n% later\n\n% shop:first([])"),
        "{first}"
    );
    assert!(first.contains("\nshop:first/1  error  {empty,[]}  src/shop.erl\n"));
    accept(&place, &BOTH);
    assert_eq!(place.read("erlconcolic.accept"), first);
    assert_eq!(explore(&place, &BOTH).status, 0);
    // A line that moves stays accepted.
    place.write("src/shop.erl", SHOP.replace("-spec", "\n-spec").as_bytes());
    assert_eq!(explore(&place, &BOTH).status, 0);
}

#[test]
fn what_no_longer_occurs_is_told() {
    let place = workplace();
    let lines = "shop:first/1  error  {empty,[]}  src/shop.erl\n\
                 shop:gone/7  error  badarg  src/shop.erl\n\
                 other:f/1  error  badarg  src/other.erl\n";
    place.write("erlconcolic.accept", lines.as_bytes());
    let mended = SHOP.replace("error({empty, []})", "0");
    place.write("src/shop.erl", mended.as_bytes());
    let run = explore(&place, &["--entry", "first/1"]);
    assert_eq!(run.status, 0, "{run:?}");
    let told = |line: &str| run.stdout.contains(&format!("no longer occurs: {line}"));
    assert!(told(
        "shop:first/1  error  {empty,[]}  src/shop.erl (accepted in line 1)"
    ));
    assert!(told("shop:gone/7"), "{run:?}");
    assert!(!run.stdout.contains("other:f/1"), "{run:?}");
    let stopped = explore(&place, &["--entry", "first/1", "--max-runs", "1"]);
    assert!(
        stopped.stdout.contains("did not occur in this search"),
        "{stopped:?}"
    );
    let (_, report) = report(&place, &["--entry", "first/1"]);
    assert_eq!(report["stale"].as_array().map(Vec::len), Some(2));
}

#[test]
fn bad_lines_are_errors() {
    let place = workplace();
    place.write("erlconcolic.accept", b"% fine\nshop:first/1  eror  x  y\n");
    for arguments in [
        &["explore", "--entry", "first/1"][..],
        &["accept", "report.json"][..],
    ] {
        place.write("report.json", br#"{"version": 1, "findings": []}"#);
        let message = place.run(arguments).failure();
        assert!(
            message.contains("error[bad-accept]: erlconcolic.accept:2: "),
            "{message}"
        );
    }
    assert!(place.read("erlconcolic.accept").contains("eror"));
    let missing = explore(&place, &["--entry", "first/1", "--accept", "none"]).failure();
    assert!(missing.contains("there is no such file"), "{missing}");
}

#[test]
fn unlikely_inputs_come_last_or_not_at_all() {
    let place = workplace();
    let entries = ["--entry", "calls/2", "--entry", "share/2"];
    let (status, all) = report(&place, &entries);
    assert_eq!(status, 1);
    let likely = all["findings"].as_array().expect("a list").iter();
    let likely: Vec<&Value> = likely.map(|it| &it["likely"]).collect();
    assert_eq!(likely.first(), Some(&&Value::Bool(true)), "{all:#}");
    assert_eq!(likely.last(), Some(&&Value::Bool(false)), "{all:#}");
    let text = explore(&place, &entries).stdout;
    let parts: Vec<&str> = text.split("Unlikely inputs").collect();
    assert_eq!(parts.len(), 2, "{text}");
    assert!(
        parts[0].contains("shop:share") && parts[1].contains("shop:calls"),
        "{text}"
    );
    let skip = explore(&place, &["--entry", "calls/2", "--skip", "unlikely"]);
    assert_eq!(skip.status, 0, "{skip:?}");
    assert!(
        skip.stdout.contains("with unlikely inputs left out"),
        "{skip:?}"
    );
}

#[test]
fn callbacks_of_processes_come_last() {
    let place = workplace().with(&[("server/server.erl", SERVER)]);
    let run = place.run(&[
        "explore",
        "server",
        "--all",
        "--no-machines",
        "--format",
        "json",
    ]);
    let report: Value = serde_json::from_str(&run.stdout).expect("it is JSON");
    let findings = report["findings"].as_array().expect("a list").iter();
    let mut found: Vec<(&str, bool)> = findings
        .map(|it| {
            let entry = it["entry"].as_str().expect("a text");
            (entry, it["likely"] == true)
        })
        .collect();
    assert_eq!(found.first(), Some(&("server:twice/1", true)), "{run:?}");
    found.sort_unstable();
    let unlikely = ["handle_call/3", "init/1", "total/0"].map(|it| format!("server:{it}"));
    let unlikely = unlikely.iter().map(|it| (it.as_str(), false));
    let expected: Vec<(&str, bool)> = unlikely.chain([("server:twice/1", true)]).collect();
    assert_eq!(found, expected, "{run:?}");
}

#[test]
fn coverage_is_of_what_was_asked() {
    let place = workplace();
    let clauses =
        |arguments: &[&str]| report(&place, arguments).1["coverage"]["clauses"]["total"].clone();
    assert_eq!(clauses(&["--entry", "first/1"]), 2);
    assert_eq!(clauses(&["--module", "other"]), 3);
    assert_eq!(clauses(&["--all"]), 5);
    let line = explore(&place, &["--entry", "first/1"]).stdout;
    assert!(line.contains("; 2 of 2 clauses reached; "), "{line}");
}

#[test]
fn modules_are_excluded() {
    let place = workplace();
    let (_, report) = report(&place, &["--all", "--exclude", "shop"]);
    let entries = report["entries"].as_array().expect("a list");
    assert!(
        entries.iter().all(|it| it["entry"] == "other:f/1"),
        "{entries:?}"
    );
    let wrong = explore(&place, &["--all", "--exclude", "shpo"]).failure();
    assert!(wrong.contains("there is no module shpo") && wrong.contains("did you mean shop?"));
    assert_eq!(
        explore(&place, &["--entry", "first/1", "--exclude", "shop"]).status,
        2
    );
}
