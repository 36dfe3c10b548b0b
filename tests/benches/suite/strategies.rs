//! Strategies: how many clauses are reached after how many runs.

use std::error::Error;
use std::fs;
use std::path::Path;

use end_to_end::benchmarks::{Curve, Plot, Report, Row, Table, column, counted};
use end_to_end::erlang::package_path;
use end_to_end::otp;

use crate::explored::{Explored, Tool, number};

/// All of them.
pub(crate) const STRATEGIES: [&str; 5] = ["coverage", "dfs", "bfs", "random", "graph"];
/// The end of each search.
const MAX_RUNS: &str = "300";
const QUICK_RUNS: &str = "60";

/// A function with many clauses.
struct Program {
    title: &'static str,
    /// Below the folder of the repository, or the name of a module of stdlib.
    source: &'static str,
    words: &'static [&'static str],
}

const PROGRAMS: [Program; 6] = [
    Program {
        title: "endless_text:send/2",
        source: "tests/erlang_samples/endless_text.erl",
        words: &["--entry", "send/2"],
    },
    Program {
        title: "json_decoder:decode/1",
        source: "samples/json/json_decoder.erl",
        words: &["--entry", "decode/1"],
    },
    Program {
        title: "regex:match/2",
        source: "samples/regex/regex.erl",
        words: &["--entry", "match/2"],
    },
    Program {
        title: "ini:parse/1",
        source: "samples/ini/ini.erl",
        words: &["--entry", "parse/1"],
    },
    Program {
        title: "tokenizer:tokens/1",
        source: "samples/tokenizer/tokenizer.erl",
        words: &["--entry", "tokens/1", "--term-depth", "6"],
    },
    Program {
        title: "calendar:rfc3339_to_system_time/1 of OTP",
        source: "calendar",
        words: &[
            "--entry",
            "rfc3339_to_system_time/1",
            "--args",
            "[\"2020-01-01T00:00:00Z\"]",
            "--term-depth",
            "26",
        ],
    },
];

/// Measures all strategies, and plots them.
pub(crate) fn measure(
    tool: &mut Tool,
    docs: &Path,
    is_quick: bool,
    report: &mut Report,
) -> Result<(), Box<dyn Error>> {
    let (count, runs) = if is_quick {
        (1, QUICK_RUNS)
    } else {
        (PROGRAMS.len(), MAX_RUNS)
    };
    let mut rows = Vec::new();
    let mut plots = Vec::new();
    for program in PROGRAMS.iter().take(count) {
        let searches = STRATEGIES.map(|strategy| program.search(tool, strategy, runs));
        plots.push(program.plot(&searches));
        rows.push(program.row(&searches));
        if program.source.ends_with("endless_text.erl") {
            target(report, &searches);
        }
    }
    let svg = Plot::svg(&plots, "runs", "clauses reached");
    fs::write(docs.join("strategies.svg"), svg)?;
    let mut columns = vec![counted("clauses")];
    columns.extend(STRATEGIES.map(|it| counted(it).more()));
    columns.extend(STRATEGIES.map(|it| column(&format!("time of {it}")).less()));
    report.table(Table {
        title: "Strategies".to_owned(),
        note: format!(
            "Clauses reached after {runs} runs, of all that the function may reach, and the time of \
             the whole command in starts of erl. `coverage` is the default. The first function has \
             a loop over its input in which depth-first search gets stuck.\n\n\
             ![Clauses reached over runs, for each strategy](strategies.svg)"
        ),
        rows_are: "function".to_owned(),
        columns,
        rows,
    });
    Ok(())
}

/// Of the function with a loop over its input.
fn target(report: &mut Report, searches: &[Explored; 5]) {
    let share = |search: &Explored| search.clauses("covered") / search.clauses("total");
    let [coverage, depth_first, ..] = searches;
    report.target(
        "share of the clauses beside a loop over the input that the default reaches (wanted: 1)",
        share(coverage),
        share(coverage) >= 1.0,
    );
    report.target(
        "the same of depth-first search, which drowns in the loop (wanted: less than 1)",
        share(depth_first),
        share(depth_first) < 1.0,
    );
}

impl Program {
    fn search(&self, tool: &mut Tool, strategy: &str, runs: &str) -> Explored {
        let source = if self.source.ends_with(".erl") {
            package_path("..").join(self.source)
        } else {
            let stdlib = otp::find(&["stdlib"]).applications.remove(0);
            let mut sources = stdlib.sources.into_iter();
            let found = sources.find(|it| it.file_stem().is_some_and(|stem| stem == self.source));
            found.expect("it is a module of stdlib")
        };
        let source = source.to_str().expect("the path is UTF-8");
        let limits = ["--max-runs", runs, "--timeout", "60"];
        let words = [&[source], self.words, &["--strategy", strategy], &limits].concat();
        tool.explore(&words)
    }

    fn row(&self, searches: &[Explored; 5]) -> Row {
        let total = searches.first().map(|it| it.clauses("total"));
        let clauses = searches.iter().map(|it| it.clauses("covered"));
        let times = searches.iter().map(|it| it.starts);
        Row::new(self.title, total.into_iter().chain(clauses).chain(times))
    }

    fn plot(&self, searches: &[Explored; 5]) -> Plot {
        let runs = searches.iter().map(|it| it.statistic("runs"));
        let total = searches.iter().map(|it| it.clauses("total"));
        let curves = STRATEGIES.iter().zip(searches);
        Plot {
            title: self.title.to_owned(),
            width: runs.fold(0.0, f64::max),
            height: total.fold(0.0, f64::max),
            curves: curves
                .map(|(name, search)| clauses_over_runs(name, search))
                .collect(),
        }
    }
}

/// The clauses that a search reached after each of its runs.
pub(crate) fn clauses_over_runs(name: &str, search: &Explored) -> Curve {
    let mut reached = 0.0;
    let mut steps = Vec::new();
    for (run, test) in (1_u32..).zip(search.list("tests")) {
        let new = number(test, "/new_clauses");
        reached += new;
        if new > 0.0 {
            steps.push((f64::from(run), reached));
        }
    }
    Curve {
        name: name.to_owned(),
        steps,
        end: search.statistic("runs"),
    }
}
