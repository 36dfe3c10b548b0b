//! The report for reading.

use std::fmt::Write;
use std::path::Path;

use diagnostic::{Diagnostic, Source};

use crate::contract::is_broken;
use crate::entry::Entry;
use crate::exploration::findings::{Finding, place};
use crate::exploration::progress::call;
use crate::exploration::table::table;
use crate::exploration::{Exploration, counted};
use crate::plain_file::read_source;
use crate::render;
use crate::visible::visible;
use crate::worker::Outcome;

pub(crate) fn text(exploration: &Exploration<'_>) -> String {
    visible(&report(exploration)).into_owned()
}

fn report(exploration: &Exploration<'_>) -> String {
    let mut out = String::new();
    for search in &exploration.searches {
        for finding in &search.findings {
            let diagnostic = diagnostic(exploration, &search.entry, finding);
            out.push_str(&render::render(&[diagnostic], false));
        }
    }
    if exploration.only_entry().is_none() {
        out.push_str(&table(exploration));
        out.push('\n');
    }
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{}", closing_line(exploration));
    for ((code, what), count) in exploration.gaps() {
        let times = counted(count, "time");
        let _ = writeln!(out, "  left out: {what} ({code}, {times})");
    }
    out
}

fn diagnostic(exploration: &Exploration<'_>, entry: &Entry, finding: &Finding) -> Diagnostic {
    let call = call(entry, &finding.arguments);
    let contract = exploration.target.contract.as_ref();
    let check = contract.and_then(|it| it.check_of(&finding.arguments, &call));
    let shows = check.unwrap_or_else(|| call.clone());
    let title = match &finding.outcome {
        Outcome::Exception { reason, .. } if is_broken(reason) => {
            format!("{call} breaks its postcondition: {reason}")
        }
        Outcome::Exception { class, reason, .. } => format!("{call} raises {class}: {reason}"),
        Outcome::Timeout => format!("{call} takes too long"),
        Outcome::Killed => format!("{call} takes too much memory"),
        Outcome::WorkerDied => format!("{call} brings the BEAM down"),
        Outcome::Ok(_) | Outcome::Blocked(_) => call,
    };
    let mut diagnostic = Diagnostic::error("crash", title);
    if let Outcome::Exception { stack, .. } = &finding.outcome
        && let Some(place) = place(stack)
        && let Ok(text) = read_source(Path::new(&place.file))
        && let Some(range) = line_range(&text, place.line)
    {
        let source = Source {
            name: place.file.clone(),
            text,
        };
        diagnostic = diagnostic.at(source, range, "here");
    }
    diagnostic.help(format!("to see it: {shows}."))
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
        "some paths were left out".to_owned()
    };
    let rejected = match (exploration.rejected(), count) {
        (0, _) => String::new(),
        (_, 0) => "; no input that was tried fulfils the precondition".to_owned(),
        (count, _) => format!(
            "; {} did not fulfil the precondition",
            counted(count, "more input")
        ),
    };
    format!(
        "{tests}, {found}; {} of {} clauses reached; {explored}{rejected}",
        coverage.clauses.covered, coverage.clauses.total
    )
}
