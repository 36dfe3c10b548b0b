//! Reports for CI: SARIF, JUnit XML and workflow commands of GitHub.
//!
//! SARIF is checked against the schema that the crate `serde-sarif` carries. No package carries a
//! schema of JUnit XML, so what we print is read back by another reader, and its rules are checked
//! here.

use std::fs;
use std::path::Path;
use std::process::Command;

use end_to_end::tool::{Run, Workplace};
use quick_junit::{NonSuccessKind, Report, TestCaseStatus};
use serde_json::Value;
use serde_sarif::sarif::Sarif;

/// One finding that is accepted, one without a place, one in a file with an odd name, one that is
/// unlikely, and one that needs a schedule.
const SHOP: &str = "\
-module(shop).
-export([share/2, waits/1, calls/2, fine/1, watch/1, meets/1]).

-spec share(integer(), integer()) -> integer().
share(Amount, People) -> Amount div People.

-spec waits(1..2) -> ok.
waits(1) -> ok;
waits(2) -> waits(2).

-spec calls(module(), atom()) -> term().
calls(Module, Function) -> Module:Function().

-spec fine(integer()) -> integer().
fine(N) -> N.

-spec watch(pid()) -> ok.
watch(_) -> ok.

-spec meets(0..3) -> ok.
meets(N) ->
    Self = self(),
    spawn(fun() -> Self ! a end),
    spawn(fun() -> Self ! b end),
    receive
        b when N =:= 2 -> receive never -> ok end;
        _ -> ok
    end.
";

