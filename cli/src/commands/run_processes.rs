//! What `erlconcolic run` shows of the processes of a run.

use std::fmt::Write;

use diagnostic::Diagnostic;
use erlang_term::Term;
use reports::{
    Chart, ChartedRun, Outcome, ProcessEnd, RunEnd, RunProcess, Waiting, chart_json, chart_text,
    visible, waiting_json,
};
use serde_json::{Value, json};
use trace_engine::course_of;
use trace_format::{Schedule, TakenLease};

use crate::beam::worker::{Run, Worker};
use crate::beam::{GateReport, ProcessModel};
use crate::failure::Failure;
use crate::program::target::Target;
use crate::search::recorded::{BOUNDS, MAX_EVENTS, Recorded};

/// How many steps a process took.
fn steps_of(process: &RunProcess, gate: &GateReport) -> u64 {
    let own = gate.leases.iter().map(|it| match *it {
        TakenLease::Steps(index, steps) if index == process.index => u64::from(steps),
        TakenLease::Steps(..) | TakenLease::Deliveries(..) => 0,
    });
    own.sum()
}

/// The chart of a run of an entry function, by its module and index, if it has several processes.
pub(crate) fn chart(
    target: &Target,
    run: &Run,
    worker: &Worker,
    (entry, arguments): ((usize, usize), &Term),
    model: ProcessModel,
) -> Option<Chart> {
    if run.gate.processes.len() < 2 {
        return None;
    }
    let terms = arguments.as_list().unwrap_or_default().to_vec();
    let recorded = Recorded::new(run.clone(), worker.rules(), (entry, terms), model);
    let course = course_of(&recorded.run(target), MAX_EVENTS, BOUNDS, &|| false)?;
    let own_sources = target.own_sources();
    let mut processes = run.gate.processes.clone();
    for process in &mut processes {
        own_sources.locate_process(process);
    }
    let end = RunEnd {
        of_entry: run.outcome.clone(),
        processes: processes.into(),
    };
    let run = ChartedRun { course, end };
    Some(run.chart(&target.explored_code(), None))
}

/// The chart below the other results.
pub(crate) fn shown_chart(chart: Option<&Chart>) -> String {
    let chart = chart.map(|it| format!("\n{}", chart_text(it)));
    visible(&chart.unwrap_or_default()).into_owned()
}

/// The processes and the schedule of a run, for reading.
pub(crate) fn text(gate: &GateReport) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    for process in &gate.processes {
        let RunProcess { path, entry, .. } = process;
        let steps = steps_of(process, gate);
        let plural = if steps == 1 { "" } else { "s" };
        let end = end_text(&process.end);
        let _ = writeln!(
            out,
            "process {path} ({entry}) took {steps} step{plural}, {end}"
        );
    }
    let schedule = gate.schedule();
    if !schedule.leases().is_empty() {
        let _ = writeln!(out, "schedule: {schedule}");
    }
    if !gate.uncontrolled.is_empty() {
        let _ = writeln!(out, "not controlled: {}", gate.uncontrolled.join(", "));
    }
    out
}

fn end_text(end: &ProcessEnd) -> String {
    match end {
        ProcessEnd::Normal => "and ended".to_owned(),
        ProcessEnd::Raised { class, reason, .. } => format!("and raised {class}: {reason}"),
        ProcessEnd::Killed => "and was killed".to_owned(),
        ProcessEnd::Waiting => "and waits".to_owned(),
        ProcessEnd::Running => "and was still running".to_owned(),
    }
}

/// The keys of a JSON object about processes.
pub(crate) fn json_keys(
    outcome: &Outcome,
    gate: &GateReport,
    chart: Option<&Chart>,
) -> Vec<(&'static str, Value)> {
    let is_alone = gate.processes.len() < 2;
    let schedule = (!is_alone).then(|| gate.schedule().to_string());
    let processes = gate.processes.iter().map(|process| {
        json!({
            "path": process.path.to_string(),
            "entry": process.entry,
            "end": process.end.reason(),
            "steps": steps_of(process, gate),
        })
    });
    let mut keys = vec![
        ("schedule", json!(schedule)),
        ("processes", processes.collect()),
        ("followed", json!(gate.is_followed)),
        ("uncontrolled", json!(gate.uncontrolled)),
        ("chart", json!(chart.map(chart_json))),
    ];
    if let Outcome::Deadlock { waiting } = outcome {
        keys.push(("waiting", waiting.iter().map(waiting_json).collect()));
    }
    keys
}

/// Who waits where, one line for each process.
pub(crate) fn waiting_text(waiting: &[Waiting]) -> String {
    let mut out = String::new();
    for process in waiting {
        let place = process.place().map(|it| format!(" in {it}"));
        let place = place.unwrap_or_default();
        let _ = writeln!(out, "  process {} waits{place}", process.process);
    }
    out
}

/// Refuses a schedule that switches between processes more often than it may.
pub(crate) fn check_switches(schedule: &Schedule, most: Option<usize>) -> Result<(), Failure> {
    let switches = schedule.switches();
    match most {
        Some(most) if switches > most => {
            let title = format!("{schedule} switches {switches} times between processes");
            Err(Diagnostic::error("other-schedule", title)
                .help(format!("--max-switches is {most}"))
                .into())
        }
        Some(_) | None => Ok(()),
    }
}

/// A warning about a schedule that the run could not follow.
pub(crate) fn not_followed(schedule: &Schedule) -> Diagnostic {
    let title = format!("the run does not follow the schedule {schedule}");
    Diagnostic::warning("other-schedule", title)
        .help("a process that it names does not exist, has ended, or waits for a message")
        .help("or a message that it delivers is not under way")
        .help("the schedule that was followed is in the result")
}
