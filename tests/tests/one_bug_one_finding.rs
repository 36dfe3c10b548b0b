//! A crash at one place for one reason is one finding, whichever functions and inputs lead there.

use end_to_end::tool::Workplace;
use serde_json::{Value, json};

const SHARED: &str = "\
-module(shared).
-export([one/1, two/2, three/1, throws/1, words/1, tagged/2, texts/1, sum/1, tail/1, wrapped/1,
         failing/1, grows/1]).

-spec one(integer()) -> integer().
one(N) -> divide(100, N).

-spec two(integer(), integer()) -> integer().
two(A, B) when A > 3 -> divide(A, B);
two(_, _) -> 0.

-spec three(1..9) -> integer().
three(N) -> divide(N, N).

divide(A, B) ->
    A div B.

-spec throws(integer()) -> no_return().
throws(N) when N > 10 -> throw(N * 2);
throws(N) when N < -10 -> throw(N * 2);
throws(N) when N > 5 -> throw(N);
throws(N) -> throw(N).

-spec words(red | green | blue | integer()) -> ok.
words(1) -> ok;
words(Word) -> throw(Word).

-spec tagged(a | b, [integer()]) -> no_return().
tagged(Tag, [_ | _] = List) -> error({wrong, Tag, List});
tagged(Tag, List) -> error({missing, Tag, List}).

