//! `explore --pre` and `--post`.

use end_to_end::tool::Workplace;
use insta::assert_snapshot;
use serde_json::Value;

const ORDER: &str = "\
-module(order).
-export([insert/2, takes/2, gives/3, is_sorted/1, first/1, strange/1]).

insert(X, []) -> [X];
insert(X, [Y | T]) when X =< Y -> [X, Y | T];
insert(X, [Y, Z | T]) when X =< Z -> [Y, Z, X | T];
insert(X, [Y | T]) -> [Y | insert(X, T)].

takes(X, List) -> is_integer(X) andalso is_sorted(List).

gives(_, _, Result) -> is_sorted(Result).

is_sorted([]) -> true;
is_sorted([X]) -> is_integer(X);
is_sorted([X, Y | T]) -> is_integer(X) andalso X =< Y andalso is_sorted([Y | T]).

first(List) -> hd(List).

strange(_) -> error(strange).
";

fn workplace() -> Workplace {
    Workplace::new(env!("CARGO_BIN_EXE_erlconcolic-under-test")).with(&[("order.erl", ORDER)])
}

fn report(place: &Workplace, arguments: &[&str]) -> Value {
    let arguments = [&["explore"], arguments, &["--format", "json"]].concat();
    let run = place.run(&arguments);
    serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {run:?}"))
}

const INSERT: [&str; 7] = [
    "order.erl",
    "--entry",
    "insert/2",
    "--pre",
    "takes/2",
    "--post",
    "order:gives/3",
];

#[test]
fn a_postcondition_that_is_false_is_a_finding() {
    let report = report(&workplace(), &INSERT);
    let findings = report["findings"].as_array().expect("a list");
    let [finding] = findings.as_slice() else {
        panic!("{findings:?}");
    };
    assert_eq!(finding["class"], "error");
    assert_eq!(finding["confirmed"], true);
    assert_eq!(
        (&finding["file"], &finding["line"]),
        (&"order.erl".into(), &4.into())
    );
    let reason = finding["reason"].as_str().expect("a text");
    assert!(
        reason.starts_with("{postcondition,{order,gives,3},["),
        "{reason}"
    );
    assert_eq!(report["complete"], true);
    assert_eq!(report["stats"]["divergences"], 0);
}

#[test]
fn only_inputs_that_fulfil_the_precondition_are_tests() {
    let report = report(&workplace(), &INSERT);
    let tests = report["tests"].as_array().expect("a list");
    assert!(tests.len() > 5);
    for (index, test) in tests.iter().enumerate() {
        assert_eq!(test["id"], index + 1);
        assert!(
            test["parent"]
                .as_u64()
                .is_none_or(|parent| parent <= index as u64)
        );
        let list: Vec<i64> = serde_json::from_str(test["args"][1].as_str().expect("a text"))
            .expect("a list of integers");
        assert!(list.is_sorted(), "{test}");
    }
    let rejected = report["stats"]["rejected"].as_u64().expect("a number");
    assert!(rejected > 0);
    let runs = report["stats"]["runs"].as_u64().expect("a number");
    assert_eq!(runs, rejected + tests.len() as u64);
}

#[test]
fn a_build_folder_has_contracts_too() {
    let place = workplace();
    assert_eq!(
        place.run(&["instrument", "order.erl", "-o", "made"]).status,
        0
    );
    let mut arguments = INSERT;
    arguments[0] = "made";
    let (built, compiled) = (report(&place, &arguments), report(&place, &INSERT));
    assert_eq!(built["tests"], compiled["tests"]);
    assert_eq!(built["findings"], compiled["findings"]);
}

#[test]
fn conditions_are_shown_for_reading() {
    let place = workplace();
    let text = |arguments: &[&str]| {
        place
            .run(&[&["explore", "order.erl"], arguments].concat())
            .stdout
    };
    let insert = [
        "--entry", "insert/2", "--pre", "takes/2", "--post", "gives/3",
    ];
    assert_snapshot!("broken", text(&insert));
    let first = [
        "--entry",
        "first/1",
        "--pre",
        "is_sorted/1",
        "--post",
        "is_sorted/1",
    ];
    assert_snapshot!("crash", text(&first));
    // A precondition that raises counts as false.
    assert_snapshot!("never", text(&["--entry", "first/1", "--pre", "strange/1"]));
}

#[test]
fn wrong_conditions_are_errors() {
    let place = workplace();
    let mut all = String::new();
    for condition in [
        ["--pre", "takes/2"],
        ["--pre", "order:nothing/1"],
        ["--pre", "nonsense"],
        ["--post", "gives/3"],
    ] {
        let arguments = [
            &["explore", "order.erl", "--entry", "first/1"],
            &condition[..],
        ]
        .concat();
        let run = place.run(&arguments);
        assert_eq!((run.status, run.stdout.as_str()), (2, ""));
        all.push_str(&run.stderr);
    }
    assert_snapshot!(all);
}

const FUNS: &str = "\
-module(funs).
-export([count/2, last/2]).

-spec count(fun((pos_integer()) -> integer()), integer()) -> integer().
count(Each, N) ->
    1 + Each(N).

-spec last(fun(([atom()]) -> integer()), list()) -> integer().
last(F, [_ | Rest]) -> F(Rest);
last(_, []) -> 0.
";

#[test]
fn what_funs_are_given_is_checked_with_contracts() {
    let place = workplace().with(&[("funs.erl", FUNS)]);
    let explore = |more: &[&str]| {
        let arguments = ["explore", "funs.erl", "--all", "--format", "json"];
        place.run(&[&arguments, more].concat())
    };
    let unchecked = explore(&[]);
    assert_eq!(unchecked.status, 0, "{unchecked:?}");
    let checked = explore(&["--contracts", "--eunit", "funs_tests.erl"]);
    assert_eq!(checked.status, 1, "{checked:?}");
    let report: Value = serde_json::from_str(&checked.stdout).expect("the report is JSON");
    let findings = report["findings"].as_array().expect("a list");
    let found = findings.iter().map(|it| {
        let reason = it["reason"].as_str().expect("a text");
        assert_eq!(it["confirmed"], true, "{it}");
        (reason, it["line"].as_u64())
    });
    let found: Vec<_> = found.collect();
    let [(first, Some(6)), (second, Some(9))] = found.as_slice() else {
        panic!("{found:?}");
    };
    assert!(
        first.starts_with("{fun_contract,{funs,count,2},["),
        "{first}"
    );
    assert!(
        second.starts_with("{fun_contract,{funs,last,2},["),
        "{second}"
    );
    assert_eq!(report["stats"]["divergences"], 0);
    let tests = place.read("funs_tests.erl");
    assert!(tests.contains("it gives a fun something that is not of the fun's type"));
    place.write("report.json", checked.stdout.as_bytes());
    let replay = ["replay", "report.json", "funs.erl"];
    assert_eq!(place.run(&replay).status, 2);
    let replayed = place.run(&[&replay[..], &["--contracts"]].concat());
    assert_eq!(replayed.status, 1, "{replayed:?}");
    assert!(replayed.stdout.contains("still fail"), "{replayed:?}");
    assert!(!replayed.stdout.contains("fixed"), "{replayed:?}");
    let human = ["explore", "funs.erl", "--entry", "count/2", "--contracts"];
    assert_snapshot!("fun_contract", place.run(&human).stdout);
}
