//! Funs as inputs, as a user meets them: a fun in a report can be given back to the tool and to
//! Erlang, and means the same there.

use std::fmt::Write;
use std::fs;

use end_to_end::erlang::{compile_folders, run_main, temporary_folder};
use end_to_end::tool::Workplace;
use erlang_term::{TableFun, Term};
use serde_json::Value;

const HOOKS: &str = "\
-module(hooks).
-export([twice/2, both/1, any/1, given/2]).

-spec twice(fun((integer()) -> integer()), integer()) -> integer().
twice(F, N) ->
    case F(F(N)) of
        9 when N > 3 -> error(nine);
        Result -> Result
    end.

-spec both({fun((#{atom() => integer()}) -> [atom()]), fun(() -> fun((a | b) -> atom()))}) ->
    atom().
both({F, G}) ->
    case {F(#{}), (G())(a)} of
        {[x | _], y} -> error(both);
        {_, Atom} -> Atom
    end.

any(F) when is_function(F, 2) -> F(1, [2]);
any(F) -> F(1).

-spec given(fun((term(), integer()) -> integer()), fun(() -> integer())) -> integer().
given(F, G) ->
    case {F(G, 1), F([{fun any/1, #{}}], G()), F(G, 2)} of
        {7, 8, 9} -> error(given);
        {N, _, _} -> N
    end.
";

fn workplace() -> Workplace {
    Workplace::new(env!("CARGO_BIN_EXE_erlconcolic-under-test")).with(&[("hooks.erl", HOOKS)])
}

fn report(place: &Workplace, entry: &str, more: &[&str]) -> Value {
    let arguments = ["explore", "hooks.erl", "--entry", entry, "--format", "json"];
    let run = place.run(&[&arguments, more].concat());
    serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {run:?}"))
}

fn tests(report: &Value) -> &[Value] {
    report["tests"].as_array().expect("tests are a list")
}

#[test]
fn a_fun_can_be_given_as_it_is_shown() {
    let place = workplace();
    let run = |arguments: &str| {
        let words = [
            "run",
            "hooks.erl",
            "--entry",
            "twice/2",
            "--args",
            arguments,
        ];
        place.run(&words)
    };
    assert_eq!(
        run("[fun(3) -> 42; (_) -> 0 end, 3]").success(),
        "hooks:twice(fun(3) -> 42; (_) -> 0 end, 3) returned 0\n"
    );
    assert_eq!(
        run("[fun(4) -> 5; (5) -> 6; (_) -> 0 end, 4]").success(),
        "hooks:twice(fun(4) -> 5; (5) -> 6; (_) -> 0 end, 4) returned 6\n"
    );
    assert_eq!(
        run("[fun(F) when is_function(F, 1) -> 5; (4) -> 6; (_) -> 0 end, 4]").success(),
        "hooks:twice(fun(4) -> 6; (F1) when is_function(F1, 1) -> 5; (_) -> 0 end, 4) returned 0\n"
    );
    let refused = run("[fun(X) -> X end, 3]");
    assert_eq!(refused.status, 2);
    assert!(refused.stderr.contains("bad-arguments"), "{refused:?}");
}

#[test]
fn funs_of_a_report_do_the_same_again() {
    let place = workplace();
    for (entry, reasons) in [
        ("twice/2", vec!["nine"]),
        ("both/1", vec!["both"]),
        ("any/1", vec!["{badfun,", "{badarity,"]),
        ("given/2", vec!["given"]),
    ] {
        let report = report(&place, entry, &[]);
        let findings = report["findings"].as_array().expect("findings are a list");
        for reason in reasons {
            let has_reason = |it: &Value| {
                let text = it["reason"].as_str().unwrap_or_default();
                text.starts_with(reason)
            };
            assert!(findings.iter().any(has_reason), "{reason}: {findings:?}");
        }
        assert_eq!(report["stats"]["divergences"], 0);
        for test in tests(&report) {
            let arguments = test["args"].as_array().expect("arguments are a list");
            let arguments: Vec<&str> = arguments.iter().filter_map(Value::as_str).collect();
            let list = format!("[{}]", arguments.join(", "));
            let words = ["run", "hooks.erl", "--entry", entry, "--args", &list];
            let run = place.run(&[&words[..], &["--format", "json"]].concat());
            let again: Value = serde_json::from_str(&run.stdout)
                .unwrap_or_else(|error| panic!("{error}: {list}: {run:?}"));
            for key in ["args", "outcome", "result", "reason"] {
                assert_eq!(again[key], test[key], "{key} of {list}");
            }
        }
    }
}

#[test]
fn a_search_with_funs_is_resumed_where_it_was() {
    let place = workplace();
    let undisturbed = report(&place, "both/1", &[]);
    let state = ["--state", "state"];
    let cut = report(
        &place,
        "both/1",
        &[&state[..], &["--max-runs", "2"]].concat(),
    );
    assert_eq!(tests(&cut).len(), 2);
    let resumed = report(&place, "both/1", &[&state[..], &["--resume"]].concat());
    assert_eq!(resumed["tests"], undisturbed["tests"]);
    assert_eq!(resumed["findings"], undisturbed["findings"]);
}

/// Numbers that look random and are the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = self.0.wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }

    fn term(&mut self, depth: u32) -> Term {
        let inner = depth.saturating_sub(1);
        match self.below(if depth == 0 { 5 } else { 9 }) {
            0 => Term::Integer((i64::try_from(self.below(4)).expect("small") - 1).into()),
            1 => Term::Float(if self.below(2) == 0 { 1.0 } else { -2.5e10 }),
            2 if self.below(2) == 0 => Term::atom("It's"),
            2 => Term::atom("fun"),
            3 => Term::Bits(vec![1, 0b1010_0000], 3),
            4 => Term::list([]),
            5 => {
                let elements = vec![self.term(inner), self.term(inner)];
                Term::list_before(elements, self.term(inner))
            }
            6 => Term::Tuple(vec![self.term(inner), self.term(inner)]),
            7 => Term::Map(vec![(self.term(0), self.term(inner))]),
            _ => Term::list([Term::Integer(97.into()), Term::Integer(10.into())]),
        }
    }

    fn arguments(&mut self, arity: u8) -> Vec<Term> {
        (0..arity).map(|_| self.argument(2)).collect()
    }

    /// A term that may contain funs.
    fn argument(&mut self, depth: u32) -> Term {
        let inner = depth.saturating_sub(1);
        match self.below(if depth == 0 { 2 } else { 6 }) {
            0 => {
                let arity = u8::try_from(self.below(3)).expect("small");
                Term::TableFun(Box::new(TableFun::any(arity)))
            }
            2 => Term::Tuple(vec![self.argument(inner), self.argument(inner)]),
            3 => {
                let elements = vec![self.argument(inner)];
                Term::list_before(elements, self.argument(inner))
            }
            4 => Term::Map(vec![(Term::atom("key"), self.argument(inner))]),
            _ => self.term(depth),
        }
    }
}

/// Each line is a fun as it is shown, and its results for some arguments.
#[test]
fn the_source_of_a_table_means_the_table() {
    let mut random = Random(7);
    let mut text = String::new();
    for _ in 0..500 {
        let arity = u8::try_from(random.below(4)).expect("small");
        let entries = (0..random.below(5)).map(|_| (random.arguments(arity), random.term(2)));
        let fun = TableFun::new(arity, entries.collect(), random.term(2));
        let mut calls: Vec<(Vec<Term>, Term)> = fun.entries().to_vec();
        for _ in 0..3 {
            let arguments = random.arguments(arity);
            if calls.iter().all(|it| it.0 != arguments) {
                calls.push((arguments, fun.default().clone()));
            }
        }
        let calls = calls
            .into_iter()
            .map(|(arguments, result)| Term::Tuple(vec![Term::list(arguments), result]));
        let _ = writeln!(text, "{{{fun}, {}}}.", Term::list(calls));
    }
    let (tools, folder) = (compile_folders(&["erlang"]), temporary_folder());
    let file = folder.path().join("tables");
    fs::write(&file, text).expect("the tables can be written");
    let finished = run_main(tools.path(), "table_check", &[&file]);
    assert_eq!(finished.status, 0, "{}", finished.text);
}
