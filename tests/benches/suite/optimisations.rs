//! What each optimisation is worth, by switching it off.

use end_to_end::benchmarks::{Report, Row, Table, column, counted};
use end_to_end::erlang::{package_path, temporary_folder};

use crate::explored::{Explored, Tool};

/// What `--without` switches off, and what it does.
const SHORTCUTS: [(&str, &str); 5] = [
    (
        "contradictions",
        "questions that contradict word for word what holds are not searched",
    ),
    ("repetitions", "what is assumed is not assumed again"),
    (
        "parent-values",
        "what keeps the parent's values is not checked",
    ),
    ("cache", "answers of Z3 about integers are kept"),
    (
        "native",
        "our own solver is asked, and Z3 only what it leaves open",
    ),
];

/// The best of these rounds is used.
const ROUNDS: usize = 2;
/// Some searches are very slow without it; the figure is the time of one question.
const SECONDS: &str = "6";
const QUICK_SECONDS: &str = "1";

/// A search in which there is much to solve.
struct Program {
    source: &'static str,
    words: [&'static str; 6],
}

const PROGRAMS: [Program; 3] = [
    Program {
        source: "samples/search_tree/search_tree.erl",
        words: [
            "--entry",
            "insert/2",
            "--term-depth",
            "4",
            "--max-runs",
            "600",
        ],
    },
    Program {
        source: "samples/tokenizer/tokenizer.erl",
        words: [
            "--entry",
            "tokens/1",
            "--term-depth",
            "6",
            "--max-runs",
            "2000",
        ],
    },
    Program {
        source: "samples/dates/dates.erl",
        words: [
            "--entry",
            "parse/1",
            "--term-depth",
            "10",
            "--max-runs",
            "300",
        ],
    },
];

pub(crate) fn measure(tool: &mut Tool, is_quick: bool, report: &mut Report) {
    let mut rows = Vec::new();
    let count = if is_quick { 1 } else { PROGRAMS.len() };
    for program in PROGRAMS.iter().take(count) {
        program.measure(tool, is_quick, &mut rows);
    }
    report.table(Table {
        title: "Optimisations".to_owned(),
        note: "The same search without one of them (`--without`) compared with the search with \
               all, best of two: the time of one question to the solver, and how many of 1,000 \
               questions go to Z3. More than 1 means that the optimisation saves time. The last \
               row of each program compares `native` with Z3. With the lean wire a program writes \
               only events that cannot be derived from the rest, which makes running and replaying \
               faster: there, the time is of a run and its replay."
            .to_owned(),
        rows_are: "optimisation".to_owned(),
        columns: vec![
            column("time without / with"),
            counted("to Z3 of 1,000, with").less(),
            column("without"),
        ],
        rows,
    });
}

impl Program {
    fn measure(&self, tool: &mut Tool, is_quick: bool, rows: &mut Vec<Row>) {
        let name = self.source.rsplit('/').next().unwrap_or_default();
        let source = package_path("..").join(self.source);
        let source = source.to_str().expect("the path is UTF-8");
        let seconds = if is_quick { QUICK_SECONDS } else { SECONDS };
        let rounds = if is_quick { 1 } else { ROUNDS };
        let words = [&[source], &self.words[..], &["--timeout", seconds]].concat();
        let all = best(tool, &words, rounds, question);
        for (shortcut, what) in SHORTCUTS {
            let words = [&words[..], &["--without", shortcut]].concat();
            // It is so slow that once is enough.
            let rounds = if shortcut == "native" { 1 } else { rounds };
            let without = best(tool, &words, rounds, question);
            let ratio = question(&without) / question(&all);
            rows.push(Row::new(
                format!("{name}: `{shortcut}`: {what}"),
                [ratio, to_z3(&all), to_z3(&without)],
            ));
        }
        let folders = ["lean", "full"].map(|wire| {
            let folder = temporary_folder();
            tool.instrument(source.as_ref(), folder.path(), &["--wire", wire]);
            folder
        });
        let [lean, full] = folders.map(|folder| {
            let build = folder.path().to_str().expect("the path is UTF-8");
            let words = [&[build], words.get(1..).unwrap_or_default()].concat();
            run(&best(tool, &words, rounds, run))
        });
        let figures = [full / lean, f64::NAN, f64::NAN];
        rows.push(Row::new(
            format!("{name}: lean wire: events that can be derived are not written"),
            figures,
        ));
    }
}

/// The search in which this time is shortest.
fn best(tool: &mut Tool, words: &[&str], rounds: usize, time: fn(&Explored) -> f64) -> Explored {
    let searches = (0..rounds).map(|_| tool.explore(words));
    let best = searches.min_by(|one, other| time(one).total_cmp(&time(other)));
    best.expect("there are rounds")
}

/// The time of a question.
fn question(search: &Explored) -> f64 {
    // The report rounds times below a millisecond to 0.
    search.statistic("solve_ms").max(1.0) / search.statistic("solver_queries")
}

/// The time of a run and its replay.
fn run(search: &Explored) -> f64 {
    (search.statistic("run_ms") + search.statistic("replay_ms")) / search.statistic("runs")
}

/// How many of 1,000 questions Z3 is asked.
fn to_z3(search: &Explored) -> f64 {
    1e3 * search.statistic("smt") / search.statistic("solver_queries")
}
