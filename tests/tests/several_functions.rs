//! `erlconcolic explore` on many functions: several entries, modules, or all that have a spec.

use end_to_end::tool::{Run, Workplace};
use insta::assert_snapshot;
use serde_json::Value;

const SHOP: &str = "\
-module(shop).
-export([total/1, share/2, watch/1, untyped/1]).

-spec total([{atom(), 0..1000}]) -> integer().
total([{_, N} | Rest]) -> N + total(Rest);
total([]) -> 0.

-spec share(integer(), integer()) -> integer().
share(Amount, People) when People =/= 7 -> Amount;
share(Amount, People) -> Amount div (People - 7).

-spec watch(pid()) -> ok.
watch(Pid) -> link(Pid), ok.

untyped(a) -> b.
";

/// The first has endless paths; the second raises in its last clause.
const LOOPS: &str = "\
-module(loops).
-export([forever/1, last/1, slow/1]).

-spec forever([integer()]) -> ok.
forever([H | T]) when H > 0 -> forever(T);
forever([H | T]) when H < -5 -> forever(T);
forever([_ | T]) -> forever(T);
forever([]) -> ok.

-spec last(1..4) -> ok.
last(1) -> ok;
last(2) -> ok;
last(3) -> ok;
last(4) -> error(last).

-spec slow(integer()) -> ok.
slow(N) when N > 10 -> timer:sleep(300), ok;
slow(N) when N < -10 -> timer:sleep(300), ok;
slow(_) -> ok.
";

fn workplace() -> Workplace {
    Workplace::new(env!("CARGO_BIN_EXE_erlconcolic-under-test")).with(&[
        ("src/shop.erl", SHOP),
        ("src/loops.erl", LOOPS),
        (
            "untyped/plain.erl",
            "-module(plain).\n-export([f/1]).\nf(1) -> a.\n",
        ),
    ])
}

fn explore(place: &Workplace, arguments: &[&str]) -> Run {
    place.run(&[&["explore"], arguments].concat())
}

fn report(place: &Workplace, arguments: &[&str]) -> Value {
    let run = explore(place, &[arguments, &["--format", "json"]].concat());
    serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {run:?}"))
}

/// What a key of the table says for a function.
fn of<'report>(report: &'report Value, entry: &str, key: &str) -> &'report Value {
    let entries = report["entries"].as_array().expect("a list");
    let found = entries.iter().find(|it| it["entry"] == entry);
    &found.unwrap_or_else(|| panic!("no {entry}: {entries:?}"))[key]
}

#[test]
fn all_functions_with_a_spec_are_in_one_report() {
    let run = explore(
        &workplace(),
        &["src/shop.erl", "--all", "--term-depth", "3"],
    );
    assert_eq!(run.status, 1);
    assert_snapshot!(run.stdout);
}

#[test]
fn tests_of_several_functions_share_one_numbering() {
    let place = workplace();
    let options = [
        "src",
        "--module",
        "shop",
        "--entry",
        "loops:last/1",
        "--term-depth",
        "2",
    ];
    let report = report(&place, &options);
    assert_eq!(report["entry"], Value::Null);
    let tests = report["tests"].as_array().expect("a list");
    for (number, test) in tests.iter().enumerate() {
        assert_eq!(test["id"], number + 1);
        if let Some(parent) = test["parent"].as_u64() {
            let parent = usize::try_from(parent).expect("small") - 1;
            assert!(parent < number);
            assert_eq!(tests[parent]["entry"], test["entry"]);
        }
    }
    let findings = report["findings"].as_array().expect("a list");
    assert_eq!(findings.len(), 2);
    for finding in findings {
        let number = usize::try_from(finding["test"].as_u64().expect("a number")).expect("small");
        let test = &tests[number - 1];
        assert_eq!(
            (&finding["entry"], &finding["args"]),
            (&test["entry"], &test["args"])
        );
        assert_eq!(finding["reason"], test["reason"]);
    }
    // Named functions come first; functions without a spec do not make it incomplete, others do.
    assert_eq!(report["entries"][0]["entry"], "loops:last/1");
    assert_eq!(of(&report, "shop:untyped/1", "left_out"), "no-spec");
    assert_eq!(of(&report, "shop:watch/1", "left_out"), "no-input");
    assert_eq!(report["complete"], false);
    let incomplete = report["incomplete"].as_array().expect("a list");
    assert_eq!(incomplete.len(), 1);
    assert_eq!(incomplete[0]["what"], "shop:watch/1");
    assert_eq!(of(&report, "shop:share/2", "complete"), true);
}

#[test]
fn a_function_that_is_named_needs_no_spec() {
    let place = workplace();
    let report = report(
        &place,
        &["src", "--entry", "untyped/1", "--entry", "last/1"],
    );
    assert_eq!(of(&report, "shop:untyped/1", "findings"), 1);
    assert_eq!(report["complete"], true);
}

#[test]
fn without_specs_all_exported_functions_are_explored() {
    let place = workplace();
    let report = report(
        &place,
        &["src/shop.erl", "--all", "--no-spec", "--max-runs", "40"],
    );
    assert_eq!(of(&report, "shop:untyped/1", "findings"), 1);
    assert_ne!(of(&report, "shop:watch/1", "runs"), 0);
}

#[test]
fn runs_are_shared_and_no_function_starves() {
    let place = workplace();
    let options = [
        "src/loops.erl",
        "--all",
        "--max-runs",
        "30",
        "--term-depth",
        "20",
    ];
    let first = report(&place, &options);
    // Both others need fewer than a third, and leave the rest to the endless one.
    assert_eq!(of(&first, "loops:last/1", "complete"), true);
    assert_eq!(of(&first, "loops:slow/1", "complete"), true);
    assert_eq!(first["stats"]["runs"], 30);
    let again = report(&place, &options);
    assert_eq!(first["tests"], again["tests"]);
}

#[test]
fn one_state_folder_holds_the_runs_of_all() {
    let place = workplace();
    let options = [
        "src/loops.erl",
        "--all",
        "--max-runs",
        "12",
        "--state",
        "runs",
    ];
    let first = report(&place, &options);
    let refused = explore(&place, &options);
    assert_eq!(refused.status, 2);
    assert!(refused.stderr.contains("state-exists"), "{refused:?}");
    let again = report(&place, &[&options[..], &["--resume"]].concat());
    assert_eq!(first["tests"], again["tests"]);
    let replayed = place.run(&["replay", "runs", "src/loops.erl", "--format", "json"]);
    assert_eq!(replayed.status, 1, "{replayed:?}");
    let replayed: Value = serde_json::from_str(&replayed.stdout).expect("a report");
    let count = |report: &Value| report["tests"].as_array().map(Vec::len);
    assert_eq!(count(&replayed), count(&first), "{replayed}");
}

#[test]
fn functions_that_cannot_be_chosen_are_explained() {
    let place = workplace();
    let messages = |arguments: &[&str]| {
        let run = explore(&place, arguments);
        assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{arguments:?}");
        run.stderr
    };
    let all = [
        messages(&["src", "--module", "shp"]),
        messages(&["untyped", "--all"]),
        messages(&["src", "--all", "--args", "[1]"]),
        messages(&["src", "--module", "shop", "--pre", "shop:untyped/1"]),
        messages(&["src"]),
    ];
    assert_snapshot!(all.join("----\n"));
}
