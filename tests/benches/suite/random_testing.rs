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

pub(crate) fn measure(functions: &[Function], searches: &[Explored], report: &mut Report) {
    let compared: Vec<(f64, [f64; FIGURES])> = functions
        .iter()
        .zip(searches)
        .map(|(function, search)| (search.starts, against_random(function, search)))
        .collect();
    let names = functions.iter().map(Function::name);
    let mut rows: Vec<Row> = names
        .zip(&compared)
        .map(|(name, (budget, figures))| row(name, *budget, figures))
        .collect();
    let mut sums = [0.0; FIGURES];
    for (sum, column) in sums.iter_mut().zip(0..) {
        let figures = compared.iter().filter_map(|it| it.1.get(column));
        *sum = figures.filter(|it| it.is_finite()).sum();
    }
    let budget = compared.iter().map(|it| it.0).sum();
    rows.push(row("all".to_owned(), budget, &sums));
    report.table(Table {
        title: "Against random testing by PropEr".to_owned(),
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
    });
    let [_, bugs, clauses, random_bugs, random_clauses, _] = sums;
    report.target(
        "bugs found against random testing in the same time (wanted: more than 1)",
        bugs / random_bugs,
        bugs > random_bugs,
    );
    report.target(
        "clauses reached against random testing in the same time (wanted: more than 1)",
        clauses / random_clauses,
        clauses > random_clauses,
    );
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
        function.entry.to_owned(),
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
