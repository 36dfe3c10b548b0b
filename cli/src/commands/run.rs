//! `erlconcolic run`: one input, and what happened.

use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use diagnostic::Diagnostic;
use erlang_term::Term;
use flattener::flat;
use serde_json::{Value, json};
use trace_format::{LogFile, Program, Wire, body_name};

use crate::arguments::{Format, RunOptions};
use crate::build_folder::{BuildFolder, program_hash};
use crate::commands::events::{events, events_text};
use crate::commands::instrument::wire;
use crate::commands::print_result;
use crate::entry::Entry;
use crate::failure::Failure;
use crate::front_end::{FrontEnd, Loaded};
use crate::instrumented::{Beam, flat_texts, instrument};
use crate::output::write_files;
use crate::render;
use crate::sources::find_sources;
use crate::worker::{Limits, Outcome, Run, Worker};

/// Words of heap that a run may have: 1 GiB.
const HEAP_WORDS: u64 = 128 * 1024 * 1024;

pub(crate) fn run(options: &RunOptions) -> Result<ExitCode, Failure> {
    let front_end = FrontEnd::new(&options.compilation)?;
    let allowed = options
        .allow
        .iter()
        .map(|text| allowed(text))
        .collect::<Result<Vec<_>, _>>()?;
    let target = Target::prepare(options, &front_end)?;
    let Target {
        program,
        beams,
        wire,
        entry,
        arguments,
        configuration,
    } = target;
    let mut worker = Worker::new(&program, beams, configuration);
    let limits = Limits {
        milliseconds: options.run_timeout,
        heap_words: HEAP_WORDS,
        allowed,
    };
    let body = body_name(&entry.function);
    let run = worker.run(&entry.module, &body, arguments.clone(), &limits)?;
    if let Some(path) = &options.log {
        save_log(path, &program, &entry, wire, &run)?;
    }
    let processes = if options.events {
        let start = program.exported(&entry.module, &entry.function);
        events(&program, wire, &run.logs, start)?
    } else {
        Vec::new()
    };
    let text = match options.format {
        Format::Human => human(&run, &processes, &entry, &arguments),
        Format::Json => format!("{:#}\n", json(&run, &processes, &entry, &arguments)),
    };
    print_result(&mut io::stdout().lock(), [text])?;
    Ok(match run.outcome {
        Outcome::Ok(_) | Outcome::Blocked(_) => ExitCode::SUCCESS,
        Outcome::Exception { .. } | Outcome::Timeout | Outcome::Killed | Outcome::WorkerDied => {
            ExitCode::FAILURE
        }
    })
}

/// What is to be run.
struct Target {
    program: Program,
    beams: Vec<Beam>,
    wire: Wire,
    entry: Entry,
    arguments: Term,
    /// Where the code is that is not instrumented.
    configuration: Term,
}

impl Target {
    /// Finds or makes the instrumented program. Whatever is wrong with entry and arguments is
    /// found before anything is instrumented.
    fn prepare(options: &RunOptions, front_end: &FrontEnd) -> Result<Self, Failure> {
        let sources = sources_or_default(&options.sources)?;
        if let [folder] = sources.as_slice()
            && BuildFolder::is_one(folder)
        {
            return Self::from_build(options, front_end, folder);
        }
        let sources = find_sources(&sources)?;
        let loaded = front_end.load(&sources);
        render::show(&front_end.take_warnings());
        let modules = loaded?
            .into_iter()
            .map(Loaded::flatten)
            .collect::<Result<Vec<_>, _>>()?;
        let entry = Entry::find(&options.entry, &modules)?;
        let arguments = entry.arguments(&options.arguments, &*front_end.helper()?)?;
        let wire = options.wire.map_or(Wire::Lean, wire);
        let instrumented = instrument(front_end, modules, wire)?;
        Ok(Self {
            program: instrumented.program,
            beams: instrumented.beams,
            wire,
            entry,
            arguments,
            configuration: front_end.configuration(&sources),
        })
    }

    fn from_build(
        options: &RunOptions,
        front_end: &FrontEnd,
        folder: &Path,
    ) -> Result<Self, Failure> {
        let build = BuildFolder::open(folder)?;
        build.check_sources()?;
        let built = build.manifest.wire;
        if options.wire.is_some_and(|choice| wire(choice) != built) {
            let title = format!("{} was made for another wire", folder.display());
            return Err(Diagnostic::error("bad-build", title)
                .help("leave out --wire, or instrument again with the one you want")
                .into());
        }
        let (program, beams) = build.load()?;
        let own = program.modules().iter().zip(&build.manifest.modules);
        let own: Vec<flat::Module> = own
            .filter(|(_, entry)| entry.source.is_some())
            .map(|(module, _)| module.flat.clone())
            .collect();
        let entry = Entry::find(&options.entry, &own)?;
        let arguments = entry.arguments(&options.arguments, &*front_end.helper()?)?;
        Ok(Self {
            program,
            beams,
            wire: built,
            entry,
            arguments,
            configuration: front_end.configuration(&build.sources()),
        })
    }
}

