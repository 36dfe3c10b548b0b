//! The report as text for the terminal.

mod finding_message;
mod function_table;
mod machine_lines;

use std::fmt::Write;

use crate::bounds::bounds;
use crate::chart::{Chart, chart_text};
use crate::counted::counted;
use crate::exploration::Exploration;
use crate::source_texts::ReadSource;
use crate::stale_lines::StaleLine;
use crate::terminal::{draw_diagnostics, visible};
use finding_message::finding_message;
pub(crate) use finding_message::finding_title;
use function_table::function_table;
use machine_lines::machine_lines;

/// At most this many accepted findings are named.
const MOST_ACCEPTED: usize = 20;

/// The heading of findings whose inputs a program is not likely to get.
const UNLIKELY: &str = "Unlikely inputs (--skip unlikely leaves them out):\n\n";

/// The report as text for the terminal.
pub fn text_report(exploration: &Exploration<'_>, read: ReadSource<'_>) -> String {
    visible(&report(exploration, read)).into_owned()
}

fn report(exploration: &Exploration<'_>, read: ReadSource<'_>) -> String {
    let mut out = String::new();
    let mut is_likely = true;
    for finding in exploration.new_findings() {
        if is_likely && !finding.is_likely {
            out.push_str(UNLIKELY);
            is_likely = false;
        }
        let diagnostic = finding_message(exploration, read, finding);
        out.push_str(&draw_diagnostics(&[diagnostic], false));
        if let Some(chart) = &finding.chart {
            push_chart(&mut out, chart);
        }
    }
    out.push_str(&accepted_lines(exploration));
    out.push_str(&machine_lines(exploration));
    let has_functions = exploration.searches.len() + exploration.skipped.len() > 0;
    if exploration.only_entry.is_none() && has_functions {
        out.push_str(&function_table(exploration));
        out.push('\n');
    }
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{}", closing_line(exploration));
    for stale in &exploration.stale_lines {
        let StaleLine { number, line, .. } = stale;
        let what = if stale.is_gone {
            "no longer occurs"
        } else {
            "did not occur in this search, which skipped some paths"
        };
        let _ = writeln!(out, "  {what}: {line} (accepted in line {number})");
    }
    let wording = exploration.common_wording();
    for ((code, what), count) in exploration.gaps() {
        let (what, times) = (wording.about(&what), counted(count, "time"));
        let _ = writeln!(out, "  skipped: {what} ({code}, {times})");
    }
    out
}

/// A chart below the message of its finding.
fn push_chart(out: &mut String, chart: &Chart) {
    for line in chart_text(chart).lines() {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "  {line}");
    }
    out.push('\n');
}

/// A line for each accepted finding.
fn accepted_lines(exploration: &Exploration<'_>) -> String {
    let mut out = String::new();
    for finding in exploration.accepted_findings().take(MOST_ACCEPTED) {
        let (title, place) = (finding_title(exploration, finding), &finding.key.file);
        let _ = writeln!(out, "accepted: {title} ({place})");
    }
    let count = exploration.accepted_findings().count();
    if count > MOST_ACCEPTED {
        let _ = writeln!(out, "accepted: and {} more", count - MOST_ACCEPTED);
    }
    if count > 0 {
        out.push('\n');
    }
    out
}

pub(crate) fn closing_line(exploration: &Exploration<'_>) -> String {
    let coverage = &exploration.coverage;
    let count = exploration.tests();
    let tests = counted(count, "test");
    let mut found = counted(exploration.new_findings().count(), "finding");
    match exploration.accepted_findings().count() {
        0 => {}
        count => found.push_str(&format!(", {count} accepted")),
    }
    let left_out = match exploration.unlikely_left_out {
        None | Some(0) => String::new(),
        Some(count) => format!(" ({count} with unlikely inputs left out)"),
    };
    let explored = if exploration.searches.is_empty() {
        "no function was searched".to_owned()
    } else if exploration.is_complete() {
        let bounds = bounds(&exploration.searches);
        match exploration.proved_after() {
            Some(runs) => format!(
                "proved after {}: every path with {bounds} goes on as one that was run",
                counted(runs, "run")
            ),
            None => format!("all paths with {bounds} were run"),
        }
    } else {
        "some paths were skipped".to_owned()
    };
    let rejected = match (exploration.rejected(), count) {
        (0, _) => String::new(),
        (_, 0) if exploration.has_precondition => {
            "; no input that was tried fulfils the precondition".to_owned()
        }
        (_, 0) => "; no input that was tried could be made".to_owned(),
        (count, _) => format!("; {}", exploration.rejection(count)),
    };
    let shards = match &exploration.shards {
        None => String::new(),
        Some(shards) => {
            let here = exploration.searches.len() + exploration.skipped.len();
            format!("{}: ", shards.with_counts(here))
        }
    };
    format!(
        "{shards}{tests}, {found}{left_out}; {} of {} clauses reached; {explored}{rejected}",
        coverage.clauses.covered, coverage.clauses.total
    )
}
