//! The report as text for the terminal.

mod function_table;

use std::fmt::Write;
use std::path::Path;

use diagnostic::{Diagnostic, Source};

use crate::counted::counted;
use crate::entry::Entry;
use crate::exploration::Exploration;
use crate::findings::Finding;
use crate::outcome::Outcome;
use crate::source_texts::ReadSource;
use crate::terminal::{draw_diagnostics, visible};
use function_table::function_table;

/// The report as text for the terminal.
pub fn text_report(exploration: &Exploration<'_>, read: ReadSource<'_>) -> String {
    visible(&report(exploration, read)).into_owned()
}

fn report(exploration: &Exploration<'_>, read: ReadSource<'_>) -> String {
    let mut out = String::new();
    for search in &exploration.searches {
        for finding in &search.findings {
            let diagnostic = diagnostic(exploration, read, &search.entry, finding);
            out.push_str(&draw_diagnostics(&[diagnostic], false));
        }
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

fn diagnostic(
    exploration: &Exploration<'_>,
    read: ReadSource<'_>,
    entry: &Entry,
    finding: &Finding,
) -> Diagnostic {
    let call = entry.call(&finding.arguments);
    let check = exploration.check_of(&finding.arguments, &call);
    let shows = check.unwrap_or_else(|| call.clone());
    let title = match &finding.outcome {
        Outcome::Exception { reason, .. } if finding.outcome.breaks_postcondition() => {
            format!("{call} breaks its postcondition: {reason}")
        }
        Outcome::Exception { class, reason, .. } => format!("{call} raises {class}: {reason}"),
        Outcome::Timeout => format!("{call} takes too long"),
        Outcome::Killed => format!("{call} takes too much memory"),
        Outcome::WorkerDied => format!("{call} brings the BEAM down"),
        Outcome::Ok(_) | Outcome::Blocked(_) => call,
    };
    let mut diagnostic = Diagnostic::error("crash", title);
    if let Some(place) = finding.outcome.crash_site()
        && let Some(text) = read(Path::new(&place.file))
        && let Some(range) = line_range(&text, place.line)
    {
        let source = Source {
            name: place.file.clone(),
            text,
        };
        diagnostic = diagnostic.at(source, range, "here");
    }
    diagnostic.help(format!("reproduce with: {shows}."))
}

/// The bytes of a line, without the blanks around it.
fn line_range(text: &str, line: i64) -> Option<std::ops::Range<usize>> {
    let index = usize::try_from(line).ok()?.checked_sub(1)?;
    let start: usize = text.split_inclusive('\n').take(index).map(str::len).sum();
    let content = text.get(start..)?.lines().next()?;
    let indentation = content.len() - content.trim_start().len();
    Some(start + indentation..start + content.trim_end().len())
}

fn closing_line(exploration: &Exploration<'_>) -> String {
    let coverage = &exploration.coverage;
    let count = exploration.tests();
    let tests = counted(count, "test");
    let found = counted(exploration.findings().count(), "finding");
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
