//! Values of opaque types are made by calls.

use end_to_end::tool::{Run, Workplace};
use serde_json::Value;

const SHELF: &str = "\
-module(shelf).
-export([new/1, put/2, parse/1, books/1, label/1, first/1, unfit/2]).
-export([is_small/1, twice/2]).
-export_type([t/0]).
-record(shelf, {size :: pos_integer(), books = [] :: [atom()]}).
-opaque t() :: #shelf{}.

-spec new(integer()) -> {ok, t()} | {error, too_small}.
new(Size) when Size > 0 -> {ok, #shelf{size = Size}};
new(_) -> {error, too_small}.

-spec put(atom(), t()) -> t() | full.
put(Book, #shelf{size = Size, books = Books} = Shelf) when length(Books) < Size ->
    Shelf#shelf{books = [Book | Books]};
put(_, _) -> full.

-spec parse(boolean()) -> t().
parse(true) -> error(not_yet);
parse(false) -> #shelf{size = 1, books = [parsed]}.

-spec books(t()) -> [atom()].
books(#shelf{size = Size, books = Books}) when length(Books) =< Size -> Books.

-spec label(t()) -> atom().
label(#shelf{books = [Book]}) -> Book;
label(#shelf{books = []}) -> empty.

-spec first(t()) -> atom().
first(#shelf{books = [Book | _]}) -> Book.

-spec unfit(t(), fun(() -> none())) -> ok.
unfit(_, _) -> ok.

-spec is_small(t()) -> boolean().
is_small(#shelf{size = Size}) -> Size =:= 1.

-spec twice(t(), t()) -> boolean().
twice(One, Other) -> books(One) =:= books(Other).
";

const VAULT: &str = "\
-module(vault).
-export([open/1, peek/1]).
-export_type([t/0]).
-opaque t() :: {vault, integer()}.

-spec open(t()) -> integer().
open({vault, 3}) -> error(opened);
open({vault, N}) -> N.

-spec peek(integer()) -> integer().
peek(N) -> N.
";

fn workplace() -> Workplace {
    let place = Workplace::new(env!("CARGO_BIN_EXE_erlconcolic-under-test"));
    place.with(&[("shelf.erl", SHELF), ("vault.erl", VAULT)])
}

fn explored(place: &Workplace, arguments: &[&str]) -> Run {
    place.run(&[&["explore"], arguments].concat())
}

fn json(run: &Run) -> Value {
    serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {run:?}"))
}

fn report(place: &Workplace, arguments: &[&str]) -> Value {
    json(&explored(
        place,
        &[arguments, &["--format", "json"]].concat(),
    ))
}

/// The arguments of all findings.
fn found(report: &Value) -> Vec<String> {
    let findings = report["findings"].as_array().expect("a list");
    let texts = |it: &Value| -> Vec<String> {
        let texts = it["args"].as_array().expect("a list").iter();
        texts
            .map(|it| it.as_str().expect("a text").to_owned())
            .collect()
    };
    findings.iter().map(|it| texts(it).join(", ")).collect()
}

fn shelf(entry: &str) -> [&str; 3] {
    ["shelf.erl", "--entry", entry]
}

#[test]
fn findings_show_the_calls() {
    let report = report(&workplace(), &shelf("first/1"));
    assert_eq!(found(&report), ["element(2,shelf:new(1))"]);
    assert_eq!(report["findings"][0]["confirmed"], true);
    assert_eq!(report["complete"], true);
    assert_eq!(report["stats"]["divergences"], 0);
}

#[test]
fn calls_that_make_no_value_reject_the_input() {
    let place = workplace();
    let report = report(&place, &shelf("books/1"));
    assert_eq!(found(&report), Vec::<String>::new());
    assert_eq!(report["complete"], true);
    let rejected = report["stats"]["rejected"].as_u64().expect("a number");
    assert!(rejected > 0, "{report}");
    let text = explored(&place, &shelf("books/1")).stdout;
    assert!(text.contains("could not be made"), "{text}");
}

#[test]
fn values_must_fit_to_find_a_crash() {
    let report = report(&workplace(), &shelf("label/1"));
    let found = found(&report);
    let [arguments] = found.as_slice() else {
        panic!("{found:?}");
    };
    // Two books need a shelf of two places.
    let inner = arguments.strip_prefix("shelf:put(a,shelf:put(a,element(2,shelf:new(");
    assert!(inner.is_some(), "{arguments}");
}

#[test]
fn reports_are_replayed() {
    let place = workplace();
    let report = explored(
        &place,
        &[&shelf("label/1")[..], &["--format", "json"]].concat(),
    );
    place.write("report.json", report.stdout.as_bytes());
    let replayed = place.run(&["replay", "report.json", "shelf.erl"]);
    assert_eq!(replayed.status, 1, "{replayed:?}");
    assert!(replayed.stdout.contains("2 still fail"), "{replayed:?}");
    assert!(!replayed.stdout.contains("different"), "{replayed:?}");
    // A call in the inputs raises now.
    let broken = SHELF.replace("parse(false) -> #shelf", "parse(false) -> error(x), #shelf");
    place.write("shelf.erl", broken.as_bytes());
    let replayed = place.run(&["replay", "report.json", "shelf.erl"]);
    assert!(
        replayed.stdout.contains("erlconcolic_rejected"),
        "{replayed:?}"
    );
}

#[test]
fn tests_contain_the_calls() {
    let place = workplace();
    let run = explored(
        &place,
        &[
            &shelf("first/1")[..],
            &["--eunit", "found_tests.erl", "--verbose"],
        ]
        .concat(),
    );
    assert!(
        run.stderr.contains("shelf:first(element(2,shelf:new(1)))"),
        "{run:?}"
    );
    let text = place.read("found_tests.erl");
    assert!(text.contains("element(2,shelf:new(1))"), "{text}");
}

#[test]
fn saved_searches_are_resumed() {
    let place = workplace();
    let state = ["--state", "state", "--format", "json"];
    let first = json(&explored(&place, &[&shelf("label/1")[..], &state].concat()));
    let state = ["--state", "state", "--resume", "--format", "json"];
    let second = json(&explored(&place, &[&shelf("label/1")[..], &state].concat()));
    assert_eq!(first["tests"], second["tests"]);
    let replayed = place.run(&["replay", "state", "shelf.erl"]);
    assert!(replayed.stdout.contains("2 still fail"), "{replayed:?}");
}

#[test]
fn seed_inputs_may_be_calls_or_plain_terms() {
    let place = workplace();
    for (seed, is_expected) in [
        ("[element(2, shelf:new(3))]", true),
        ("[shelf:parse(false)]", true),
        ("[{shelf,2,[a]}]", true),
        ("[{shelf,none}]", false),
    ] {
        let seed_options = ["--args", seed, "--format", "json"];
        let run = explored(&place, &[&shelf("first/1")[..], &seed_options].concat());
        assert_eq!(
            !run.stderr.contains("not-in-spec"),
            is_expected,
            "{seed}: {run:?}"
        );
        let report = json(&run);
        let found = found(&report);
        let is_made = |it: &String| it.starts_with("element(2,shelf:new(");
        assert!(
            !is_expected || found.iter().any(is_made),
            "{seed}: {found:?}"
        );
        assert_eq!(report["stats"]["divergences"], 0);
    }
}

#[test]
fn calls_in_inputs_are_run() {
    let place = workplace();
    let run = |arguments: &str| {
        let options = ["--entry", "books/1", "--args", arguments];
        place.run(&[&["run", "shelf.erl"], &options[..]].concat())
    };
    let good = run("[shelf:put(b, element(2, shelf:new(1)))]");
    assert_eq!((good.status, good.stderr.as_str()), (0, ""));
    assert!(good.stdout.contains("returned [b]"), "{good:?}");
    let bad = run("[shelf:parse(true)]");
    assert_eq!(bad.status, 2, "{bad:?}");
    assert!(bad.stderr.contains("cannot be made"), "{bad:?}");
    let harmful = run("[os:cmd(\"touch harm\")]");
    assert!(
        harmful.stdout.contains("refused a call of os:cmd/1"),
        "{harmful:?}"
    );
    assert!(!place.path("harm").exists());
}

#[test]
fn functions_without_input_are_left_out() {
    let place = workplace();
    let run = explored(&place, &["vault.erl", "--entry", "open/1"]);
    assert_eq!(run.status, 2, "{run:?}");
    assert!(run.stderr.contains("vault:t/0"), "{run:?}");
    let report = report(&place, &["vault.erl", "--all"]);
    assert_eq!(report["entries"][1]["left_out"], "no-input", "{report}");
    assert_eq!(report["entries"][1]["unmade"][0], "vault:t/0");
    assert_eq!(report["complete"], false);
    let text = explored(&place, &["vault.erl", "--all"]).stdout;
    assert!(text.contains("vault:t/0"), "{text}");
}

#[test]
fn opaque_types_can_be_broken() {
    let report = report(
        &workplace(),
        &["vault.erl", "--entry", "open/1", "--break-opaque"],
    );
    assert_eq!(found(&report), ["{vault,3}"]);
}

#[test]
fn conditions_get_the_values() {
    let place = workplace();
    let small = ["--pre", "is_small/1", "--format", "json"];
    let report = json(&explored(&place, &[&shelf("label/1")[..], &small].concat()));
    assert_eq!(found(&report), Vec::<String>::new());
    assert_eq!(report["complete"], true);
    let post = ["--post", "is_small/1", "--format", "json"];
    let arguments = ["shelf.erl", "--entry", "put/2"];
    let report = json(&explored(&place, &[&arguments[..], &post].concat()));
    let reasons = &report["findings"][0]["reason"];
    assert!(
        reasons
            .as_str()
            .is_some_and(|it| it.contains("postcondition") || it == "function_clause"),
        "{report}"
    );
}

#[test]
fn build_folders_and_several_functions_have_values_too() {
    let place = workplace();
    assert_eq!(
        place.run(&["instrument", "shelf.erl", "-o", "made"]).status,
        0
    );
    let all = ["--all", "--max-runs", "400"];
    let built = report(&place, &[&["made"], &all[..]].concat());
    let compiled = report(&place, &[&["shelf.erl"], &all[..]].concat());
    assert_eq!(built["tests"], compiled["tests"]);
    let crashed = found(&compiled);
    assert!(crashed.contains(&"true".to_owned()), "{crashed:?}");
    let made_up = crashed.iter().filter(|it| it.contains("{shelf,"));
    assert_eq!(made_up.count(), 0);
}

/// No value of OTP's own types is made up.
#[test]
fn findings_of_otp_are_about_real_values() {
    let source = "\
        -module(graphs).\n-export([root/1, loop/1, sum/1]).\n\
        -spec root(digraph:graph()) -> term().\n\
        root(Graph) -> hd(digraph:vertices(Graph)).\n\
        -spec loop(digraph:graph()) -> ok.\n\
        loop(Graph) -> case digraph:edges(Graph) of\n\
        [E] -> {E, V, V, _} = digraph:edge(Graph, E), error(V); _ -> ok end.\n\
        -spec sum(dict:dict(atom(), integer())) -> integer().\n\
        sum(Dict) -> 0 = dict:fold(fun(_, N, Sum) -> N + Sum end, 0, Dict).\n";
    let place = workplace().with(&[("graphs.erl", source)]);
    let of = |entry: &str| {
        let limits = ["--max-runs", "600"];
        found(&report(
            &place,
            &[&["graphs.erl", "--entry", entry], &limits[..]].concat(),
        ))
    };
    let root = of("root/1");
    assert!(root.iter().any(|it| it == "digraph:new()"), "{root:?}");
    let loops = of("loop/1");
    assert!(
        loops.iter().any(|it| it.contains("digraph:add_edge(X,")),
        "{loops:?}"
    );
    let sum = of("sum/1");
    assert!(sum.iter().all(|it| it.starts_with("dict:")), "{sum:?}");
    assert!(!sum.is_empty());
}
