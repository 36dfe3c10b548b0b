//! `erlconcolic run`: runs one input and shows the result.

use std::fmt::Write;
use std::io;
use std::path::Path;
use std::process::ExitCode;

use diagnostic::Diagnostic;
use erlang_term::Term;
use reports::{Chart, Entry, Wording, visible};
use serde_json::{Value, json};
use trace_format::{LogFile, Program, Wire};

use crate::arguments::{Format, RunOptions};
use crate::beam::worker::{HEAP_WORDS, Limits, Outcome, Run, StackEntry};
use crate::beam::{BeamError, DeliveryModel, GateReport};
use crate::commands::events::{events, events_text};
use crate::commands::instrument::wire;
use crate::commands::run_processes;
use crate::failure::Failure;
use crate::files::output::write_whole_file;
use crate::program::build_folder::program_hash;
use crate::program::contract::Conditions;
use crate::program::entry::Choice;
use crate::program::instrumented::flat_texts;
use crate::program::machines::MachineOptions;
use crate::program::target::{Request, SpecUse, Target, allowed_calls};
use crate::sources::front_end::{FrontEnd, Runs};
use crate::terminal::printing::print_result;
use crate::terminal::render;

pub(crate) fn run(options: &RunOptions) -> Result<ExitCode, Failure> {
    let front_end = FrontEnd::new(&options.compilation)?;
    let allowed = allowed_calls(&options.allow)?;
    let mut model = options.processes.model();
    if options.schedule.has_deliveries() {
        model.delivery = DeliveryModel::Any;
    }
    run_processes::check_switches(&options.schedule, options.processes.max_switches)?;
    let request = Request {
        sources: &options.sources,
        choice: Choice {
            entries: std::slice::from_ref(&options.entry),
            ..Choice::default()
        },
        arguments: std::slice::from_ref(&options.arguments),
        wire: options.wire.map(wire),
        opaque: &[],
        conditions: Conditions::default(),
        contracts: false,
        machines: MachineOptions::default(),
        specs: SpecUse::NoInputs,
        runs: Runs::OnOneBeam,
    };
    let target = Target::prepare(&request, &front_end)?;
    let gone = || BeamError::BadAnswer("the entry is missing".to_owned());
    let entry = target.chosen.first().ok_or_else(gone)?.entry.clone();
    let start = target.instrumented_start(&entry)?;
    let own_sources = target.own_sources();
    let arguments = target.arguments.first().cloned();
    let arguments = arguments.unwrap_or_else(|| Term::list([]));
    let worker = target.worker().with(front_end.standby());
    let worker = worker.making_values(Term::list([]));
    let mut worker = worker.with_processes(model);
    let Target { program, wire, .. } = &target;
    let wire = *wire;
    let limits = Limits {
        milliseconds: options.run_timeout,
        heap_words: HEAP_WORDS,
        allowed,
    };
    let function = (&start.module, &start.body);
    let schedule = &options.schedule;
    let mut run = worker.run_scheduled(function, arguments.clone(), schedule, &limits)?;
    if arguments.has_recipes() && run.outcome.is_rejected() {
        let title = format!("--args {}: its values cannot be made", options.arguments);
        return Err(Diagnostic::error("bad-arguments", title)
            .help("a call in it raises an exception, or returns no value")
            .into());
    }
    own_sources.locate(&mut run.outcome);
    if let Some(first) = run.gate.processes.first_mut() {
        first.entry = entry.to_string();
    }
    if !run.gate.is_followed {
        render::show(&[run_processes::not_followed(schedule)]);
    }
    if let Some(path) = &options.log {
        save_log(path, program, &entry, wire, &run)?;
    }
    let processes = if options.events {
        events(program, wire, &run.logs, Some(start.number))?
    } else {
        Vec::new()
    };
    let number = start.number;
    let chart = run_processes::chart(&target, &run, &worker, (number, &arguments), model);
    let text = match options.format {
        Format::Human => {
            let are_shown = options.processes.are_asked_for() || run.gate.processes.len() > 1;
            let gate = are_shown.then_some(&run.gate);
            let text = human(&target, &run, &processes, &entry, &arguments, gate);
            text + &run_processes::shown_chart(chart.as_ref())
        }
        Format::Json => json(&run, &processes, &entry, &arguments, chart.as_ref()),
    };
    print_result(&mut io::stdout().lock(), [text])?;
    Ok(exit_status(&run.outcome))
}

fn exit_status(outcome: &Outcome) -> ExitCode {
    match outcome {
        Outcome::Ok(_) | Outcome::Blocked(_) => ExitCode::SUCCESS,
        Outcome::Exception { .. }
        | Outcome::Timeout
        | Outcome::Killed
        | Outcome::WorkerDied
        | Outcome::Deadlock { .. }
        | Outcome::Steps => ExitCode::FAILURE,
    }
}