const ODD: &str = "\
-module('odd, 50%').
-export([f/1]).
-spec f([a]) -> ok.
f([]) -> ok;
f(_) -> error(\"<a> & \\\"b\\\"\\n50%:\").
";

fn workplace() -> Workplace {
    let place = Workplace::new(env!("CARGO_BIN_EXE_erlconcolic-under-test"));
    place.with(&[
        ("src/shop.erl", SHOP),
        ("src/odd, 50%.erl", ODD),
        (
            "erlconcolic.accept",
            "shop:share/2  error  badarith  src/shop.erl\n",
        ),
    ])
}

fn explore(format: &str) -> Run {
    let words = [
        "explore",
        "--all",
        "--run-timeout",
        "300",
        "--format",
        format,
    ];
    let run = workplace().run(&words);
    assert_eq!(run.status, 1, "{run:?}");
    run
}

/// The schema of SARIF 2.1.0, among the sources of the crate.
fn sarif_schema() -> Value {
    let output = |program: &str, arguments: &[&str]| {
        let mut command = Command::new(program);
        command
            .args(arguments)
            .current_dir(env!("CARGO_MANIFEST_DIR"));
        command.output().expect("it can be started").stdout
    };
    let versions = output("rustc", &["-vV"]);
    let versions = String::from_utf8_lossy(&versions);
    let host = versions.lines().find_map(|it| it.strip_prefix("host: "));
    // Crates for other platforms may not be there.
    let words = [
        "metadata",
        "--format-version",
        "1",
        "--offline",
        "--filter-platform",
    ];
    let words = [&words[..], &[host.expect("it names the platform")]].concat();
    let metadata = output(env!("CARGO"), &words);
    let metadata: Value = serde_json::from_slice(&metadata).expect("it is JSON");
    let packages = metadata.get("packages").and_then(Value::as_array);
    let packages = packages.expect("a list");
    let package = packages.iter().find(|it| it["name"] == "serde-sarif");
    let manifest = package.and_then(|it| it["manifest_path"].as_str());
    let folder = manifest.and_then(|it| Path::new(it).parent());
    let schema = folder
        .expect("the crate has a folder")
        .join("src/schema.json");
    let text = fs::read_to_string(schema).expect("the crate has the schema");
    // A pattern of the schema is not valid: its second bracket has no first.
    let text = text.replace("{2}]?$", "{2}$");
    serde_json::from_str(&text).expect("it is JSON")
}

#[test]
fn sarif_is_valid() {
    let run = explore("sarif");
    let log: Value = serde_json::from_str(&run.stdout).expect("it is JSON");
    let schema = jsonschema::validator_for(&sarif_schema()).expect("it is a schema");
    let errors: Vec<String> = schema.iter_errors(&log).map(|it| it.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?}");
    let _: Sarif = serde_json::from_value(log.clone()).expect("it is SARIF");
    let results = log["runs"][0]["results"].as_array().expect("a list");
    let of = |function: &str| {
        let name = "/locations/0/logicalLocations/0/fullyQualifiedName";
        let found = results
            .iter()
            .find(|it| it.pointer(name).is_some_and(|it| it == function));
        found.unwrap_or_else(|| panic!("{function}: {log:#}"))
    };
    let place = "/locations/0/physicalLocation";
    let share = of("shop:share/2");
    assert_eq!(
        share.pointer(&format!("{place}/region/startLine")),
        Some(&Value::from(5))
    );
    assert_eq!(share["suppressions"][0]["kind"], "external");
    let odd = of("'odd, 50%':f/1");
    let uri = odd.pointer(&format!("{place}/artifactLocation/uri"));
    assert_eq!(uri, Some(&Value::from("src/odd%2C%2050%25.erl")));
    assert_eq!(odd["suppressions"], Value::Array(Vec::new()));
    assert_eq!(odd["level"], "error");
    assert_eq!(of("shop:waits/1").pointer(place), None);
    assert_eq!(of("shop:calls/2")["level"], "note");
    let meets = of("shop:meets/1");
    assert_eq!(meets["ruleId"], "deadlock");
    let related = meets["relatedLocations"].as_array().map(Vec::len);
    assert_eq!(related, Some(2), "{meets:#}");
}

#[test]
fn fingerprints_do_not_depend_on_lines() {
    let place = workplace();
    let fingerprints = || {
        let run = place.run(&["explore", "--entry", "share/2", "--format", "sarif"]);
        let log: Value = serde_json::from_str(&run.stdout).expect("it is JSON");
        log["runs"][0]["results"][0]["partialFingerprints"].clone()
    };
    let before = fingerprints();
    place.write(
        "src/shop.erl",
        SHOP.replace("-spec", "\n\n-spec").as_bytes(),
    );
    assert_eq!(fingerprints(), before);
    assert!(before["erlconcolicKey/v1"].is_string());
}

#[test]
fn junit_has_a_test_for_each_finding_and_each_function() {
    let run = explore("junit");
    let report = Report::deserialize_from_str(&run.stdout).expect("it is JUnit XML");
    let suites: Vec<&str> = report
        .test_suites
        .iter()
        .map(|it| it.name.as_str())
        .collect();
    assert_eq!(suites.len(), 2, "{suites:?}");
    assert!(
        suites.contains(&"shop") && suites.contains(&"odd, 50%"),
        "{suites:?}"
    );
    for suite in &report.test_suites {
        assert_eq!(suite.tests, suite.test_cases.len());
        for case in &suite.test_cases {
            assert_eq!(
                case.classname.as_ref().map(|it| it.as_str()),
                Some(suite.name.as_str())
            );
        }
    }
    let status = |start: &str| {
        let cases = report.test_suites.iter().flat_map(|it| &it.test_cases);
        let mut cases = cases.filter(|it| it.name.as_str().starts_with(start));
        &cases
            .next()
            .unwrap_or_else(|| panic!("{start}: {run:?}"))
            .status
    };
    let fails = |status: &TestCaseStatus| match status {
        TestCaseStatus::NonSuccess { kind, .. } => *kind == NonSuccessKind::Failure,
        TestCaseStatus::Success { .. } | TestCaseStatus::Skipped { .. } => false,
    };
    assert!(fails(status("'odd, 50%':f/1  error")));
    assert!(fails(status("shop:waits/1  timeout")));
    assert!(fails(status("shop:meets/1  deadlock")));
    let waits = "process 0 waits in shop:meets/1 (src/shop.erl:26)";
    assert!(run.stdout.contains(waits), "{}", run.stdout);
    assert!(matches!(
        status("shop:share/2  error"),
        TestCaseStatus::Skipped { .. }
    ));
    assert!(matches!(
        status("shop:watch/1"),
        TestCaseStatus::Skipped { .. }
    ));
    assert!(matches!(
        status("shop:fine/1"),
        TestCaseStatus::Success { .. }
    ));
    assert!(run.stdout.contains("&lt;a&gt; &amp; "), "{}", run.stdout);
}

#[test]
fn github_gets_a_command_for_each_new_finding() {
    let run = explore("github");
    let lines: Vec<&str> = run.stdout.lines().collect();
    let commands: Vec<&&str> = lines.iter().filter(|it| it.starts_with("::")).collect();
    let starts = |start: &str| commands.iter().any(|it| it.starts_with(start));
    assert!(starts(
        "::error file=src/odd%2C 50%25.erl,line=5,title=erlconcolic::'odd, 50%25':f([a"
    ));
    assert!(starts(
        "::error title=erlconcolic::shop:waits(2) takes too long%0Areproduce with: "
    ));
    assert!(starts("::notice file=src/shop.erl,line="), "{commands:?}");
    let meets =
        "::error file=src/shop.erl,line=26,title=erlconcolic::shop:meets(2) waits for ever%0A";
    assert!(starts(meets), "{commands:?}");
    assert!(!run.stdout.contains("share"), "{run:?}");
    assert_eq!(lines.len(), commands.len() + 1, "{run:?}");
}
