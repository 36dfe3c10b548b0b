//! What people see of findings in several processes: the chart, the command that shows it again, the
//! comment in a file of tests.

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;

use end_to_end::erlang::package_path;
use end_to_end::tool::Workplace;
use serde_json::Value;

/// The order of two messages decides, and the input needs quotes in a shell and in Erlang.
const QUOTED: &str = r#"
-module(quoted).
-export([main/1]).

-spec main('it\'s $HOME' | 'a\n\\' | 7) -> term().
main(X) ->
    Self = self(),
    spawn(fun() -> Self ! {one, X} end),
    spawn(fun() -> Self ! {two, X} end),
    receive
        {one, _} -> fine;
        {two, 7} -> fine;
        {two, 'a\n\\'} -> error(text);
        {two, _} -> error(odd)
    end.
"#;

fn workplace() -> Workplace {
    Workplace::new(env!("CARGO_BIN_EXE_erlconcolic-under-test")).with(&[("quoted.erl", QUOTED)])
}

/// A workplace with one of the concurrent samples.
fn with_sample(name: &str) -> Workplace {
    let path = package_path(&format!("../samples/processes/{name}/{name}.erl"));
    let text = fs::read_to_string(path).expect("the sample is there");
    workplace().with(&[(&format!("{name}.erl"), &text)])
}

fn explored(place: &Workplace, name: &str, options: &[&str]) -> String {
    let source = format!("{name}.erl");
    let run = place.run(&[&["explore", &source, "--quiet"], options].concat());
    assert!(run.status < 2, "{run:?}");
    run.stdout
}

/// The lines of the chart in a text, without the blanks before them.
fn chart(text: &str) -> Vec<&str> {
    let lines = text.lines().map(str::trim_start);
    let lines = lines.skip_while(|line| !line.starts_with("process 0  "));
    lines.take_while(|line| !line.is_empty()).collect()
}

#[test]
fn the_report_has_a_chart_of_the_deadlock() {
    let place = with_sample("handover");
    let text = explored(&place, "handover", &["--entry", "main/2"]);
    insta::assert_snapshot!("chart_of_a_deadlock", chart(&text).join("\n"));
    for line in text.lines().filter(|it| !it.contains("reproduce with")) {
        assert!(line.chars().count() <= 100, "{line}");
    }
}

#[test]
fn the_command_in_the_report_shows_the_same_chart() {
    let place = workplace();
    symlink(
        env!("CARGO_BIN_EXE_erlconcolic-under-test"),
        place.path("erlconcolic"),
    )
    .expect("a link can be made");
    let text = explored(&place, "quoted", &["--entry", "main/1"]);
    let commands = text
        .lines()
        .filter_map(|line| line.split_once("reproduce with: "));
    let commands: Vec<&str> = commands.map(|it| it.1).collect();
    assert_eq!(commands.len(), 2, "{text}");
    let mut charts = text.split("error[crash]").skip(1).map(chart);
    for command in commands {
        let output = Command::new("bash")
            .args(["-c", command])
            .current_dir(place.path(""))
            .env("PATH", with_own_folder(&place))
            .output()
            .expect("a shell is there");
        let shown = String::from_utf8(output.stdout).expect("it is text");
        let found = charts.next().expect("each finding has a chart");
        // The report marks the two steps whose order matters.
        let found: Vec<String> = found
            .iter()
            .filter(|line| !line.starts_with("* the order"))
            .map(|line| line.trim_start_matches("* ").trim_start().to_owned())
            .collect();
        assert!(found.len() > 5, "{text}");
        assert_eq!(chart(&shown), found, "{command}\n{shown}");
        assert_eq!(output.status.code(), Some(1), "{command}\n{shown}");
    }
}

fn with_own_folder(place: &Workplace) -> String {
    let path = std::env::var("PATH").unwrap_or_default();
    format!("{}:{path}", place.path("").display())
}

#[test]
fn the_racing_steps_are_marked() {
    let place = workplace();
    let text = explored(&place, "quoted", &["--entry", "main/1"]);
    let chart = chart(&text);
    let marked = chart
        .iter()
        .filter(|line| line.starts_with("* ") && !line.starts_with("* the"));
    let marked: Vec<&&str> = marked.collect();
    assert_eq!(marked.len(), 2, "{chart:#?}");
    for (line, message) in marked.iter().zip(["{two,", "{one,"]) {
        assert!(line.contains(message), "{line}");
    }
}

#[test]
fn json_has_the_chart_with_places_and_unread_messages() {
    let place = with_sample("handover");
    let text = explored(
        &place,
        "handover",
        &["--entry", "main/2", "--format", "json"],
    );
    let report: Value = serde_json::from_str(&text).expect("it is JSON");
    let chart = &report["findings"][0]["chart"];
    let rows = chart["rows"].as_array().expect("it has rows");
    let waits = rows.iter().filter(|it| it["what"] == "wait");
    let waits: Vec<&Value> = waits.map(|it| &it["line"]).collect();
    assert_eq!(waits, [19, 45]);
    let racing = rows.iter().filter(|it| it["racing"] == true);
    let racing: Vec<&Value> = racing.map(|it| &it["line"]).collect();
    assert_eq!(racing, [39, 18]);
    assert_eq!(chart["unread"], serde_json::json!([]));
    let run = place.run(&[
        "run",
        "handover.erl",
        "--entry",
        "main/2",
        "--args",
        "[0,0]",
        "--format",
        "json",
    ]);
    let run: Value = serde_json::from_str(&run.stdout).expect("it is JSON");
    assert!(run["chart"]["rows"].is_array(), "{run:#}");
}

#[test]
fn tests_that_depend_on_the_order_become_comments_with_a_chart() {
    let place = workplace();
    let text = explored(
        &place,
        "quoted",
        &["--entry", "main/1", "--eunit", "quoted_tests.erl"],
    );
    let tests = fs::read_to_string(place.path("quoted_tests.erl"))
        .unwrap_or_else(|error| panic!("{error}: {text}"));
    assert!(
        tests.contains("?_assertEqual(fine, quoted:main(7))"),
        "{tests}"
    );
    assert!(
        tests.contains("%% With the schedule 0*2,0.2") && tests.contains("raises error: odd."),
        "{tests}"
    );
    assert!(tests.contains("%% process 0    quoted:main/1\n"), "{tests}");
    assert!(tests.contains("crashes: error: odd\n"), "{tests}");
    assert!(!tests.contains("assertError"), "{tests}");
}
