//! A run of a million events, and a search of a million paths.

use std::path::Path;
use std::process::{Command, Stdio};

use end_to_end::benchmarks::{Report, Row, Table, column, counted};
use end_to_end::erlang::{package_path, temporary_folder};

use crate::explored::{Explored, Tool};

/// The best of these rounds is used.
const ROUNDS: usize = 3;
/// How many more runs there are in the longer of two searches: enough that the variation of the
/// first run does not matter.
const MORE_RUNS: u32 = 12;
/// How long replaying may take, compared with running.
const REPLAY_TARGET: f64 = 1.0;
/// How many GB the tool may take for a run of a million events.
const RUN_TARGET: f64 = 1.0;
/// The same for a search of a million paths.
const SEARCH_TARGET: f64 = 4.0;

/// A run of about a million events, with a lean log that has only what cannot be derived, and with
/// the full log.
pub(crate) fn million_events(tool: &mut Tool, is_quick: bool, report: &mut Report) {
    let source = package_path("erlang_samples/long_run.erl");
    let build = temporary_folder();
    tool.instrument(&source, build.path(), &["--wire", "full"]);
    let text = |path: &Path| path.to_str().expect("the path is UTF-8").to_owned();
    let (source, full) = (text(&source), text(build.path()));
    let rounds = if is_quick { 1 } else { ROUNDS };
    let lean = measure(tool, &source, rounds);
    let full = measure(tool, &full, rounds);
    let events = tool.events(&source);
    let row = |name: &str, it: &LongRun| Row::new(name, [events, it.replay / it.run, it.gigabytes]);
    report.table(Table {
        title: "A long run".to_owned(),
        note:
            "One run with about a million events in a warm worker; its log is read and replayed. \
               Memory is the peak of the tool. The lean log has only what cannot be derived, so \
               the run itself is quick; the full log has all events."
                .to_owned(),
        rows_are: "program".to_owned(),
        columns: vec![
            counted("events"),
            column("replay / run").less(),
            column("GB").less(),
        ],
        rows: vec![
            row("long_run:walk/1, lean log", &lean),
            row("long_run:walk/1, full log", &full),
        ],
    });
    for (name, it) in [("lean", &lean), ("full", &full)] {
        report.target(
            format!(
                "replaying a million events, against running them with the {name} log \
                 (wanted: at most 1)"
            ),
            it.replay / it.run,
            it.replay / it.run <= REPLAY_TARGET,
        );
    }
    report.target(
        "GB for a run of a million events (wanted: less than 1)",
        lean.gigabytes,
        lean.gigabytes < RUN_TARGET,
    );
}

/// The cost of one run.
struct LongRun {
    run: f64,
    replay: f64,
    gigabytes: f64,
}

/// The best of some rounds. Comparing a search of one run with a search of more removes the time of
/// starting a BEAM.
fn measure(tool: &mut Tool, source: &str, rounds: usize) -> LongRun {
    let all = (0..rounds).map(|_| {
        let one = explore(tool, source, 1);
        let more = explore(tool, source, 1 + MORE_RUNS);
        let each = |name: &str| (more.statistic(name) - one.statistic(name)) / f64::from(MORE_RUNS);
        LongRun {
            run: each("run_ms"),
            replay: each("replay_ms"),
            gigabytes: one.statistic("peak_rss_kb") / 1e6,
        }
    });
    let time = |it: &LongRun| it.run + it.replay;
    let best = all.min_by(|one, other| time(one).total_cmp(&time(other)));
    best.expect("there are rounds")
}

fn explore(tool: &mut Tool, source: &str, runs: u32) -> Explored {
    let (count, seeds) = (runs.to_string(), (1..=runs).map(|seed| format!("[{seed}]")));
    let seeds: Vec<String> = seeds.collect();
    let mut words = vec![source, "--entry", "walk/1", "--max-runs", &count];
    words.extend([
        "--run-timeout",
        "60000",
        "--timeout",
        "300",
        "--workers",
        "1",
    ]);
    for seed in &seeds {
        words.extend(["--args", seed]);
    }
    tool.explore(&words)
}

impl Tool {
    /// The number of events of the run.
    fn events(&self, source: &str) -> f64 {
        let mut command = Command::new(self.path());
        command.args(["run", source, "--entry", "walk/1", "--args", "[1]"]);
        command.args(["--events", "--run-timeout", "60000"]);
        let output = command.stderr(Stdio::null()).output();
        let output = output.expect("the tool can be started").stdout;
        // The last line is the result.
        let lines = output.iter().filter(|byte| **byte == b'\n').count();
        lines as f64 - 1.0
    }
}

/// A search of a million paths: minutes, and much memory.
pub(crate) fn million_paths(tool: &mut Tool, report: &mut Report) {
    let source = package_path("erlang_samples/many_paths.erl");
    let source = source.to_str().expect("the path is UTF-8");
    let mut words = vec![source, "--entry", "count/1", "--term-depth", "10"];
    words.extend(["--max-runs", "1000000", "--timeout", "7200"]);
    let search = tool.explore(&words);
    let (runs, gigabytes) = (
        search.statistic("runs"),
        search.statistic("peak_rss_kb") / 1e6,
    );
    report.table(Table {
        title: "A long search".to_owned(),
        note: "One worker; memory is the peak of the tool, with its whole report.".to_owned(),
        rows_are: "program".to_owned(),
        columns: vec![
            counted("paths"),
            column("paths in a start of erl").more(),
            column("GB").less(),
        ],
        rows: vec![Row::new(
            "many_paths:count/1",
            [runs, runs / search.starts, gigabytes],
        )],
    });
    report.target(
        "GB for a search of a million paths (wanted: less than 4)",
        gigabytes,
        gigabytes < SEARCH_TARGET && runs >= 1e6,
    );
}
