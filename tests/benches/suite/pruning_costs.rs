//! What pruning costs where it saves nothing: the samples with and without it.

use end_to_end::benchmarks::{Report, Row, Table, column, counted};
use end_to_end::erlang::temporary_folder;

use crate::explored::{Explored, Tool, number};
use crate::functions::Function;

/// The best of these rounds is used, so that a busy moment does not count.
const ROUNDS: usize = 3;
/// The end of each search.
const MAX_RUNS: &str = "1000";
const QUICK_RUNS: &str = "100";
/// How much slower a command may be.
const COMMAND_TARGET: f64 = 1.1;
/// How much slower the replay of a function may be that never comes to a state again.
const REPLAY_TARGET: f64 = 1.2;
/// Shorter times are too noisy to be compared.
const LEAST_MILLISECONDS: f64 = 30.0;

/// Measures the samples among the functions.
pub(crate) fn measure(
    tool: &mut Tool,
    functions: &[Function],
    is_quick: bool,
    report: &mut Report,
) {
    let (rounds, runs) = if is_quick {
        (1, QUICK_RUNS)
    } else {
        (ROUNDS, MAX_RUNS)
    };
    let samples = functions.iter().filter(|it| it.is_sample());
    let costs: Vec<Cost> = samples
        .map(|function| Cost::of(tool, function, rounds, runs))
        .collect();
    let worst = |figures: &mut dyn Iterator<Item = f64>| figures.fold(0.0, f64::max);
    let command = worst(&mut costs.iter().map(Cost::of_command));
    report.target(
        format!(
            "time of a command with pruning against one without, worst sample (wanted: at most {COMMAND_TARGET})"
        ),
        command,
        command <= COMMAND_TARGET,
    );
    let never_merge = costs.iter().filter(|cost| cost.merges() == 0.0);
    let replay = worst(&mut never_merge.filter_map(Cost::of_replay));
    report.target(
        format!(
            "replay of a run with pruning against without, worst sample that never comes to a \
             state again (wanted: at most {REPLAY_TARGET})"
        ),
        replay,
        replay <= REPLAY_TARGET,
    );
    report.table(Table {
        title: "The cost of pruning".to_owned(),
        note: format!(
            "Searches of the samples with at most {runs} runs, with and without pruning, best of \
             {rounds}: the whole command, and of it running, replaying and solving. A search that is \
             proved complete goes on for as many runs again. *Merges* are ways that were not asked \
             for. Times of searches below {LEAST_MILLISECONDS} ms are not compared."
        ),
        rows_are: "function".to_owned(),
        columns: vec![
            column("command with / without").less(),
            column("search with / without").less(),
            column("replay of a run with / without").less(),
            counted("runs with"),
            counted("without"),
            counted("merges"),
        ],
        rows: costs.iter().map(Cost::row).collect(),
    });
}

/// A function, searched with and without pruning.
struct Cost {
    name: String,
    with: Explored,
    without: Explored,
}

impl Cost {
    fn of(tool: &mut Tool, function: &Function, rounds: usize, runs: &str) -> Self {
        let folder = temporary_folder();
        let source = function.copy_to(folder.path());
        let source = source.to_str().expect("the path is UTF-8");
        let words = [source, "--entry", &function.entry, "--timeout", "60"];
        let words = [&words[..], &["--max-runs", runs]].concat();
        let plain = [&words[..], &["--without", "pruning"]].concat();
        // Alternating, so that a slow minute concerns both.
        let pairs = (0..rounds).map(|_| (tool.explore(&words), tool.explore(&plain)));
        let (with, without): (Vec<Explored>, Vec<Explored>) = pairs.unzip();
        Self {
            name: function.name(),
            with: fastest(with),
            without: fastest(without),
        }
    }

    /// How much longer the command takes.
    fn of_command(&self) -> f64 {
        self.with.wall.as_secs_f64() / self.without.wall.as_secs_f64()
    }

    /// How much longer its search takes, if that is long enough to tell.
    fn of_search(&self) -> Option<f64> {
        let is_long = searching(&self.without) >= LEAST_MILLISECONDS;
        is_long.then(|| searching(&self.with) / searching(&self.without))
    }

    /// The same of the replay of a run.
    fn of_replay(&self) -> Option<f64> {
        let replay = |search: &Explored| search.statistic("replay_ms");
        let of_run = |search: &Explored| replay(search) / search.statistic("runs");
        let is_long = replay(&self.without) >= LEAST_MILLISECONDS;
        is_long.then(|| of_run(&self.with) / of_run(&self.without))
    }

    fn merges(&self) -> f64 {
        number(&self.with.report, "/pruned/ways")
    }

    fn row(&self) -> Row {
        Row::new(
            self.name.clone(),
            [
                self.of_command(),
                self.of_search().unwrap_or(f64::NAN),
                self.of_replay().unwrap_or(f64::NAN),
                self.with.statistic("runs"),
                self.without.statistic("runs"),
                self.merges(),
            ],
        )
    }
}

/// The time of running, replaying and solving.
fn searching(search: &Explored) -> f64 {
    let times = ["run_ms", "replay_ms", "solve_ms"];
    times.iter().map(|it| search.statistic(it)).sum()
}

fn fastest(searches: Vec<Explored>) -> Explored {
    let fastest = searches.into_iter().min_by_key(|it| it.wall);
    fastest.expect("there are rounds")
}
