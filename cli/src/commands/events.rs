//! `erlconcolic events`: prints a saved log in the paper's notation.

use std::fmt::Write;
use std::{fs, io};

use diagnostic::Diagnostic;
use erlang_term::Atom;
use flattener::flat::FunctionId;
use reports::visible;
use trace_format::{LogFile, Notation, Program, RunLog, Wire, decode};

use crate::arguments::EventsOptions;
use crate::failure::Failure;
use crate::program::build_folder::BuildFolder;
use crate::terminal::printing::print_result;

pub(crate) fn run(options: &EventsOptions) -> Result<(), Failure> {
    let path = &options.log;
    let bytes = fs::read(path).map_err(|error| Failure::io("read", path, &error))?;
    let file = LogFile::decode(&bytes).map_err(|error| {
        Diagnostic::error("bad-log", format!("{}: {error}", path.display()))
            .help("run the input again with --log")
    })?;
    let build = BuildFolder::open(&options.build)?;
    if build.manifest.hash != file.program {
        let folder = options.build.display();
        let title = format!("{} is not a log of the program in {folder}", path.display());
        return Err(Diagnostic::error("bad-log", title)
            .help("name the build folder that ran, or run the input again with --log")
            .into());
    }
    let (program, _) = build.load()?;
    let (module, name, arity) = file.entry;
    let function = FunctionId {
        name: Atom::new(name),
        arity,
    };
    let start = program.exported(&Atom::new(module), &function);
    let processes = events(&program, file.wire, &file.logs, start)?;
    print_result(
        &mut io::stdout().lock(),
        [visible(&events_text(&processes))],
    )
}

/// The events of each process in the paper's notation; `start` is the function of the first process.
pub(crate) fn events(
    program: &Program,
    wire: Wire,
    logs: &[Vec<u8>],
    start: Option<(usize, usize)>,
) -> Result<Vec<Vec<String>>, Failure> {
    let notation = Notation::new(program);
    logs.iter()
        .enumerate()
        .map(|(process, log)| {
            let start = if process == 0 { start } else { None };
            let decoded = decode(&RunLog::new(program, wire, log, start)).map_err(|error| {
                let title = format!("the log of process {process} cannot be read: {error}");
                Diagnostic::error("bad-log", title).help("this is a bug in erlconcolic")
            })?;
            let events = decoded.events.iter();
            Ok(events.map(|event| notation.event(event)).collect())
        })
        .collect()
}

/// One event per line, processes one after another.
pub(crate) fn events_text(processes: &[Vec<String>]) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    for (number, events) in processes.iter().enumerate() {
        if number > 0 {
            let _ = writeln!(out, "process {number}:");
        }
        for event in events {
            let _ = writeln!(out, "{event}");
        }
    }
    out
}
