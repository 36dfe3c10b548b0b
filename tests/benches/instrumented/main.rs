//! How fast instrumented programs are, compared with the original ones in the same run.
//! `erlang_tools/instrumented_speed.erl` measures them on the BEAM.

use std::fs;
use std::io;
use std::time::{Duration, Instant};

use end_to_end::benchmarks::{Report, Row, Table, column, counted, median, start_of_erl};
use end_to_end::erlang::{erlc, package_path, temporary_folder};
use end_to_end::tool::no_project;
use erlang_term::{Atom, Term};
use erlconcolic::front_end::{FrontEnd, Settings};
use erlconcolic::instrumented::{Beam, instrument};
use erlconcolic::worker::{Limits, Outcome, Worker};
use flattener::flat::FunctionId;
use trace_format::{Program, RunLog, Wire, body_name, decode};

const ROUNDS: i64 = 9;
const EMPTY_RUNS: usize = 300;
const STARTS: usize = 5;
const NATIVE: &str = "speed_native";
const PROGRAMS: &str = "speed_programs";

fn main() -> io::Result<()> {
    let mut report = Report::new("Instrumented programs: speed");
    let [lean, full] = [Wire::Lean, Wire::Full].map(Measured::new);
    let events: f64 = full.programs.iter().map(|program| program.events).sum();
    report.table(Table {
        title: "Instrumented against native".to_owned(),
        note: "The time of one call in a process of its own, best of nine; rounds that are \
               compared alternate."
            .to_owned(),
        rows_are: "program".to_owned(),
        columns: vec![
            column("lean / native").less(),
            column("full / native").less(),
            counted("events"),
            counted("lean bytes / event").less(),
            counted("full bytes / event").less(),
        ],
        rows: lean.programs.iter().zip(&full.programs).map(row).collect(),
    });
    for (measured, name, limit) in [(&full, "all events", 10.0), (&lean, "the lean wire", 4.0)] {
        let median = measured.median();
        let text = format!("times native with {name}, median (wanted: at most {limit})");
        report.target(text, median, median <= limit);
    }
    let bytes: f64 = full.programs.iter().map(|program| program.bytes).sum();
    let per_event = bytes / events;
    report.target(
        "bytes per event (wanted: at most 3)",
        per_event,
        per_event <= 3.0,
    );
    let ratio = empty_run().as_secs_f64() / best_start().as_secs_f64();
    report.target(
        "an empty run against a start of erl (wanted: less than 0.01)",
        ratio,
        ratio < 0.01,
    );
    report.publish("instrumented")
}

fn row((lean, full): (&Figures, &Figures)) -> Row {
    let figures = [
        lean.ratio(),
        full.ratio(),
        full.events,
        lean.bytes / full.events,
        full.bytes / full.events,
    ];
    Row::new(&lean.name, figures)
}

/// The figures of a program.
struct Figures {
    name: String,
    /// Nanoseconds.
    native: f64,
    instrumented: f64,
    bytes: f64,
    events: f64,
}

impl Figures {
    fn ratio(&self) -> f64 {
        self.instrumented / self.native
    }
}

struct Measured {
    programs: Vec<Figures>,
}

impl Measured {
    fn new(wire: Wire) -> Self {
        let (program, mut beams) = instrumented(&["erlang_samples/speed_programs.erl"], wire);
        beams.extend(tools());
        let mut worker = Worker::new(&program, beams, no_project());
        let arguments = [
            Term::atom(NATIVE),
            Term::atom(PROGRAMS),
            Term::Integer(ROUNDS.into()),
        ];
        let text = run(&mut worker, "instrumented_speed", "measure", &arguments);
        let programs = text
            .trim_matches(['[', ']'])
            .split("},{")
            .map(|entry| figures(entry, &mut worker, &program, wire))
            .collect();
        Self { programs }
    }

    fn median(&self) -> f64 {
        median(self.programs.iter().map(Figures::ratio))
    }
}

/// `{Name, Native, Instrumented, Bytes}`, as the BEAM prints it, and the number of events.
fn figures(entry: &str, worker: &mut Worker, program: &Program, wire: Wire) -> Figures {
    let parts: Vec<&str> = entry.trim_matches(['{', '}']).split(',').collect();
    let [name, native, instrumented, bytes] = parts.as_slice() else {
        panic!("four figures: {entry}");
    };
    let number = |text: &str| -> f64 { text.trim().parse().expect("a number") };
    Figures {
        name: (*name).to_owned(),
        native: number(native),
        instrumented: number(instrumented),
        bytes: number(bytes),
        events: count_events(name, worker, program, wire),
    }
}

