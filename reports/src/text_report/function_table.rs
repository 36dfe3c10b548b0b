//! A table with a line for each function.

use trace_engine::explore::Gap;

use crate::exploration::Exploration;
use crate::searched::Searched;

const HEADER: [&str; 5] = ["function", "runs", "clauses", "findings", "skipped"];

/// A line for each function, below a line of column heads.
pub(super) fn function_table(exploration: &Exploration<'_>) -> String {
    let mut rows = vec![HEADER.map(str::to_owned)];
    let searches = exploration.searches.iter().enumerate();
    rows.extend(searches.map(|(number, it)| row(exploration, number, it)));
    let skipped = exploration.skipped.iter().map(|it| {
        [
            exploration.shown(&it.entry),
            "-".into(),
            "-".into(),
            "-".into(),
            it.why.to_string(),
        ]
    });
    rows.extend(skipped);
    align(&rows)
}

fn row(exploration: &Exploration<'_>, number: usize, search: &Searched) -> [String; 5] {
    let clauses = search.coverage.clauses;
    let mut codes: Vec<&str> = search.report.gaps.keys().map(Gap::code).collect();
    codes.dedup();
    [
        exploration.shown(&search.entry),
        (search.tests() + search.rejected).to_string(),
        format!("{} of {}", clauses.covered, clauses.total),
        exploration.findings_of(number).to_string(),
        if codes.is_empty() {
            "nothing".to_owned()
        } else {
            codes.join(", ")
        },
    ]
}

/// Aligns numbers on the right of their columns, and text on the left.
fn align(rows: &[[String; 5]]) -> String {
    let mut widths = [0; 5];
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let [first, runs, clauses, findings, _] = widths;
    let lines = rows.iter().map(|[entry, a, b, c, skipped]| {
        format!("{entry:first$}  {a:>runs$}  {b:>clauses$}  {c:>findings$}  {skipped}\n")
    });
    lines.collect()
}
