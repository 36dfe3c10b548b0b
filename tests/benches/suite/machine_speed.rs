//! How many sequences of events are explored in the time of ten starts of `erl`.

use end_to_end::benchmarks::{Report, Row, Table, column, counted};
use end_to_end::erlang::package_path;

use crate::explored::{Explored, Tool, number};

/// A machine with ten clauses that a play can reach.
const MACHINE: &str = "door";
const LENGTH: &str = "4";
/// The best of these rounds is used.
const ROUNDS: usize = 3;
/// The end of each search.
const MAX_RUNS: &str = "4000";
const QUICK_RUNS: &str = "100";
/// Starts of `erl`, and how many sequences are wanted in that time.
const STARTS: f64 = 10.0;
const TARGET: f64 = 1_000.0;

/// Ways to search: with all of pruning, and without.
const VARIANTS: [(&str, &[&str]); 2] = [
    ("each state once", &[]),
    ("all sequences", &["--without", "pruning"]),
];

pub(crate) fn measure(tool: &mut Tool, is_quick: bool, report: &mut Report) {
    let (rounds, runs) = if is_quick {
        (1, QUICK_RUNS)
    } else {
        (ROUNDS, MAX_RUNS)
    };
    let searches = VARIANTS.map(|(_, words)| fastest(tool, words, rounds, runs));
    let rows = VARIANTS.iter().zip(&searches).map(|((name, _), search)| {
        Row::new(
            *name,
            [
                search.statistic("runs"),
                number(&search.report, "/pruned/ways"),
                search.starts,
                in_ten_starts(search),
                search.share("run_ms"),
                search.share("replay_ms"),
                search.share("solve_ms"),
            ],
        )
    });
    let rows = rows.collect();
    let [_, all] = &searches;
    let speed = in_ten_starts(all);
    report.target(
        format!(
            "sequences of {LENGTH} events of a machine with 10 clauses that are explored in the \
             time of {STARTS} starts of erl, without pruning (wanted: at least {TARGET})"
        ),
        speed,
        speed >= TARGET,
    );
    report.table(Table {
        title: "Speed of machines".to_owned(),
        note: format!(
            "Sequences of at most {LENGTH} events of `{MACHINE}`, a machine with ten clauses; at most \
             {runs} of them, one worker, best of {rounds}. *Time* is that of the whole command. \
             *Sequences in ten starts* are those of the search alone: running, replaying, solving. \
             Pruning leaves out most sequences, because they come to a state that was there before; so \
             without it there are more to be measured."
        ),
        rows_are: "search".to_owned(),
        columns: vec![
            counted("sequences"),
            counted("merges"),
            column("time").less(),
            column("sequences in ten starts").more(),
            column("BEAM"),
            column("replay"),
            column("solve"),
        ],
        rows,
    });
}

fn fastest(tool: &mut Tool, words: &[&str], rounds: usize, runs: &str) -> Explored {
    let source = package_path(&format!("erlang_samples/machines/{MACHINE}.erl"));
    let source = source.to_str().expect("the path is UTF-8");
    let what = [source, "--machine", MACHINE, "--length", LENGTH];
    let limits = ["--max-runs", runs, "--timeout", "120"];
    let words = [&what[..], &limits, words].concat();
    let searches = (0..rounds).map(|_| tool.explore(&words));
    let fastest = searches.min_by(|one, other| one.starts.total_cmp(&other.starts));
    fastest.expect("there are rounds")
}

/// How many sequences a search plays in the time of ten starts.
fn in_ten_starts(search: &Explored) -> f64 {
    let times = ["run_ms", "replay_ms", "solve_ms"];
    let share: f64 = times.iter().map(|it| search.share(it)).sum();
    search.statistic("runs") / (search.starts * share) * STARTS
}
