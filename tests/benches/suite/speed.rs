//! Runs, time to the first finding, and where the time goes.

use end_to_end::benchmarks::{Report, Row, Table, column, counted, median};
use end_to_end::erlang::temporary_folder;

use crate::explored::{Explored, Tool};
use crate::functions::Function;

/// Rounds for the time to the first finding; the best is used.
const ROUNDS: usize = 2;
const MAX_RUNS: &str = "300";
/// A bug must be found within this many runs.
const RUNS_TO_FIND: &str = "6000";
/// How many starts of `erl` the first finding may take, in the median of the samples.
const FIRST_TARGET: f64 = 3.0;

/// Measures each function, and returns the searches.
pub(crate) fn measure(
    tool: &mut Tool,
    functions: &[Function],
    is_quick: bool,
    report: &mut Report,
) -> Vec<Explored> {
    let rounds = if is_quick { 1 } else { ROUNDS };
    let mut rows = Vec::new();
    let mut searches = Vec::new();
    let mut firsts_of_samples = Vec::new();
    for function in functions {
        let folder = temporary_folder();
        let source = function.copy_to(folder.path());
        let source = source.to_str().expect("the path is UTF-8");
        let words = [source, "--entry", &function.entry, "--timeout", "60"];
        let all = [&words[..], &["--max-runs", MAX_RUNS]].concat();
        let first = [&words[..], &["--first", "--max-runs", RUNS_TO_FIND]].concat();
        let search = tool.explore(&all);
        let first = function.has_bug.then(|| best(tool, &first, rounds));
        let first = first.filter(|it| !it.list("findings").is_empty());
        let first = first.map_or(f64::NAN, |it| it.starts);
        if function.is_sample() && first.is_finite() {
            firsts_of_samples.push(first);
        }
        rows.push(row(function, &search, first));
        searches.push(search);
    }
    report.table(table(rows));
    let first = median(firsts_of_samples);
    report.target(
        format!(
            "starts of erl to the first finding, median of the samples \
             (wanted: at most {FIRST_TARGET})"
        ),
        first,
        first <= FIRST_TARGET,
    );
    searches
}

/// Searches each function once.
pub(crate) fn searches(tool: &mut Tool, functions: &[Function]) -> Vec<Explored> {
    let searches = functions.iter().map(|function| {
        let folder = temporary_folder();
        let source = function.copy_to(folder.path());
        let source = source.to_str().expect("the path is UTF-8");
        let words = [source, "--entry", &function.entry, "--timeout", "60"];
        tool.explore(&[&words[..], &["--max-runs", MAX_RUNS]].concat())
    });
    searches.collect()
}

fn table(rows: Vec<Row>) -> Table {
    Table {
        title: "Functions".to_owned(),
        note: format!(
            "The whole command with one worker and at most {MAX_RUNS} runs: \
             compiling, instrumenting, starting BEAMs, searching, confirming and printing. *The \
             search alone* is the time of running, replaying and solving, which includes one start \
             of a BEAM. *First finding* is the time of a command with `--first`, in starts of erl, \
             best of {ROUNDS}. The shares are of the time of the whole command. *Report* is the \
             time from the end of the search to the report, mostly for running crashes again on \
             the code as it is; *rest* is compiling, instrumenting and starting."
        ),
        rows_are: "function".to_owned(),
        columns: vec![
            counted("runs"),
            counted("clauses").more(),
            counted("of"),
            column("runs in a start of erl").more(),
            column("in the search alone").more(),
            column("first finding").less(),
            column("BEAM"),
            column("replay"),
            column("solve"),
            column("report"),
            column("rest"),
        ],
        rows,
    }
}

fn row(function: &Function, search: &Explored, first: f64) -> Row {
    let runs = search.statistic("runs");
    let shares = ["run_ms", "replay_ms", "solve_ms", "report_ms"].map(|it| search.share(it));
    let [running, replaying, solving, reporting] = shares;
    let searching = running + replaying + solving;
    Row::new(
        function.name(),
        [
            runs,
            search.clauses("covered"),
            search.clauses("total"),
            runs / search.starts,
            runs / (search.starts * searching),
            first,
            running,
            replaying,
            solving,
            reporting,
            1.0 - searching - reporting,
        ],
    )
}

fn best(tool: &mut Tool, words: &[&str], rounds: usize) -> Explored {
    let searches = (0..rounds).map(|_| tool.explore(words));
    // Not by starts of `erl`: that would choose the round in which `erl` was slow.
    let best = searches.min_by_key(|it| it.wall);
    best.expect("there are rounds")
}
