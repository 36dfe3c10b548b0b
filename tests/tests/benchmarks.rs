//! The reports of `make bench`: joined, compared and plotted, and a short run of the suite itself.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use end_to_end::benchmarks::{
    Comparison, Curve, Joined, Plot, Report, Row, Table, column, counted,
};
use end_to_end::erlang::{erlc, package_path, run_main, temporary_folder};
use insta::assert_snapshot;

/// A run with these figures: runs, time, a count that only describes.
fn run(figures: [f64; 3], target: f64) -> Joined {
    let mut report = Report::new("The whole tool");
    report.table(Table {
        title: "Functions".to_owned(),
        note: "How it was measured.".to_owned(),
        rows_are: "function".to_owned(),
        columns: vec![
            column("runs in a start of erl").more(),
            column("first finding").less(),
            counted("clauses").more(),
        ],
        rows: vec![Row::new("m:f/1", figures), Row::new("m:g/1", [f64::NAN; 3])],
    });
    report.target("first finding (wanted: less than 4)", target, target < 4.0);
    Joined::new(vec![report])
}

#[test]
fn reports_are_joined_to_one_page() {
    assert_snapshot!(run([400.0, 3.5, 12.0], 3.5).markdown());
}

#[test]
fn figures_worse_by_more_than_noise_are_marked() {
    let before = run([400.0, 3.0, 12.0], 3.0);
    let after = run([250.0, 4.5, 11.0], 4.5);
    let comparison = Comparison::new(&before, &after);
    assert_eq!(comparison.worse(), 4, "three figures and a target");
    assert_snapshot!(comparison.markdown());
}

#[test]
fn noise_and_improvements_are_not_worse() {
    let before = run([400.0, 3.0, 12.0], 3.0);
    let noisy = Comparison::new(&before, &run([350.0, 3.5, 12.0], 3.5));
    assert_eq!(noisy.worse(), 0);
    let better = Comparison::new(&before, &run([800.0, 1.0, 13.0], 1.0));
    assert_eq!(better.worse(), 0);
    let text = better.markdown();
    assert_eq!(text.matches("| better |").count(), 3, "{text}");
}

#[test]
fn new_and_missing_figures_are_listed() {
    let other = Joined::new(vec![Report::new("Empty")]);
    let all = run([400.0, 3.0, 12.0], 3.0);
    let came = Comparison::new(&other, &all).markdown();
    assert!(
        came.contains("| m:f/1 | clauses | – | 12 | new |"),
        "{came}"
    );
    let went = Comparison::new(&all, &other).markdown();
    assert!(
        went.contains("| m:f/1 | clauses | 12 | – | gone |"),
        "{went}"
    );
}

fn compare(arguments: &[&Path]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bench-compare"));
    command.args(arguments).output().expect("it can be started")
}

