//! A process that is killed by a signal, and one that takes too much memory.

use end_to_end::tool::Workplace;
use serde_json::Value;

const DIES: &str = "\
-module(dies).
-export([f/1]).

-spec f(integer()) -> term().
f(7) ->
    exit(self(), kill);
f(8) ->
    Parent = self(),
    spawn(fun() -> exit(Parent, kill) end),
    receive never -> ok end;
f(9) ->
    grow([]);
f(_) ->
    ok.

grow(List) ->
    grow([List | List]).
";

#[test]
fn a_kill_is_an_exit_and_too_much_memory_is_not() {
    let binary = env!("CARGO_BIN_EXE_erlconcolic-under-test");
    let place = Workplace::new(binary).with(&[("dies.erl", DIES)]);
    let arguments = ["explore", "dies.erl", "--entry", "f/1", "--format", "json"];
    // The program must run out of memory before it runs out of time.
    let run = place.run(
        &[
            &arguments[..],
            &["--run-timeout", "60000", "--timeout", "600"],
        ]
        .concat(),
    );
    assert_eq!(run.status, 1, "{run:?}");
    let report: Value = serde_json::from_str(&run.stdout).expect("the report is JSON");
    let tests = report["tests"].as_array().expect("tests are a list");
    let ended = |input: &str| {
        let test = tests.iter().find(|test| test["args"][0] == input);
        let test = test.unwrap_or_else(|| panic!("there is no {input}: {report:#}"));
        (&test["outcome"], &test["class"], &test["reason"])
    };
    let (exit, killed) = (Value::from("exit"), Value::from("killed"));
    assert_eq!(ended("7"), (&exit, &exit, &killed));
    assert_eq!(ended("8"), (&exit, &exit, &killed));
    assert_eq!(ended("9"), (&killed, &Value::Null, &Value::Null));
    let findings = report["findings"].as_array().expect("findings are a list");
    let exits = findings.iter().filter(|it| it["class"] == "exit");
    assert_eq!(
        exits.filter(|it| it["reason"] == "killed").count(),
        1,
        "{report:#}"
    );
}