/// Runs a program once more and reads its log.
fn count_events(name: &str, worker: &mut Worker, program: &Program, wire: Wire) -> f64 {
    let function = FunctionId {
        name: Atom::new(name),
        arity: 1,
    };
    let module = Atom::new(PROGRAMS);
    let entry = program.exported(&module, &function);
    let runner = Atom::new("instrumented_speed");
    let arguments = Term::list([Term::atom(NATIVE), Term::atom(PROGRAMS), Term::atom(name)]);
    let finished = worker
        .run(&runner, &Atom::new("once"), arguments, &limits())
        .expect("the worker runs");
    assert!(
        matches!(finished.outcome, Outcome::Ok(_)),
        "{:?}",
        finished.outcome
    );
    let log = finished.logs.first().expect("the run logged something");
    let decoded = decode(&RunLog::new(program, wire, log, entry)).expect("the log can be read");
    decoded.events.len() as f64
}

fn limits() -> Limits {
    Limits {
        milliseconds: 600_000,
        heap_words: 512 * 1024 * 1024,
        allowed: Vec::new(),
    }
}

fn run(worker: &mut Worker, module: &str, function: &str, arguments: &[Term]) -> String {
    let arguments = Term::list(arguments.iter().cloned());
    let finished = worker
        .run(
            &Atom::new(module),
            &Atom::new(function),
            arguments,
            &limits(),
        )
        .expect("the worker runs");
    let Outcome::Ok(text) = finished.outcome else {
        panic!("{module}:{function}: {:?}", finished.outcome);
    };
    text
}

/// Modules of this package, instrumented.
fn instrumented(sources: &[&str], wire: Wire) -> (Program, Vec<Beam>) {
    let front_end = FrontEnd::with_settings(Settings::default());
    let paths: Vec<_> = sources.iter().map(|source| package_path(source)).collect();
    let loaded = front_end.load(&paths).expect("the programs compile");
    let modules = loaded
        .into_iter()
        .map(|module| module.flatten().expect("the programs flatten"))
        .collect();
    let instrumented = instrument(&front_end, modules, wire).expect("they can be instrumented");
    (instrumented.program, instrumented.beams)
}

/// The original programs, under another name, and the code that measures them.
fn tools() -> Vec<Beam> {
    let folder = temporary_folder();
    let source = package_path("erlang_samples/speed_programs.erl");
    let text = fs::read_to_string(source).expect("the programs are there");
    let native = folder.path().join(format!("{NATIVE}.erl"));
    let text = text.replace("-module(speed_programs)", "-module(speed_native)");
    fs::write(&native, text).expect("the folder can be written");
    let tool = package_path("erlang_tools/instrumented_speed.erl");
    erlc(folder.path(), [], &[native, tool]);
    [NATIVE, "instrumented_speed"]
        .map(|name| Beam {
            name: Atom::new(name),
            code: fs::read(folder.path().join(format!("{name}.beam"))).expect("it was compiled"),
        })
        .into()
}

/// An empty function through a warm worker.
fn empty_run() -> Duration {
    let (program, beams) = instrumented(&["erlang_samples/speed_programs.erl"], Wire::Lean);
    let mut worker = Worker::new(&program, beams, no_project());
    let function = body_name(&FunctionId {
        name: Atom::new("empty"),
        arity: 0,
    });
    let mut best = Duration::MAX;
    for _ in 0..EMPTY_RUNS {
        let start = Instant::now();
        let module = Atom::new(PROGRAMS);
        let finished = worker.run(&module, &function, Term::list([]), &limits());
        best = best.min(start.elapsed());
        let outcome = finished.expect("the worker runs").outcome;
        assert!(matches!(outcome, Outcome::Ok(_)), "{outcome:?}");
    }
    best
}

/// The best of some starts of `erl`.
fn best_start() -> Duration {
    let starts = (0..STARTS).map(|_| start_of_erl());
    starts.min().unwrap_or_default()
}
