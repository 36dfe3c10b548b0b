//! What it saves to ask for ways once in each state and not on each path: with and without, by
//! stage, by strategy, and how deep inputs can be.

use std::error::Error;
use std::fs;
use std::path::Path;

use end_to_end::benchmarks::{Curve, Plot, Report, Row, Table, counted};
use end_to_end::erlang::package_path;

use crate::explored::{Explored, Tool, number};
use crate::strategies::{STRATEGIES, clauses_over_runs};

/// A way to search, and its words.
type Variant = (&'static str, &'static [&'static str]);

/// Without pruning, then with more and more stages of it.
const VARIANTS: [Variant; COUNT] = [
    ("all paths", &["--without", "pruning"]),
    (
        "equal states",
        &[
            "--paths",
            "states",
            "--without",
            "calls,inclusion,interpolants",
        ],
    ),
    (
        "and calls",
        &["--paths", "states", "--without", "inclusion,interpolants"],
    ),
    (
        "and inclusion",
        &["--paths", "states", "--without", "interpolants"],
    ),
    ("and interpolants", &["--paths", "states"]),
];
const COUNT: usize = 5;
/// Those that are measured with each strategy: none of the stages, and all.
const ENDS: [Variant; 2] = [VARIANTS[0], VARIANTS[COUNT - 1]];

/// The end of each search.
const MAX_RUNS: &str = "3000";
const RUNS_BY_STRATEGY: &str = "1000";
const QUICK_RUNS: &str = "100";
/// The end of the searches that look for the deepest inputs.
const RUNS_FOR_DEPTH: &str = "500";
/// Enough for that many runs, so that figures do not depend on the machine.
const SECONDS: &str = "900";
const DEPTHS: [u32; 14] = [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20, 25, 30];
/// How many programs are measured in short.
const QUICK: usize = 1;

/// A function, and a depth of its inputs.
struct Program {
    title: &'static str,
    /// Below the folder of the repository.
    source: &'static str,
    entry: &'static str,
    depth: u32,
    /// Whether deeper inputs have more paths.
    grows: bool,
}

const fn loops(entry: &'static str, title: &'static str) -> Program {
    Program {
        title,
        source: "tests/erlang_samples/pruning/list_loops.erl",
        entry,
        depth: 7,
        grows: true,
    }
}

const fn branches(entry: &'static str, title: &'static str) -> Program {
    Program {
        source: "tests/erlang_samples/pruning/branches.erl",
        depth: 2,
        grows: false,
        ..loops(entry, title)
    }
}

const fn driver(source: &'static str, title: &'static str) -> Program {
    Program {
        source,
        depth: 5,
        ..loops("run/1", title)
    }
}

const fn sample(source: &'static str, entry: &'static str, title: &'static str) -> Program {
    Program {
        source,
        depth: 4,
        ..loops(entry, title)
    }
}

const TREES: &str = "tests/erlang_samples/pruning/trees.erl";

const PROGRAMS: [Program; 21] = [
    loops("machine/1", "state machine"),
    loops("words/1", "words with two accumulators"),
    loops("nesting/1", "nesting counter"),
    loops("comprehension/1", "comprehension with checks"),
    loops("merge/2", "merge of two lists"),
    branches("carried/12", "12 branches, results carried"),
    branches("sums/12", "12 branches, sum of 1..12"),
    branches("powers/12", "12 branches, sum of powers"),
    sample("samples/brackets/brackets.erl", "check/1", "brackets"),
    sample("samples/tokenizer/tokenizer.erl", "tokens/1", "tokenizer"),
    sample("samples/ini/ini.erl", "parse/1", "ini"),
    sample("samples/json/json_decoder.erl", "decode/1", "json"),
    sample("samples/regex/regex.erl", "match/2", "regex"),
    sample("samples/bank/bank.erl", "run/1", "bank"),
    sample(
        "samples/calculator/calculator.erl",
        "calculate/1",
        "calculator",
    ),
    sample(TREES, "sum/1", "tree sum"),
    sample(TREES, "compared/1", "trees compared"),
    driver("tests/erlang_samples/pruning/kbfiltr.erl", "driver kbfiltr"),
    driver(
        "tests/erlang_samples/pruning/diskperf.erl",
        "driver diskperf",
    ),
    driver("tests/erlang_samples/pruning/floppy.erl", "driver floppy"),
    driver("tests/erlang_samples/pruning/cdaudio.erl", "driver cdaudio"),
];

/// Measures all of it, and plots it.
pub(crate) fn measure(
    tool: &mut Tool,
    docs: &Path,
    is_quick: bool,
    report: &mut Report,
) -> Result<(), Box<dyn Error>> {
    let (count, runs) = if is_quick {
        (QUICK, QUICK_RUNS)
    } else {
        (PROGRAMS.len(), MAX_RUNS)
    };
    let programs: Vec<&Program> = PROGRAMS.iter().take(count).collect();
    with_and_without(tool, docs, &programs, runs, report)?;
    let runs = if is_quick {
        QUICK_RUNS
    } else {
        RUNS_BY_STRATEGY
    };
    by_strategy(tool, &programs, runs, report);
    by_depth(tool, docs, &programs, report)
}

/// The words of a search with a limit of runs.
fn limited<'words>(runs: &'words str, words: &[&'words str]) -> Vec<&'words str> {
    [words, &["--max-runs", runs]].concat()
}

impl Program {
    fn search(&self, tool: &mut Tool, depth: u32, words: &[&str]) -> Explored {
        let source = package_path("..").join(self.source);
        let source = source.to_str().expect("the path is UTF-8");
        let depth = depth.to_string();
        let what = [source, "--entry", self.entry, "--term-depth", &depth];
        tool.explore(&[&what, words, &["--timeout", SECONDS]].concat())
    }

    /// The row of this program at its usual depth.
    fn name(&self) -> String {
        if self.grows {
            format!("{}, depth {}", self.title, self.depth)
        } else {
            self.title.to_owned()
        }
    }
}

fn is_complete(search: &Explored) -> bool {
    search.report.get("complete").and_then(|it| it.as_bool()) == Some(true)
}

/// How many runs a complete search took; not a number for others.
fn runs_if_complete(search: &Explored) -> f64 {
    if is_complete(search) {
        search.statistic("runs")
    } else {
        f64::NAN
    }
}

fn with_and_without(
    tool: &mut Tool,
    docs: &Path,
    programs: &[&Program],
    runs: &str,
    report: &mut Report,
) -> Result<(), Box<dyn Error>> {
    let mut rows = Vec::new();
    let mut plots = Vec::new();
    let mut least = f64::INFINITY;
    for program in programs {
        let searches = VARIANTS.map(|(_, words)| {
            let words = limited(runs, words);
            program.search(tool, program.depth, &words)
        });
        for ((variant, _), search) in VARIANTS.iter().zip(&searches) {
            rows.push(Row::new(
                format!("{}: {variant}", program.name()),
                [
                    search.statistic("runs"),
                    search.statistic("solver_queries"),
                    f64::from(u8::from(is_complete(search))),
                    search.list("findings").len() as f64,
                    search.clauses("covered"),
                    number(&search.report, "/pruned/points"),
                    number(&search.report, "/pruned/ways"),
                ],
            ));
        }
        plots.push(plot_of_clauses(program, &searches));
        least = least.min(least_found(&searches).unwrap_or(f64::INFINITY));
    }
    report.target(
        "findings and clauses of searches by states, against all paths, worst program and stage \
         (wanted: at least 1)",
        least,
        least >= 1.0,
    );
    let svg = Plot::svg(&plots, "runs", "clauses reached");
    fs::write(docs.join("pruning_clauses.svg"), svg)?;
    report.table(Table {
        title: "Pruning".to_owned(),
        note: format!(
            "Searches of all paths, and of each way once in each state, with at most {runs} runs \
             and the default strategy. *Complete* is 1 if every path was run, or goes on as one that \
             was. *Points* are states, *merges* are ways that were not asked for because they were \
             in the same state elsewhere.\n\n\
             ![Clauses reached over runs, with and without pruning](pruning_clauses.svg)"
        ),
        rows_are: "program".to_owned(),
        columns: vec![
            counted("runs").less(),
            counted("questions").less(),
            counted("complete").more(),
            counted("findings").more(),
            counted("clauses").more(),
            counted("points"),
            counted("merges"),
        ],
        rows,
    });
    Ok(())
}

/// The findings and clauses of searches by states against those of all paths, where both are complete:
/// the least of all stages.
fn least_found(searches: &[Explored; COUNT]) -> Option<f64> {
    let found =
        |search: &Explored| search.list("findings").len() as f64 + search.clauses("covered");
    let [all, by_states @ ..] = searches;
    if !is_complete(all) {
        return None;
    }
    let complete = by_states.iter().filter(|it| is_complete(it));
    complete
        .map(|search| found(search) / found(all))
        .reduce(f64::min)
}

fn plot_of_clauses(program: &Program, searches: &[Explored; COUNT]) -> Plot {
    let runs = searches.iter().map(|it| it.statistic("runs"));
    let total = searches.iter().map(|it| it.clauses("total"));
    let named = VARIANTS.iter().zip(searches);
    Plot {
        title: program.name(),
        width: runs.fold(0.0, f64::max),
        height: total.fold(0.0, f64::max),
        curves: named
            .map(|((name, _), search)| clauses_over_runs(name, search))
            .collect(),
    }
}

fn by_strategy(tool: &mut Tool, programs: &[&Program], runs: &str, report: &mut Report) {
    let rows = programs.iter().map(|program| {
        let figures = ENDS.iter().flat_map(|(_, words)| {
            let searches = STRATEGIES.map(|strategy| {
                let words = [words, &["--strategy", strategy][..]].concat();
                let words = limited(runs, &words);
                program.search(tool, program.depth, &words)
            });
            searches.map(|search| runs_if_complete(&search))
        });
        Row::new(program.name(), figures.collect::<Vec<_>>())
    });
    let rows = rows.collect();
    let columns = ENDS.iter().flat_map(|(variant, _)| {
        STRATEGIES.map(|strategy| counted(&format!("{variant}, {strategy}")).less())
    });
    report.table(Table {
        title: "Pruning by strategy".to_owned(),
        note: format!("Runs until a search is complete; at most {runs}, otherwise there is none."),
        rows_are: "program".to_owned(),
        columns: columns.collect(),
        rows,
    });
}

fn by_depth(
    tool: &mut Tool,
    docs: &Path,
    programs: &[&Program],
    report: &mut Report,
) -> Result<(), Box<dyn Error>> {
    let mut rows = Vec::new();
    let mut plots = Vec::new();
    for program in programs.iter().filter(|it| it.grows) {
        let proved = VARIANTS.map(|(_, words)| proved_depths(tool, program, words));
        let deepest = proved.iter().map(|it| it.last().map_or(0.0, |it| it.1));
        let runs = proved
            .iter()
            .map(|it| it.last().map_or(f64::NAN, |it| it.0));
        rows.push(Row::new(program.title, deepest.chain(runs)));
        plots.push(plot_of_depths(program, &proved));
    }
    let svg = Plot::svg(&plots, "runs", "depth proved");
    fs::write(docs.join("pruning_depths.svg"), svg)?;
    let names = VARIANTS.map(|it| it.0);
    let depths = names.map(|name| counted(&format!("deepest, {name}")).more());
    let runs = names.map(|name| counted(&format!("its runs, {name}")));
    report.table(Table {
        title: "How deep inputs can be".to_owned(),
        note: format!(
            "The deepest inputs, up to depth {}, for which a search of at most {RUNS_FOR_DEPTH} runs \
             is complete, and how many runs that takes.\n\n\
             ![Depth proved over runs, with and without pruning](pruning_depths.svg)",
            DEPTHS.iter().max().unwrap_or(&0)
        ),
        rows_are: "program".to_owned(),
        columns: depths.into_iter().chain(runs).collect(),
        rows,
    });
    Ok(())
}

/// The runs of complete searches and their depths, up to the first that is not complete.
fn proved_depths(tool: &mut Tool, program: &Program, words: &[&str]) -> Vec<(f64, f64)> {
    let words = limited(RUNS_FOR_DEPTH, words);
    let searches = DEPTHS.iter().map(|depth| {
        let search = program.search(tool, *depth, &words);
        (runs_if_complete(&search), f64::from(*depth))
    });
    searches.take_while(|it| it.0.is_finite()).collect()
}

fn plot_of_depths(program: &Program, proved: &[Vec<(f64, f64)>; COUNT]) -> Plot {
    let width = proved.iter().flatten().map(|it| it.0).fold(0.0, f64::max);
    let height = proved.iter().flatten().map(|it| it.1).fold(0.0, f64::max);
    let curves = VARIANTS.iter().zip(proved);
    let curves = curves.map(|((name, _), steps)| Curve {
        name: (*name).to_owned(),
        steps: steps.clone(),
        end: width,
    });
    Plot {
        title: program.title.to_owned(),
        width,
        height,
        curves: curves.collect(),
    }
}
