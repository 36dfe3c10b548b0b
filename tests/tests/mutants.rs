//! Mutants, the small mistakes with which `make bench` measures generated tests.

use std::fs;

use end_to_end::erlang::{compile_folders, erlc, evaluate, package_path, run_main};
use end_to_end::tool::Workplace;
use insta::assert_snapshot;

const SOURCE: &str = "\
-module(small).
-export([f/2]).
f(X, true) when X < 1, is_integer(X); X == $a -> X + 2;
f(_, _) -> lists:max([some, x]).
";

#[test]
fn a_mutant_has_one_mistake() {
    let tools = compile_folders(&["erlang_tools"]);
    fs::write(tools.path().join("small.erl"), SOURCE).expect("it can be written");
    let expression = "{ok, Forms} = epp:parse_file(\"small.erl\", []), \
        [io:format(\"~ts\", [[erl_pp:form(F) || {function, _, _, _, _} = F <- M]]) \
         || M <- mutation:mutants(Forms)], halt(0).";
    let finished = evaluate(tools.path(), expression);
    assert_eq!(finished.status, 0, "{}", finished.text);
    assert_snapshot!(finished.text);
}

#[test]
fn generated_tests_catch_more_mistakes_than_random_inputs() {
    let tools = compile_folders(&["erlang_tools"]);
    let source = package_path("../samples/calculator/calculator.erl");
    let source = source.to_str().expect("the path is UTF-8");
    let file = tools.path().join("calculator_tests.erl");
    let file = file.to_str().expect("the path is UTF-8");
    let place = Workplace::new(env!("CARGO_BIN_EXE_erlconcolic-under-test"));
    let entry = ["--entry", "calculate/1", "--max-runs", "100"];
    let run = place.run(&[&["explore", source, "--eunit", file][..], &entry].concat());
    assert_eq!(run.status, 1, "{run:?}");
    erlc(tools.path(), [], &[file]);
    let arguments = [source, "calculator_tests", "calculate/1"];
    let finished = run_main(tools.path(), "mutant_kills", &arguments);
    assert_eq!(finished.status, 0, "{}", finished.text);
    let figures = finished.text.split_whitespace().map(str::parse);
    let figures: Vec<u32> = figures.collect::<Result<_, _>>().expect("numbers");
    let [mutants, tests, by_tests, by_100, by_1_000, by_10_000] = figures[..] else {
        panic!("six figures: {figures:?}");
    };
    assert!(mutants > 30 && tests > 50, "{figures:?}");
    assert!(
        by_tests < mutants,
        "some mutants mean the same: {figures:?}"
    );
    let counts = [by_100, by_1_000, by_10_000, by_tests];
    assert!(counts.is_sorted() && by_10_000 < by_tests, "{figures:?}");
}