/// Without sources: what `instrument` made, or else the sources of a project.
fn sources_or_default(sources: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    if !sources.is_empty() {
        return Ok(sources.to_vec());
    }
    let build = PathBuf::from("build");
    let source = PathBuf::from("src");
    if BuildFolder::is_one(&build) {
        Ok(vec![build])
    } else if source.is_dir() {
        Ok(vec![source])
    } else {
        Err(
            Diagnostic::error("no-sources", "there is neither build/ nor src/ here")
                .help("name the files or folders to run")
                .into(),
        )
    }
}

/// `m` or `m:f/1`, as the runtime takes it.
fn allowed(text: &str) -> Result<Term, Failure> {
    let function = || {
        let (module, rest) = text.split_once(':')?;
        let (name, arity) = rest.rsplit_once('/')?;
        let arity: u8 = arity.parse().ok()?;
        Some(Term::Tuple(vec![
            Term::atom(module),
            Term::atom(name),
            Term::Integer(i64::from(arity).into()),
        ]))
    };
    if !text.is_empty() && !text.contains([':', '/']) {
        return Ok(Term::atom(text));
    }
    function().ok_or_else(|| {
        Diagnostic::error("bad-allow", format!("--allow {text}: this is no function"))
            .help("write a module, as in --allow file, or a function: --allow file:delete/1")
            .into()
    })
}

fn save_log(
    path: &Path,
    program: &Program,
    entry: &Entry,
    wire: Wire,
    run: &Run,
) -> Result<(), Failure> {
    let Entry { module, function } = entry;
    let name = function.name.as_str().to_owned();
    let file = LogFile {
        program: program_hash(&flat_texts(program), wire),
        wire,
        entry: (module.as_str().to_owned(), name, function.arity),
        logs: run.logs.clone(),
    };
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let name = path
        .file_name()
        .map_or_else(String::new, |name| name.to_string_lossy().into());
    let bytes = file.encode();
    write_files(folder, [(name, bytes.as_slice())])
}

/// The arguments as Erlang source.
fn argument_texts(arguments: &Term) -> Vec<String> {
    let list = arguments.as_list().unwrap_or_default();
    list.iter().map(Term::to_string).collect()
}

fn human(run: &Run, processes: &[Vec<String>], entry: &Entry, arguments: &Term) -> String {
    let mut out = events_text(processes);
    // Writing to a string cannot fail.
    if !run.output.is_empty() {
        let newline = if run.output.ends_with('\n') { "" } else { "\n" };
        let _ = write!(out, "it printed:\n{}{newline}", run.output);
    }
    let list = argument_texts(arguments).join(", ");
    let call = format!("{}:{}({list})", entry.module, entry.function.name);
    let _ = match &run.outcome {
        Outcome::Ok(value) => writeln!(out, "{call} returned {value}"),
        Outcome::Exception {
            class,
            reason,
            stack,
        } => {
            let _ = writeln!(out, "{call} raised {class}: {reason}");
            for entry in stack {
                let _ = writeln!(out, "  in {}", place(entry));
            }
            Ok(())
        }
        Outcome::Timeout => writeln!(out, "{call} took too long"),
        Outcome::Killed => writeln!(out, "{call} was killed: it took too much memory"),
        Outcome::WorkerDied => writeln!(out, "{call} brought the BEAM down"),
        Outcome::Blocked(function) => writeln!(
            out,
            "{call} was refused a call of {function}, which could do harm\n\
             (allow it with --allow {function})"
        ),
    };
    out
}

fn place(entry: &crate::worker::StackEntry) -> String {
    if entry.file.is_empty() {
        entry.function.clone()
    } else {
        format!("{} ({}:{})", entry.function, entry.file, entry.line)
    }
}

fn json(run: &Run, processes: &[Vec<String>], entry: &Entry, arguments: &Term) -> Value {
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
            set("stack", stack.iter().map(place).collect());
            if let Some(first) = stack.iter().find(|entry| entry.line > 0) {
                set("file", json!(first.file));
                set("line", json!(first.line));
            }
        }
        Outcome::Timeout => set("outcome", json!("timeout")),
        Outcome::Killed | Outcome::WorkerDied => set("outcome", json!("killed")),
        Outcome::Blocked(function) => {
            set("outcome", json!("blocked"));
            set("blocked", json!(function));
        }
    }
    if let (false, Some(object)) = (processes.is_empty(), object.as_object_mut()) {
        object.insert("events".to_owned(), json!(processes));
    }
    object
}