fn save_log(
    path: &Path,
    program: &Program,
    entry: &Entry,
    wire: Wire,
    run: &Run,
) -> Result<(), Failure> {
    let Entry {
        module, function, ..
    } = entry;
    let name = function.name.as_str().to_owned();
    let file = LogFile {
        program: program_hash(&flat_texts(program), wire),
        wire,
        entry: (module.as_str().to_owned(), name, function.arity),
        logs: run.logs.clone(),
        leases: run.gate.leases.clone(),
    };
    write_whole_file(path, &file.encode())
}

/// The arguments as Erlang source.
fn argument_texts(arguments: &Term) -> Vec<String> {
    let list = arguments.as_list().unwrap_or_default();
    list.iter().map(Term::to_string).collect()
}

fn human(
    target: &Target,
    run: &Run,
    processes: &[Vec<String>],
    entry: &Entry,
    arguments: &Term,
    gate: Option<&GateReport>,
) -> String {
    let mut out = visible(&events_text(processes)).into_owned();
    // Writing to a string cannot fail. The output of the program is printed without escaping.
    if !run.output.is_empty() {
        let newline = if run.output.ends_with('\n') { "" } else { "\n" };
        let _ = write!(out, "it printed:\n{}{newline}", run.output);
    }
    out.push_str(&visible(&ending(target, run, entry, arguments)));
    out.push_str(&visible(&gate.map(run_processes::text).unwrap_or_default()));
    out
}

/// How a run ended, for reading.
fn ending(target: &Target, run: &Run, entry: &Entry, arguments: &Term) -> String {
    let mut out = String::new();
    let wording = Wording::of(entry, Some(&target.program));
    let call = wording.call(entry, &argument_texts(arguments));
    let _ = match &run.outcome {
        Outcome::Ok(value) => writeln!(out, "{call} returned {}", wording.value(value)),
        Outcome::Exception { stack, .. } => {
            let raised = wording.raised(&run.outcome, None).unwrap_or_default();
            let _ = writeln!(out, "{call} raised {raised}");
            for frame in stack {
                let _ = writeln!(out, "  in {}", wording.frame(frame));
            }
            Ok(())
        }
        Outcome::Timeout => writeln!(out, "{call} took too long"),
        Outcome::Killed => writeln!(out, "{call} was killed: it used too much memory"),
        Outcome::WorkerDied => writeln!(out, "{call} crashed the BEAM"),
        Outcome::Deadlock { waiting } => {
            let waiting = run_processes::waiting_text(waiting);
            write!(out, "{call} waits for ever\n{waiting}")
        }
        Outcome::Steps => writeln!(out, "{call} took too many steps (see --max-steps)"),
        Outcome::Blocked(function) => match target.broken_source_of(function) {
            Some(path) => writeln!(
                out,
                "{call} called {}, but {} does not compile",
                wording.function(function),
                path.display()
            ),
            None => {
                let function = wording.function(function);
                writeln!(
                    out,
                    "{call} was refused a call of {function}, which could do harm\n\
                     (allow it with --allow {function})"
                )
            }
        },
    };
    out
}

fn json(
    run: &Run,
    processes: &[Vec<String>],
    entry: &Entry,
    arguments: &Term,
    chart: Option<&Chart>,
) -> String {
    let mut object = json!({
        "version": 1,
        "entry": format!("{}:{}/{}", entry.module, entry.function.name, entry.function.arity),
        "args": argument_texts(arguments),
        "outcome": "ok", "result": null, "class": null, "reason": null,
        "file": null, "line": null, "stack": [], "blocked": null,
        "output": run.output,
    });
    let mut set = |key: &str, value: Value| {
        if let Some(slot) = object.get_mut(key) {
            *slot = value;
        }
    };
    match &run.outcome {
        Outcome::Ok(value) => set("result", json!(value)),
        Outcome::Exception {
            class,
            reason,
            stack,
        } => {
            set("outcome", json!(class));
            set("class", json!(class));
            set("reason", json!(reason));
            set("stack", stack.iter().map(StackEntry::to_string).collect());
        }
        Outcome::Timeout => set("outcome", json!("timeout")),
        Outcome::Killed | Outcome::WorkerDied => set("outcome", json!("killed")),
        Outcome::Deadlock { .. } | Outcome::Steps => set("outcome", json!(run.outcome.name())),
        Outcome::Blocked(function) => {
            set("outcome", json!("blocked"));
            set("blocked", json!(function));
        }
    }
    let place = run.outcome.crash_site();
    let file = place.map(|it| &it.file).filter(|it| !it.is_empty());
    let line = place.map(|it| it.line).filter(|it| *it > 0);
    set("file", json!(file));
    set("line", json!(line));
    if let Some(object) = object.as_object_mut() {
        for (key, value) in run_processes::json_keys(&run.outcome, &run.gate, chart) {
            object.insert(key.to_owned(), value);
        }
        if !processes.is_empty() {
            object.insert("events".to_owned(), json!(processes));
        }
    }
    format!("{object:#}\n")
}
