//! A module of 2,000 lines with 150 functions: how long instrumenting takes, and whether `--all`
//! gives every function its share.

use std::fs;
use std::io;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use end_to_end::benchmarks::{Report, Row, Table, column, counted, median};
use end_to_end::erlang::{erlc, temporary_folder};
use serde_json::Value;

use crate::explored::{Tool, number};

/// Texts of functions, in which `@` stands for a number.
const TEMPLATES: &str = include_str!("large_module/functions.txt");
const HEADER: &str = include_str!("large_module/header.txt");

const FUNCTIONS: usize = 150;
const QUICK_FUNCTIONS: usize = 12;
const LINES: usize = 2_000;
const ROUNDS: usize = 5;
/// The time that all functions share.
const SECONDS: &str = "60";
const QUICK_SECONDS: &str = "3";

pub(crate) fn measure(tool: &mut Tool, is_quick: bool, report: &mut Report) -> io::Result<()> {
    let folder = temporary_folder();
    let source = folder.path().join("large.erl");
    let text = module(if is_quick { QUICK_FUNCTIONS } else { FUNCTIONS });
    let lines = text.lines().count();
    assert!(is_quick || lines >= LINES, "{lines} lines");
    instrumenting(tool, &source, &text, is_quick, report)?;
    fs::write(&source, text)?;
    all(tool, &source, is_quick, report);
    Ok(())
}

/// The text of a module with this many functions.
fn module(count: usize) -> String {
    let templates: Vec<&str> = TEMPLATES.split("\n\n\n").map(str::trim).collect();
    let functions = templates.iter().cycle().take(count).enumerate();
    let functions = functions.map(|(number, template)| {
        let text = template.replace('@', &number.to_string());
        format!("\n{text}\n")
    });
    HEADER.to_owned() + &functions.collect::<String>()
}

/// Compared with `erlc`, each in a new process. The module is another one in each round: otherwise
/// its code would come from the cache.
fn instrumenting(
    tool: &mut Tool,
    source: &Path,
    text: &str,
    is_quick: bool,
    report: &mut Report,
) -> io::Result<()> {
    let rounds = if is_quick { 1 } else { ROUNDS };
    let mut ratios = Vec::with_capacity(rounds);
    for _ in 0..rounds {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let now = now.map_or(0, |now| now.as_nanos());
        fs::write(source, format!("{text}\nmade_at() -> {now}.\n"))?;
        let build = temporary_folder();
        let ours = tool.instrument(source, build.path(), &[]);
        let out = temporary_folder();
        let compile = || erlc(out.path(), [], &[source]);
        let (erlc, ()) = tool.unit.timed(compile);
        ratios.push(ours / erlc);
    }
    let ratio = median(ratios);
    report.target(
        "instrumenting a module of 2,000 lines, against compiling it with erlc \
         (wanted: less than 2)",
        ratio,
        ratio < 2.0,
    );
    Ok(())
}

fn all(tool: &mut Tool, source: &Path, is_quick: bool, report: &mut Report) {
    let source = source.to_str().expect("the path is UTF-8");
    let seconds = if is_quick { QUICK_SECONDS } else { SECONDS };
    let found = tool.explore(&[source, "--all", "--timeout", seconds]);
    // Helpers without a spec are not explored by themselves.
    let entries = found.list("entries").iter();
    let entries: Vec<&Value> = entries
        .filter(|it| it.get("left_out") == Some(&Value::Null))
        .collect();
    let runs = || entries.iter().map(|it| number(it, "/runs"));
    let shares = || {
        entries.iter().map(|it| {
            let clauses = |which| number(it, &format!("/coverage/clauses/{which}"));
            clauses("covered") / clauses("total")
        })
    };
    let least = |figures: &mut dyn Iterator<Item = f64>| figures.fold(f64::INFINITY, f64::min);
    let (least_runs, least_share) = (least(&mut runs()), least(&mut shares()));
    let complete = entries
        .iter()
        .filter(|it| it.get("complete") == Some(&Value::Bool(true)))
        .count();
    report.table(Table {
        title: "All functions of a large module".to_owned(),
        note: format!(
            "A module of 2,000 lines with records, maps, binaries, funs and comprehensions, \
             explored with `--all` for {seconds} seconds. *Least* and *median* are of its \
             functions; a share is of the clauses that a function may reach."
        ),
        rows_are: "module".to_owned(),
        columns: vec![
            counted("functions"),
            column("complete").more(),
            column("least runs").more(),
            column("median runs").more(),
            column("least share of clauses").more(),
            column("median share").more(),
        ],
        rows: vec![Row::new(
            "150 functions",
            [
                entries.len() as f64,
                complete as f64,
                least_runs,
                median(runs()),
                least_share,
                median(shares()),
            ],
        )],
    });
    report.target(
        "least runs of a function of 150 that share 60 seconds (wanted: at least 1)",
        least_runs,
        least_runs >= 1.0,
    );
}
