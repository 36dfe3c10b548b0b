//! Small programs that broke a search once, or that only one part of the engine can explore.

use end_to_end::tool::Workplace;
use serde_json::Value;

const NUMBERS: &str = "\
-module(numbers).
-export([sum/2, integers/2, one/1, small/1, safe/2, between/1, nothing/1, far/2, square/1]).

sum(X, Y) when is_number(X), is_number(Y) -> X + Y;
sum(_, _) -> no.

integers(X, Y) when is_integer(X), is_integer(Y) -> Z = X * Y, Z + Z - X;
integers(_, _) -> no.

one(X) when is_number(X) -> X + 1;
one(_) -> no.

small(X) when is_float(X), X > 0.0, X < 10.0 -> X * X;
small(_) -> no.

safe(X, Y) when is_number(X), is_number(Y) ->
    try X * Y of _ -> ok catch error:badarith -> too_large end;
safe(_, _) -> no.

between(X) when is_integer(X), X > (1 bsl 100), X < (1 bsl 100) + 2 -> yes;
between(_) -> no.

nothing(X) when is_integer(X), X > (1 bsl 100), X < (1 bsl 100) + 1 -> never;
nothing(_) -> no.

far(X, Y) when is_integer(X), is_integer(Y), X - Y =:= 1 bsl 100, X + Y < 0 -> yes;
far(_, _) -> no.

square(X) when is_integer(X), X > 0, X * X > 1 bsl 200 -> yes;
square(_) -> no.
";

/// The report of a search of a module.
fn report(module: &str, text: &str, entry: &str) -> Value {
    let file = format!("{module}.erl");
    let place = Workplace::new(env!("CARGO_BIN_EXE_erlconcolic-under-test")).with(&[(&file, text)]);
    let run = place.run(&["explore", &file, "--entry", entry, "--format", "json"]);
    serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {run:?}"))
}

/// How the tests end, sorted, each ending once.
fn endings(report: &Value) -> Vec<String> {
    let tests = report["tests"].as_array().expect("tests are a list");
    let endings = tests.iter().map(|test| match test["outcome"].as_str() {
        Some("ok") => test["result"].as_str().unwrap_or_default().to_owned(),
        _ => test["reason"].as_str().unwrap_or_default().to_owned(),
    });
    let mut endings: Vec<String> = endings.collect();
    endings.sort();
    endings.dedup();
    endings
}

fn assert_complete(report: &Value) {
    assert_eq!(report["complete"], true, "{:#}", report["incomplete"]);
    assert_eq!(report.pointer("/stats/divergences"), Some(&Value::from(0)));
}

#[test]
fn explored_floats_become_too_large() {
    for (entry, expected) in [
        ("sum/2", vec!["0", "badarith", "no"]),
        ("integers/2", vec!["0", "no"]),
        ("one/1", vec!["1", "no"]),
        ("safe/2", vec!["no", "ok", "too_large"]),
    ] {
        let report = report("numbers", NUMBERS, entry);
        assert_complete(&report);
        assert_eq!(endings(&report), expected, "{entry}");
    }
    assert_complete(&report("numbers", NUMBERS, "small/1"));
}

#[test]
fn explored_integers_may_be_very_large() {
    for (entry, expected) in [
        ("between/1", vec!["no", "yes"]),
        ("nothing/1", vec!["no"]),
        ("far/2", vec!["no", "yes"]),
        ("square/1", vec!["no", "yes"]),
    ] {
        let report = report("numbers", NUMBERS, entry);
        assert_complete(&report);
        assert_eq!(endings(&report), expected, "{entry}");
    }
}

#[test]
fn explored_questions_are_handed_on_to_z3_as_a_whole() {
    let report = report("tuples", TUPLES, "odd/1");
    assert_complete(&report);
    let stats = &report["stats"];
    assert_eq!(stats["handed_on"], 1, "{stats:#}");
    assert_eq!(stats["answered_then"], 1, "{stats:#}");
    assert_eq!(stats["unknown"], 0, "{stats:#}");
}

const OPAQUE: &str = "\
-module(opaque).
-export([slot/2, size/1, both/2]).

slot(Key, Value) ->
    case erlang:phash2(Key, 16) of
        11 -> eleven;
        Slot -> found(Key, [{0, Slot}], Value)
    end.

found(Key, [{Key, _} | _], v) -> v;
found(Key, [{Key, Slot} | _], _) -> Slot;
found(_, _, _) -> none.

size(List) ->
    Limit = round(math:log(length(List) + 1)),
    shrink(List, Limit).

shrink([_ | Rest], Limit) when Limit > 0 -> shrink(Rest, Limit - 1);
shrink([], _) -> [];
shrink(Rest, _) -> Rest.

both(Map, X) ->
    case Map of
        #{a := Y} when Y > 3 -> large;
        _ when X =:= Map -> same;
        _ -> none
    end.
";

#[test]
fn explored_runs_do_not_diverge_because_of_opaque_calls() {
    for (entry, is_complete) in [("slot/2", false), ("size/1", false), ("both/2", true)] {
        let report = report("opaque", OPAQUE, entry);
        assert_eq!(report["complete"], is_complete, "{entry}");
        assert_eq!(report["stats"]["divergences"], 0, "{entry}: {report:#}");
    }
    // The hash stays what it was while the rest is tried.
    let report = report("opaque", OPAQUE, "slot/2");
    assert!(endings(&report).contains(&"v".to_owned()), "{report:#}");
}

const TUPLES: &str = "\
-module(tuples).
-export([seventeen/1, twenty/1, third/1, size/1, larger/2, arity/1, own_arity/1]).
-export([odd/1]).

odd(T) when tuple_size(T) * 2 =:= 5 -> never;
odd(_) -> no.

seventeen({A, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, A}) -> same;
seventeen({_, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, b}) -> b;
seventeen(_) -> no.

twenty(T) when element(20, T) > 3, element(18, T) =:= b -> yes;
twenty(_) -> no.

third(T) -> element(30, T).

size(T) when tuple_size(T) > 40 -> large;
size(T) when tuple_size(T) > 20, tuple_size(T) < 22 -> middle;
size(T) when tuple_size(T) > 30, tuple_size(T) < 31 -> never;
size(_) -> no.

larger(T, U) when tuple_size(T) > tuple_size(U), tuple_size(U) > 16 -> yes;
larger(_, _) -> no.

arity(A) when is_function(none, A) orelse true -> arity;
arity(_) -> none.

own_arity(A) ->
    Fun = fun(_) -> A end,
    case A of
        _ when is_function(Fun, A) -> own;
        _ when is_function(Fun, A) orelse true -> other;
        _ -> none
    end.
";

#[test]
fn explored_tuples_may_be_large() {
    for (entry, expected) in [
        ("seventeen/1", vec!["b", "no", "same"]),
        ("twenty/1", vec!["no", "yes"]),
        ("third/1", vec!["0", "badarg"]),
        ("size/1", vec!["large", "middle", "no"]),
        ("larger/2", vec!["no", "yes"]),
    ] {
        let report = report("tuples", TUPLES, entry);
        assert_complete(&report);
        assert_eq!(endings(&report), expected, "{entry}");
    }
}

#[test]
fn explored_guards_fail_if_a_number_is_not_an_arity() {
    for (entry, expected) in [
        ("arity/1", vec!["arity", "none"]),
        ("own_arity/1", vec!["none", "other", "own"]),
    ] {
        let report = report("tuples", TUPLES, entry);
        assert_complete(&report);
        assert_eq!(endings(&report), expected, "{entry}");
    }
}
