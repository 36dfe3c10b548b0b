//! `erlconcolic eunit`: the user's tests on instrumented code, and a search from their inputs.

use end_to_end::tool::Workplace;
use serde_json::Value;

const TOOL: &str = env!("CARGO_BIN_EXE_erlconcolic-under-test");

/// Only the inputs of the tests lead past the check in `open/1`.
const SAFE: &str = "-module(safe).
-export([open/1, twice/1]).
-ifdef(TEST).
-include_lib(\"eunit/include/eunit.hrl\").
-endif.

-spec open({binary(), integer()}) -> ok | locked.
open({Code, Turns}) ->
    case erlang:phash2(Code, 1 bsl 27) of
        46475230 when Turns > 3 -> error(broken);
        46475230 -> ok;
        _ -> locked
    end.

twice(X) -> X * 2.

-ifdef(TEST).
twice_test() -> ?assertEqual(4, twice(2)).
-endif.
";

fn tests_of_safe() -> String {
    "-module(safe_tests).
-include_lib(\"eunit/include/eunit.hrl\").

open_test_() ->
    {\"opening\", [?_assertEqual(ok, safe:open({<<\"secret\">>, 1})),
                  ?_assertEqual(locked, safe:open({<<\"other\">>, 1}))]}.

outside_of_the_spec_test() -> ?assertError(function_clause, safe:open(none)).

files_may_be_written_test() ->
    ok = file:write_file(\"written.txt\", <<>>),
    ok = file:delete(\"written.txt\").
"
    .to_owned()
}

fn workplace(tests: &str) -> Workplace {
    let hash = "erlang:phash2(<<\"secret\">>, 1 bsl 27)";
    let source = SAFE.replace("46475230", &evaluated(hash));
    Workplace::new(TOOL).with(&[("src/safe.erl", &source), ("test/safe_tests.erl", tests)])
}

fn evaluated(expression: &str) -> String {
    let program = format!("io:format(\"~w\", [{expression}]), halt().");
    let erl = std::process::Command::new("erl")
        .args(["-noshell", "-eval", &program])
        .output()
        .expect("there is Erlang");
    String::from_utf8(erl.stdout).expect("it prints a number")
}

#[test]
fn tests_give_inputs_that_no_solver_finds() {
    let place = workplace(&tests_of_safe());
    let run = place.run(&["eunit", "--format", "json"]);
    assert_eq!(run.status, 1, "{}", run.stderr);
    let report: Value = serde_json::from_str(&run.stdout).expect("it is a report");
    let counts = serde_json::json!({"tests": 5, "failed": 0, "skipped": 0, "seeds": 4});
    assert_eq!(report.get("eunit"), Some(&counts), "{report:#}");
    let finding = report.pointer("/findings/0").expect("there is a finding");
    assert_eq!(finding.get("entry"), Some(&Value::from("safe:open/1")));
    assert_eq!(
        finding.get("args"),
        Some(&serde_json::json!([r#"{<<"secret">>,4}"#]))
    );
    assert!(run.stderr.contains("5 unit tests passed, 0 failed"));
}

#[test]
fn a_test_that_fails_is_shown_in_the_words_of_the_program() {
    let tests = "-module(safe_tests).\n-export([wrong_test/0]).\n\
        wrong_test() -> 5 = safe:twice(2), ok.\n";
    let run = workplace(tests).run(&["eunit"]);
    assert_eq!(run.status, 1, "{}", run.stderr);
    let expected = "failed: safe_tests:wrong_test/0\n";
    assert!(run.stdout.starts_with(expected), "{}", run.stdout);
    assert!(
        run.stdout.contains("no match of right hand side value 4"),
        "{}",
        run.stdout
    );
    assert!(run.stdout.contains("test/safe_tests.erl"), "{}", run.stdout);
    assert!(!run.stdout.contains('@'), "{}", run.stdout);
}

#[test]
fn tests_that_cannot_be_run_are_errors() {
    let halting = "-module(safe_tests).\n-export([gone_test/0]).\ngone_test() -> halt().\n";
    let endless = "-module(safe_tests).\n-export([stuck_test_/0]).\n\
        stuck_test_() -> {timeout, 600, fun loop/0}.\nloop() -> loop().\n";
    let untested = "-module(safe_tests).\n-export([f/0]).\nf() -> ok.\n";
    for (tests, options, words) in [
        (halting, &["eunit"][..], "the tests ended their BEAM"),
        (
            endless,
            &["eunit", "--timeout", "15"],
            "did not end in time",
        ),
        (halting, &["eunit", "src/"], ""),
        (untested, &["eunit", "test/"], "no EUnit tests were found"),
    ] {
        let run = workplace(tests).run(options);
        if words.is_empty() {
            assert_eq!(run.status, 0, "{}", run.stderr);
        } else {
            assert_eq!(run.status, 2, "{}", run.stderr);
            assert!(run.stderr.contains(words), "{}", run.stderr);
        }
    }
}

#[test]
fn an_empty_folder_has_no_tests() {
    let run = Workplace::new(TOOL).run(&["eunit"]);
    assert_eq!(run.status, 2);
    assert!(
        run.stderr.contains("neither src/ nor test/"),
        "{}",
        run.stderr
    );
}