#[test]
fn runs_that_cannot_be_compared_are_explained() {
    let folder = temporary_folder();
    let path = |name: &str| folder.path().join(name);
    let [saved, text, old] = ["saved.json", "text.json", "old.json"].map(path);
    run([1.0; 3], 1.0)
        .write(&path("page.md"), &saved)
        .expect("the folder can be written");
    fs::write(&text, "no JSON").expect("the folder can be written");
    fs::write(&old, r#"{"version": 0, "reports": []}"#).expect("the folder can be written");
    let mut messages = String::new();
    for arguments in [
        vec![saved.as_path(), &path("missing.json")],
        vec![&text, &saved],
        vec![&old, &saved],
        vec![&saved],
    ] {
        let output = compare(&arguments);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(output.stdout.is_empty(), "{output:?}");
        messages.push_str(&String::from_utf8_lossy(&output.stderr));
    }
    let folder = folder.path().display().to_string();
    assert_snapshot!(messages.replace(&folder, "<folder>"));
}

#[test]
fn curves_are_drawn_in_panels() {
    let curve = |name: &str, steps: &[(f64, f64)]| Curve {
        name: name.to_owned(),
        steps: steps.to_vec(),
        end: 30.0,
    };
    let plot = Plot {
        title: "a < b".to_owned(),
        width: 30.0,
        height: 15.0,
        curves: vec![
            curve("coverage", &[(1.0, 3.0), (10.0, 15.0)]),
            curve("dfs", &[(2.0, 5.0)]),
        ],
    };
    let svg = Plot::svg(&[plot], "runs", "clauses reached");
    assert!(svg.contains("prefers-color-scheme: dark"), "{svg}");
    let drawing = svg.split_once("</style>").expect("there is a style").1;
    assert_snapshot!(drawing);
}

const HIDDEN: &str = "\
-module(hidden).
-export([f/1]).

-spec f(integer()) -> ok.
f(1234567891) -> error(hidden);
f(N) when N > 0 ->
    case N rem 2 of
        0 -> ok;
        1 -> ok
    end;
f(_) -> ok.
";

/// The results of PropEr's inputs and of inputs from a file, as the suite counts them.
fn random_testing(inputs: &str) -> (i32, String) {
    let folder = temporary_folder();
    let path = |name: &str| folder.path().join(name);
    let source = path("hidden.erl");
    fs::write(&source, HIDDEN).expect("the folder can be written");
    fs::write(path("inputs"), inputs).expect("the folder can be written");
    let tools = ["clause_counts", "random_testing"];
    let tools = tools.map(|it| package_path(&format!("erlang_tools/{it}.erl")));
    erlc(folder.path(), ["+debug_info"], &[source]);
    erlc(folder.path(), [], &tools);
    let arguments = ["hidden.erl", "f/1", "500", "inputs"];
    let finished = run_main(folder.path(), "random_testing", &arguments);
    (finished.status, finished.text)
}

#[test]
fn random_testing_and_given_inputs_are_counted_in_the_same_way() {
    let (status, text) = random_testing("[1234567891]\n[1]\n");
    assert_eq!(status, 0, "{text}");
    let figures: Vec<u64> = text.split_whitespace().flat_map(str::parse).collect();
    let [tried, bugs, clauses, random_bugs, random_clauses, both] = figures[..] else {
        panic!("six figures: {text}");
    };
    assert!(tried > 10, "{text}");
    assert_eq!((bugs, clauses), (1, 3), "the bug, a positive odd number");
    assert_eq!((random_bugs, random_clauses), (0, 4), "all but the bug");
    assert_eq!(both, 5);
}

#[test]
fn a_part_that_was_not_measured_is_that_of_the_saved_run() {
    let folder = temporary_folder();
    let path = |name: &str| folder.path().join(name);
    let write = |name: &str, title: &str, figure: f64| {
        let mut report = Report::new(title);
        report.target(title, figure, true);
        let json = serde_json::to_string(&report).expect("reports are JSON");
        fs::write(path(name), json).expect("the folder can be written");
        report
    };
    let saved = vec![
        write("machines.json", "Machines", 1.0),
        write("pruning.json", "States", 1.0),
    ];
    let saved = Joined::new(saved);
    let files = [path("page.md"), path("saved.json")];
    saved
        .write(&files[0], &files[1])
        .expect("it can be written");
    fs::remove_file(path("pruning.json")).expect("it is there");
    write("machines.json", "Machines", 2.0);
    let joined = Joined::of_folder(folder.path(), &files[1]).expect("it can be read");
    let page = joined.markdown();
    assert!(page.contains("| States | 1 |"), "{page}");
    assert!(page.contains("| Machines | 2 |"), "{page}");
    assert_eq!(page.matches("## Machines").count(), 1, "{page}");
}

/// Everything that `make bench` measures with the whole tool, in short.
#[test]
#[ignore = "takes a minute"]
fn the_suite_measures_and_its_report_can_be_compared() {
    let folder = temporary_folder();
    let output = Command::new(env!("CARGO_BIN_EXE_bench-suite"))
        .arg(env!("CARGO_BIN_EXE_erlconcolic-under-test"))
        .arg(folder.path())
        .arg("--quick")
        .output()
        .expect("it can be started");
    assert!(output.status.success(), "{output:?}");
    let [page, json, svg] =
        ["benchmarks.md", "bench.json", "strategies.svg"].map(|name| folder.path().join(name));
    let page = fs::read_to_string(page).expect("the page was written");
    for title in [
        "## Targets",
        "### Functions",
        "### Against random testing by PropEr",
        "### Strategies",
        "### Pruning",
        "### Pruning by strategy",
        "### How deep inputs can be",
        "### Optimisations",
        "### All functions of a large module",
        "### A long run",
    ] {
        assert!(page.contains(title), "{title} is missing in {page}");
    }
    let svg = fs::read_to_string(svg).expect("the plot was written");
    assert_eq!(
        svg.matches("class=\"curve ").count(),
        10,
        "legend and curves"
    );
    let compared = compare(&[&json, &json]);
    assert_eq!(compared.status.code(), Some(0), "{compared:?}");
}
