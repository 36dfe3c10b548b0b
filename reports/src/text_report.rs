//! The report as text for the terminal.

mod finding_message;
mod function_table;

use std::fmt::Write;

use crate::counted::counted;
use crate::exploration::Exploration;
use crate::source_texts::ReadSource;
use crate::terminal::{draw_diagnostics, visible};
use finding_message::finding_message;
use function_table::function_table;

/// The report as text for the terminal.
pub fn text_report(exploration: &Exploration<'_>, read: ReadSource<'_>) -> String {
    visible(&report(exploration, read)).into_owned()
}

fn report(exploration: &Exploration<'_>, read: ReadSource<'_>) -> String {
    let mut out = String::new();
    for finding in &exploration.findings {
        let diagnostic = finding_message(exploration, read, finding);
        out.push_str(&draw_diagnostics(&[diagnostic], false));
    }
    if exploration.only_entry.is_none() {
        out.push_str(&function_table(exploration));
        out.push('\n');
    }
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{}", closing_line(exploration));
    for ((code, what), count) in exploration.gaps() {
        let times = counted(count, "time");
        let _ = writeln!(out, "  skipped: {what} ({code}, {times})");
    }
    out
}

fn closing_line(exploration: &Exploration<'_>) -> String {
    let coverage = &exploration.coverage;
    let count = exploration.tests();
    let tests = counted(count, "test");
    let found = counted(exploration.findings.len(), "finding");
    let explored = if exploration.is_complete() {
        let depths = exploration.searches.iter().map(|it| it.term_depth);
        let (least, most) = (depths.clone().min().unwrap_or(0), depths.max().unwrap_or(0));
        let depth = if least == most {
            most.to_string()
        } else {
            format!("{least} to {most}")
        };
        format!("all paths with arguments of depth at most {depth} were run")
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
    format!(
        "{tests}, {found}; {} of {} clauses reached; {explored}{rejected}",
        coverage.clauses.covered, coverage.clauses.total
    )
}