-spec texts(string()) -> ok.
texts([$a | _] = Text) -> error(\"bad: \" ++ Text);
texts([]) -> error(\"empty\");
texts(_) -> ok.

-spec sum([integer() | a]) -> integer().
sum(List) ->
    Sum = lists:sum(List),
    Sum + 1.

-spec tail([integer() | a]) -> integer().
tail(List) ->
    lists:sum(List).

-spec wrapped(1..5) -> ok.
wrapped(1) -> fail(first);
wrapped(2) -> fail(second);
wrapped(_) -> ok.

fail(Reason) -> error({wrapped, Reason}).

-spec failing(#{} | [] | {integer()}) -> ok.
failing(Any) ->
    ok = Any.

-spec grows(integer()) -> [integer()].
grows(N) when N > 3 -> [N | grows(N)];
grows(_) -> [].
";

fn workplace() -> Workplace {
    let place = Workplace::new(env!("CARGO_BIN_EXE_erlconcolic-under-test"));
    place.with(&[("src/shared.erl", SHARED)])
}

fn report(place: &Workplace, arguments: &[&str]) -> Value {
    let words = [&["explore", "--format", "json"], arguments].concat();
    let run = place.run(&words);
    assert_eq!(run.status, 1, "{run:?}");
    serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {run:?}"))
}

fn findings(report: &Value) -> &[Value] {
    report["findings"].as_array().expect("a list")
}

/// The line of the source with this text.
fn line(text: &str) -> usize {
    let mut lines = SHARED.lines();
    1 + lines.position(|it| it.contains(text)).expect("it is there")
}

/// The only finding of a function.
fn only(entry: &str) -> Value {
    let report = report(&workplace(), &["--entry", entry]);
    let [finding] = findings(&report) else {
        panic!(
            "{entry}: {:#}",
            report.get("findings").unwrap_or(&Value::Null)
        );
    };
    finding.clone()
}

#[test]
fn a_crash_that_several_functions_lead_to_is_one_finding() {
    let entries = ["--entry", "one/1", "--entry", "two/2", "--entry", "three/1"];
    let place = workplace();
    let report = report(&place, &entries);
    let [finding] = findings(&report) else {
        panic!("{:#}", report["findings"]);
    };
    assert_eq!(finding["entry"], "shared:one/1");
    assert_eq!(finding["args"], json!(["0"]));
    assert_eq!(finding["line"], line("A div B"));
    let entries = finding["entries"].as_array().expect("a list");
    let names: Vec<&Value> = entries.iter().map(|it| &it["entry"]).collect();
    assert_eq!(names, ["shared:one/1", "shared:two/2"]);
    assert_eq!(entries[1]["args"], json!(["4", "0"]));
    let counts = report["entries"].as_array().expect("a list").iter();
    let counts: Vec<&Value> = counts.map(|it| &it["findings"]).collect();
    assert_eq!(counts, [1, 1, 0]);
    let text = place.run(&["explore", "--entry", "one/1", "--entry", "two/2"]);
    assert!(
        text.stdout.contains("also crashes here: shared:two(4, 0)"),
        "{text:?}"
    );
    assert!(text.stdout.contains(" tests, 1 finding; "), "{text:?}");
}

/// The findings of a function for these inputs alone.
fn of_inputs(entry: &str, inputs: &[String], more: &[&str]) -> Vec<Value> {
    let runs = inputs.len().to_string();
    let mut words = vec!["--entry", entry, "--no-spec", "--max-runs", &runs];
    words.extend(inputs.iter().flat_map(|it| ["--args", it]));
    words.extend(more);
    findings(&report(&workplace(), &words)).to_vec()
}

#[test]
fn reasons_that_differ_only_by_values_of_the_input_are_one() {
    let same = [
        (
            "words/1",
            "red green {blue,1} 17 2.5 \"text\" <<1>> #{a=>1} [a]",
            1,
        ),
        ("failing/1", "#{} [] {1} error {error,x}", 1),
        ("wrapped/1", "1 2", 2),
        ("texts/1", "[] \"a\" \"ab\" \"abc\"", 2),
    ];
    for (entry, inputs, count) in same {
        let inputs: Vec<String> = inputs.split(' ').map(|it| format!("[{it}]")).collect();
        let findings = of_inputs(entry, &inputs, &[]);
        assert_eq!(findings.len(), count, "{entry}: {findings:#?}");
    }
    let inputs = ["[a,[]]", "[b,[]]", "[a,[1]]", "[{b},[2,3]]"].map(str::to_owned);
    let findings = of_inputs("tagged/2", &inputs, &[]);
    assert_eq!(findings.len(), 2, "{findings:#?}");
}

#[test]
fn other_inputs_are_limited_unless_all_are_wanted() {
    let inputs: Vec<String> = (100..130).map(|it| format!("[{it}]")).collect();
    for (more, expected) in [(&[][..], 20), (&["--also", "all"][..], 30)] {
        let findings = of_inputs("words/1", &inputs, more);
        let [finding] = findings.as_slice() else {
            panic!("{findings:#?}");
        };
        let also = finding["also"].as_array().expect("a list");
        assert_eq!((also.len(), &finding["count"]), (expected, &json!(30)));
    }
}

#[test]
fn the_place_is_in_the_code_of_the_user() {
    let place = workplace();
    for (entry, text) in [
        ("sum/1", "Sum = lists:sum"),
        ("tail/1", "    lists:sum(List)."),
    ] {
        let finding = only(entry);
        let (file, line) = (&finding["file"], &finding["line"]);
        assert_eq!(
            (file, line),
            (&json!("src/shared.erl"), &json!(self::line(text)))
        );
        let stack = finding["stack"].as_array().expect("a list");
        assert!(
            stack
                .iter()
                .any(|it| it.as_str().is_some_and(|it| it.starts_with("lists:sum/2")))
        );
        let shown = place.run(&["explore", "--entry", entry]).stdout;
        assert!(
            shown.contains("here: lists:sum/1 raises badarith"),
            "{shown}"
        );
    }
}

/// Instrumented code runs out of time, and the original code out of memory.
#[test]
fn a_run_that_does_not_end_is_one_finding() {
    let place = workplace();
    let words = [
        "--entry",
        "grows/1",
        "--run-timeout",
        "2000",
        "--max-runs",
        "6",
    ];
    let report = report(&place, &words);
    let [finding] = findings(&report) else {
        panic!("{report:#}");
    };
    let outcome = finding["outcome"].as_str().expect("a text");
    assert!(["timeout", "killed"].contains(&outcome), "{outcome}");
    let gaps = report["incomplete"].as_array().expect("a list");
    assert!(
        gaps.iter().all(|it| it["code"] != "unconfirmed"),
        "{gaps:?}"
    );
}
