//! Random testing by PropEr in the same time. `erlang_tools/random_testing.erl` makes and runs the
//! random inputs, runs the tool's inputs too, and counts for both.

use std::fs;
use std::path::Path;
use std::slice::from_ref;

use end_to_end::benchmarks::{Report, Row, Table, column, counted};
use end_to_end::erlang::{erlc, package_path, run_main, temporary_folder};
use serde_json::Value;

use crate::explored::Explored;
use crate::functions::Function;

/// The exit status if PropEr cannot make inputs of the type.
const UNABLE: i32 = 3;
/// The columns of figures after the budget.
const FIGURES: usize = 6;

/// How many times as many bugs the tool should find.
const BUGS_TARGET: f64 = 3.5;
/// How many times as many clauses it should reach.
const CLAUSES_TARGET: f64 = 1.5;

/// Functions that were searched.
#[derive(Debug)]
pub(crate) struct Set<'bench> {
    /// What distinguishes it in the title.
    name: &'static str,
    functions: &'bench [Function],
    searches: &'bench [Explored],
}

impl<'bench> Set<'bench> {
    pub(crate) fn new(
        name: &'static str,
        functions: &'bench [Function],
        searches: &'bench [Explored],
    ) -> Self {
        Self {
            name,
            functions,
            searches,
        }
    }

    /// Compares all its functions. Adds a table, and returns the sums of its figures.
    fn measure(&self, report: &mut Report) -> [f64; FIGURES] {
        let compared: Vec<(f64, [f64; FIGURES])> = self
            .functions
            .iter()
            .zip(self.searches)
            .map(|(function, search)| (search.starts, against_random(function, search)))
            .collect();
        let names = self.functions.iter().map(Function::name);
        let mut rows: Vec<Row> = names
            .zip(&compared)
            .map(|(name, (budget, figures))| row(name, *budget, figures))
            .collect();
        let sums = sums(compared.iter().map(|it| &it.1));
        let budget = compared.iter().map(|it| it.0).sum();
        rows.push(row("all".to_owned(), budget, &sums));
        report.table(table(self.name, rows));
        sums
    }
}

pub(crate) fn measure(sets: &[Set<'_>], report: &mut Report) {
    let of_sets: Vec<_> = sets.iter().map(|set| set.measure(report)).collect();
    let [_, bugs, clauses, random_bugs, random_clauses, _] = sums(of_sets.iter());
    let mut target = |what: &str, ratio: f64, wanted: f64| {
        let title =
            format!("{what} against random testing in the same time (wanted: at least {wanted})");
        report.target(title, ratio, ratio >= wanted);
    };
    target("bugs found", bugs / random_bugs, BUGS_TARGET);
    target("clauses reached", clauses / random_clauses, CLAUSES_TARGET);
}

/// Column by column, without what could not be measured.
fn sums<'figures>(rows: impl Iterator<Item = &'figures [f64; FIGURES]>) -> [f64; FIGURES] {
    let mut sums = [0.0; FIGURES];
    for row in rows {
        for (sum, figure) in sums.iter_mut().zip(row) {
            *sum += if figure.is_finite() { *figure } else { 0.0 };
        }
    }
    sums
}

fn table(name: &str, rows: Vec<Row>) -> Table {
    Table {
        title: format!("Against random testing by PropEr{name}"),
        note: "PropEr runs random inputs of the same spec for as long as our whole command took \
               (*time*, in starts of erl), in a warm node, on compiled and loaded code, without \
               shrinking. Two bugs differ if their class, the first word of their reason or their \
               place differs. Clauses are those of the source (of functions, funs, `case`, `if`, \
               `receive`, `try`). The same program counts both sides, and runs our inputs too; *by \
               either* is what both together reached. Where there are no figures, PropEr cannot \
               make values of the type."
            .to_owned(),
        rows_are: "function".to_owned(),
        columns: vec![
            column("time"),
            column("random inputs"),
            counted("our bugs").more(),
            column("its bugs"),
            counted("our clauses").more(),
            column("its clauses"),
            column("by either"),
        ],
        rows,
    }
}

fn row(name: String, budget: f64, figures: &[f64; FIGURES]) -> Row {
    let [tried, bugs, clauses, random_bugs, random_clauses, both] = *figures;
    Row::new(
        name,
        [
            budget,
            tried,
            bugs,
            random_bugs,
            clauses,
            random_clauses,
            both,
        ],
    )
}

/// Random inputs; bugs and clauses of ours, of theirs, clauses of both.
fn against_random(function: &Function, search: &Explored) -> [f64; FIGURES] {
    let folder = temporary_folder();
    let source = function.copy_to(folder.path());
    let tools = ["clause_counts", "random_testing"];
    let tools = tools.map(|it| package_path(&format!("erlang_tools/{it}.erl")));
    // PropEr reads types from the debug information.
    erlc(
        folder.path(),
        ["+debug_info"],
        &[from_ref(&source), &tools[..]].concat(),
    );
    let inputs = folder.path().join("inputs");
    let lines: String = search.list("tests").iter().map(argument_line).collect();
    fs::write(&inputs, lines).expect("the folder can be written");
    let text = |path: &Path| path.display().to_string();
    let arguments = [
        text(&source),
        function.entry.to_string(),
        search.wall.as_millis().to_string(),
        text(&inputs),
    ];
    let finished = run_main(folder.path(), "random_testing", &arguments);
    let name = function.name();
    if finished.status == UNABLE {
        return [f64::NAN; FIGURES];
    }
    assert_eq!(finished.status, 0, "{name}: {}", finished.text);
    let words = finished.text.split_whitespace();
    let figures: Vec<f64> = words.filter_map(|it| it.parse().ok()).collect();
    let figures = <[f64; FIGURES]>::try_from(figures);
    figures.unwrap_or_else(|_| panic!("{name}: {}", finished.text))
}

/// The arguments of a test as an Erlang list, on a line of its own.
fn argument_line(test: &Value) -> String {
    let arguments = test.get("args").and_then(Value::as_array);
    let arguments = arguments.map(Vec::as_slice);
    let arguments = arguments.unwrap_or_default().iter();
    let arguments: Vec<&str> = arguments.filter_map(Value::as_str).collect();
    format!("[{}]\n", arguments.join(","))
}
