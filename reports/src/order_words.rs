//! What a report says about the processes of a finding and their order.

use std::ffi::OsString;

use crate::command_line::command_line;
use crate::exploration::Exploration;
use crate::findings::{ConfirmedOn, CrashInput, Finding};
use crate::outcome::{Outcome, Waiting};
use crate::source_place::SourcePlace;

/// Who waits where, the schedule, and the two places of the race, a line for each; nothing for a
/// finding in one process that does not wait.
pub(crate) fn order_lines(exploration: &Exploration<'_>, finding: &Finding) -> Vec<String> {
    let mut lines = waiting_lines(exploration, finding);
    if let Some([one, other]) = &finding.race {
        lines.push(race_line(one, other));
    }
    if let Some(schedule) = finding.needed_schedule() {
        lines.push(format!("schedule: {schedule}"));
        if finding.confirmed_on == ConfirmedOn::Schedule {
            lines.push("runs without this schedule did not show it".to_owned());
        }
    }
    lines
}

fn race_line(one: &SourcePlace, other: &SourcePlace) -> String {
    if one.file != other.file {
        return format!("the order of {one} and {other} matters");
    }
    let (file, [one, other]) = (&one.file, [one.line, other.line]);
    if one == other {
        format!("the order in which processes come to {file}:{one} matters")
    } else {
        format!("the order of lines {one} and {other} of {file} matters")
    }
}

fn waiting_lines(exploration: &Exploration<'_>, finding: &Finding) -> Vec<String> {
    let wording = exploration.wording(exploration.entry_of(finding.first()));
    let line = |it: &Waiting| {
        let place = it.place().map(|it| format!(" in {}", wording.frame(it)));
        format!("process {} waits{}", it.process, place.unwrap_or_default())
    };
    match &finding.outcome {
        Outcome::Deadlock { waiting } => waiting.iter().map(line).collect(),
        Outcome::Ok(_)
        | Outcome::Exception { .. }
        | Outcome::Timeout
        | Outcome::Killed
        | Outcome::WorkerDied
        | Outcome::Steps
        | Outcome::Blocked(_) => Vec::new(),
    }
}

/// A line, or several, that say what shows a finding.
pub(crate) fn reproduced_with(shows: &str) -> String {
    let gap = if shows.contains('\n') { '\n' } else { ' ' };
    format!("reproduce with:{gap}{shows}")
}

/// What shows a finding on an input: a call or a script for the shell of the language, or a command
/// for a run that needs a schedule.
pub(crate) fn reproduction(
    exploration: &Exploration<'_>,
    finding: &Finding,
    input: &CrashInput,
) -> String {
    let entry = exploration.entry_of(input);
    let Some(schedule) = finding.needed_schedule() else {
        let is_first = input.search == finding.first().search;
        if let Some(play) = finding.play.as_ref().filter(|_| is_first) {
            return play.script.clone();
        }
        let wording = exploration.wording(entry);
        return wording.shell_line(&wording.call(entry, &input.arguments));
    };
    let arguments = format!("[{}]", input.arguments.join(","));
    let mut words = vec!["run".to_owned()];
    words.extend(exploration.sources.iter().cloned());
    words.extend(["--entry".to_owned(), entry.to_string()]);
    words.extend(["--args".to_owned(), arguments]);
    words.extend(["--schedule".to_owned(), schedule.to_string()]);
    if exploration.time_model != "quiet" {
        words.extend(["--time".to_owned(), exploration.time_model.to_owned()]);
    }
    if exploration.delivery_model != "instant" {
        let delivery = exploration.delivery_model.to_owned();
        words.extend(["--delivery".to_owned(), delivery]);
    }
    command_line(words.into_iter().map(OsString::from))
}
