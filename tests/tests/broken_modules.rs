//! Sources that do not compile, beside others that do.

use end_to_end::tool::{Run, Workplace};
use serde_json::Value;

/// `broken:g/1` is called for 7; 8 is a bug.
const FINE: &str = "\
-module(fine).
-export([f/1, g/1, h/1]).

-spec f(integer()) -> term().
f(7) -> broken:g(7);
f(8) -> error(bug);
f(_) -> ok.

-spec g(integer()) -> term().
g(X) -> X.

-spec h(integer()) -> term().
h(7) -> M = list_to_atom(\"bro\" ++ \"ken\"), apply(M, g, [1]);
h(8) -> lists:map(fun broken:g/1, [1]);
h(_) -> ok.
";

const BROKEN: &str = "\
-module(broken).
-export([g/1]).
-spec g(integer()) -> term().
g(X) -> X + Y.
";

fn workplace() -> Workplace {
    let files = [("src/fine.erl", FINE), ("src/broken.erl", BROKEN)];
    Workplace::new(env!("CARGO_BIN_EXE_erlconcolic-under-test")).with(&files)
}

fn explored(place: &Workplace, status: i32, arguments: &[&str]) -> (Run, Value) {
    let run = place.run(&[&["explore", "--format", "json"], arguments].concat());
    assert_eq!(run.status, status, "{run:?}");
    let report = serde_json::from_str(&run.stdout).expect("the report is JSON");
    (run, report)
}

fn gaps(report: &Value) -> Vec<(&str, &str)> {
    let gaps = report["incomplete"].as_array().expect("gaps are a list");
    let texts = gaps
        .iter()
        .map(|gap| (gap["code"].as_str(), gap["what"].as_str()));
    texts
        .map(|(code, what)| (code.expect("a code"), what.expect("a subject")))
        .collect()
}

#[test]
fn another_module_is_explored() {
    let place = workplace();
    let (run, report) = explored(&place, 1, &["src", "--entry", "fine:f/1"]);
    assert!(
        run.stderr
            .contains("warning[compile]: variable 'Y' is unbound"),
        "{run:?}"
    );
    assert!(
        run.stderr.contains("warning[not-compiled]: src/broken.erl"),
        "{run:?}"
    );
    let findings = report["findings"].as_array().expect("findings are a list");
    assert_eq!(findings.len(), 1, "{report:#}");
    assert_eq!(report["findings"][0]["reason"], "bug");
    assert_eq!(report["complete"], false);
    let called = "broken:g/1 was called, and src/broken.erl does not compile";
    let expected = [("cut-run", called), ("not-compiled", "src/broken.erl")];
    assert_eq!(gaps(&report), expected, "{report:#}");
}

#[test]
fn calls_by_computed_names_are_no_findings() {
    let (_, report) = explored(&workplace(), 0, &["src", "--entry", "fine:h/1"]);
    assert_eq!(report["findings"], Value::Array(Vec::new()), "{report:#}");
    assert!(
        gaps(&report).iter().any(|gap| gap.0 == "cut-run"),
        "{report:#}"
    );
}

#[test]
fn a_search_that_needs_nothing_of_it_is_incomplete() {
    let place = workplace();
    let (_, report) = explored(&place, 0, &["src", "--entry", "fine:g/1"]);
    assert_eq!(report["complete"], false);
    assert_eq!(gaps(&report), [("not-compiled", "src/broken.erl")]);
    let (_, all) = explored(&place, 1, &["src", "--all"]);
    let count = gaps(&all)
        .iter()
        .filter(|gap| gap.0 == "not-compiled")
        .count();
    assert_eq!(count, 1, "{all:#}");
}

#[test]
fn a_function_of_the_broken_module_is_an_error() {
    let place = workplace();
    for choice in [["--entry", "broken:g/1"], ["--module", "broken"]] {
        let run = place.run(&["explore", "src", choice[0], choice[1]]);
        assert_eq!(run.status, 2, "{run:?}");
        assert!(
            run.stderr
                .contains("error[compile]: variable 'Y' is unbound"),
            "{run:?}"
        );
    }
    let nothing = place.run(&["explore", "src/broken.erl", "--all"]);
    assert_eq!(nothing.status, 2, "{nothing:?}");
    assert!(nothing.stderr.contains("error[compile]"), "{nothing:?}");
}

#[test]
fn one_input_is_run() {
    let place = workplace();
    let run = |argument| {
        let run = place.run(&["run", "src", "--entry", "fine:f/1", "--args", argument]);
        assert_eq!(run.status, 0, "{run:?}");
        run.stdout
    };
    assert_eq!(run("[1]"), "fine:f(1) returned ok\n");
    let text = "fine:f(7) called broken:g/1, but src/broken.erl does not compile\n";
    assert_eq!(run("[7]"), text);
}

#[test]
fn a_build_needs_all_modules() {
    let run = workplace().run(&["instrument", "src", "-o", "build"]);
    assert_eq!(run.status, 2, "{run:?}");
    assert!(run.stderr.contains("error[compile]"), "{run:?}");
}
