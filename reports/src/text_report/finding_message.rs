//! A finding as a message, with the code that crashes.

use std::path::Path;

use diagnostic::{Diagnostic, Source};
use trace_format::ProcessPath;

use crate::counted::counted;
use crate::crash_site::CrashSite;
use crate::exploration::Exploration;
use crate::findings::Finding;
use crate::order_words::{order_lines, reproduced_with, reproduction};
use crate::outcome::Outcome;
use crate::source_texts::ReadSource;
use crate::terminal::{is_too_long, shortened};
use crate::wording::Wording;

/// At most this many other functions that lead to a finding are named.
const MOST_FUNCTIONS: usize = 5;

/// A finding as a message.
pub(super) fn finding_message(
    exploration: &Exploration<'_>,
    read: ReadSource<'_>,
    finding: &Finding,
) -> Diagnostic {
    let first = finding.first();
    let entry = exploration.entry_of(first);
    let wording = exploration.wording(entry);
    let arguments = wording.short_values(&first.arguments);
    let call = wording.call_of(entry, &arguments);
    let check = exploration.check_of(&wording, &arguments, &call);
    let shows = match &finding.play {
        Some(play) => play.script.clone(),
        None => wording.shell_line(&check.unwrap_or(call)),
    };
    let title = finding_title(exploration, finding);
    let mut message = if matches!(finding.outcome, Outcome::Deadlock { .. }) {
        Diagnostic::error("deadlock", title)
    } else {
        Diagnostic::error("crash", title)
    };
    if let Some(site) = &finding.site
        && let Some(text) = read(Path::new(&site.file))
        && let Some(range) = line_range(&text, site.line)
    {
        let source = Source {
            name: site.file.clone(),
            text,
        };
        message = message.at(source, range, here(&wording, site, finding));
    }
    for line in order_lines(exploration, finding) {
        message = message.note(line);
    }
    let shows = if finding.needed_schedule().is_some() {
        reproduction(exploration, finding, first)
    } else {
        shows
    };
    message = message.help(reproduced_with(&shows));
    if let Some(calls) = other_calls(exploration, finding) {
        message = message.help(format!("also crashes here: {calls}"));
    }
    if is_shortened(finding) {
        message = message.help("long values are cut; --format json has them whole");
    }
    message
}

fn is_shortened(finding: &Finding) -> bool {
    let reason = match &finding.outcome {
        Outcome::Exception { reason, .. } => Some(reason),
        Outcome::Ok(_)
        | Outcome::Timeout
        | Outcome::Killed
        | Outcome::WorkerDied
        | Outcome::Deadlock { .. }
        | Outcome::Steps
        | Outcome::Blocked(_) => None,
    };
    let inputs = finding.inputs.iter().take(1 + MOST_FUNCTIONS);
    let arguments = inputs.flat_map(|it| &it.arguments);
    arguments.chain(reason).any(|it| is_too_long(it))
}

/// What a finding is, in one line.
pub(crate) fn finding_title(exploration: &Exploration<'_>, finding: &Finding) -> String {
    let first = finding.first();
    let entry = exploration.entry_of(first);
    let wording = exploration.wording(entry);
    let mut call = wording.short_call(entry, &first.arguments);
    if finding.process != ProcessPath::ENTRY {
        call = format!("process {} of {call}", finding.process);
    }
    let outcome = &finding.outcome;
    match outcome {
        Outcome::Exception { reason, .. } if outcome.breaks_postcondition() => {
            let reason = wording.value(reason);
            format!("{call} breaks its postcondition: {}", shortened(&reason))
        }
        Outcome::Exception { reason, .. } if outcome.broken_fun_contract().is_some() => {
            let reason = wording.value(reason);
            format!(
                "{call} breaks the contract of a fun: {}",
                shortened(&reason)
            )
        }
        Outcome::Exception { reason, .. } if outcome.broken_invariant().is_some() => {
            let invariant = outcome.broken_invariant().unwrap_or_default();
            let reason = wording.value(reason);
            format!(
                "{call} breaks the invariant {invariant}: {}",
                shortened(&reason)
            )
        }
        Outcome::Exception { .. } => {
            let raised = wording.raised(outcome, finding.message.as_deref());
            format!("{call} raises {}", shortened(&raised.unwrap_or_default()))
        }
        Outcome::Timeout => format!("{call} takes too long"),
        Outcome::Killed => format!("{call} takes too much memory"),
        Outcome::WorkerDied => format!("{call} brings the BEAM down"),
        Outcome::Deadlock { .. } => format!("{call} waits for ever"),
        Outcome::Ok(_) | Outcome::Steps | Outcome::Blocked(_) => call,
    }
}

/// The label of the line that crashes: what it calls there, unless that is an operator.
fn here(wording: &Wording<'_>, site: &CrashSite, finding: &Finding) -> String {
    let callee = site.callee.as_ref();
    match callee.filter(|it| !is_operator(it)) {
        Some(callee) => {
            let reason = wording.kind_of_reason(&finding.outcome, &finding.key.reason);
            format!("here: {} raises {reason}", wording.function(callee))
        }
        None => "here".to_owned(),
    }
}

/// Whether a function is an operator, such as `erlang:'+'/2`: its name needs quotes.
fn is_operator(function: &str) -> bool {
    function.starts_with("erlang:'")
}

/// The smallest calls of the other functions that lead to a finding.
fn other_calls(exploration: &Exploration<'_>, finding: &Finding) -> Option<String> {
    let others = finding.inputs.get(1..).filter(|it| !it.is_empty())?;
    let calls = others.iter().take(MOST_FUNCTIONS);
    let calls = calls.map(|it| {
        let entry = exploration.entry_of(it);
        exploration.wording(entry).short_call(entry, &it.arguments)
    });
    let mut calls: Vec<String> = calls.collect();
    if others.len() > MOST_FUNCTIONS {
        let more = counted(others.len() - MOST_FUNCTIONS, "more function");
        calls.push(format!("and {more}"));
    }
    Some(calls.join(", "))
}

/// The bytes of a line, without the blanks around it.
fn line_range(text: &str, line: i64) -> Option<std::ops::Range<usize>> {
    let index = usize::try_from(line).ok()?.checked_sub(1)?;
    let start: usize = text.split_inclusive('\n').take(index).map(str::len).sum();
    let content = text.get(start..)?.lines().next()?;
    let indentation = content.len() - content.trim_start().len();
    Some(start + indentation..start + content.trim_end().len())
}
