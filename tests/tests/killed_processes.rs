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

const KILLS: &str = "\
-module(kills).
-export([steps/0, waits/1, gets/1, alive/0, linked/0]).

steps() ->
    T = ets:new(t, [public]),
    P = spawn(fun() -> ets:insert(T, {a, 1}), ets:insert(T, {a, 2}) end),
    spawn(fun() -> exit(P, kill) end),
    receive after 10 -> ets:lookup(T, a) end.

-spec waits(0..5) -> term().
waits(X) ->
    T = ets:new(t, [public]),
    P = spawn(fun() -> receive X -> ets:insert(T, {a, X}) end end),
    spawn(fun() -> P ! 3 end),
    spawn(fun() -> exit(P, kill) end),
    receive after 10 -> ets:lookup(T, a) end.

-spec gets(0..9) -> term().
gets(X) ->
    T = ets:new(t, [public]),
    P = spawn(fun() -> receive Y when Y > 5 -> ets:insert(T, {a, big});
                               _ -> ets:insert(T, {a, small}) end end),
    P ! X,
    exit(P, kill),
    ets:lookup(T, a).

alive() ->
    P = spawn(fun() -> ok end),
    {is_process_alive(P), is_process_alive(P)}.

linked() ->
    P = spawn(fun() ->
                  spawn_link(fun() -> exit(bad) end),
                  receive never -> ok end
              end),
    is_process_alive(P).
";

#[test]
fn a_kill_comes_before_each_step() {
    let binary = env!("CARGO_BIN_EXE_erlconcolic-under-test");
    let place = Workplace::new(binary).with(&[("kills.erl", KILLS)]);
    let explore = |entry: &str| {
        let run = place.run(&["explore", "kills.erl", "--entry", entry, "--format", "json"]);
        let report: Value = serde_json::from_str(&run.stdout).expect("the report is JSON");
        let tests = report["tests"]
            .as_array()
            .expect("tests are a list")
            .clone();
        let mut results: Vec<String> = tests.iter().map(|it| it["result"].to_string()).collect();
        results.sort();
        results.dedup();
        (tests.len(), results.join(" "), report["incomplete"].clone())
    };
    let complete = Value::Array(Vec::new());
    for (entry, runs, results) in [
        ("steps/0", 4, r#""[]" "[{a,1}]" "[{a,2}]""#),
        ("waits/1", 5, r#""[]" "[{a,3}]""#),
        ("gets/1", 6, r#""[]" "[{a,big}]" "[{a,small}]""#),
        (
            "alive/0",
            3,
            r#""{false,false}" "{true,false}" "{true,true}""#,
        ),
    ] {
        let expected = (runs, results.to_owned(), complete.clone());
        assert_eq!(explore(entry), expected, "{entry}");
    }
    let (_, results, gaps) = explore("linked/0");
    assert_eq!((results.as_str(), gaps), (r#""false" "true""#, complete));
}
