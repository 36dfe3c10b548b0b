//! Instrumented modules do what the originals do, and their logs can be read.
//!
//! The Erlang half is in `erlang/`: `random_calls` makes and compares random calls of exported
//! functions, `random_logs` makes them one by one.

use std::ffi::{OsStr, OsString};
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;
use std::thread;

use end_to_end::erlang::{Finished, compile_folders, run_main, temporary_folder};
use end_to_end::instrumented_otp::{self, RUNTIME};
use end_to_end::otp;
use end_to_end::tool::no_project;
use erlang_term::{Atom, Term};
use erlconcolic::instrumented::Beam;
use erlconcolic::worker::{Limits, Outcome, Run, Worker};
use flattener::flat::FunctionId;
use tempfile::TempDir;
use trace_format::{Decoded, Ending, Program, RunLog, Wire, body_name, decode};

/// Modules by application.
const MODULES: [(&str, &[&str]); 5] = [
    ("stdlib", &otp::PURE_MODULES),
    (
        "syntax_tools",
        &[
            "epp_dodger",
            "erl_comment_scan",
            "erl_prettypr",
            "erl_recomment",
            "erl_syntax",
            "erl_syntax_lib",
            "merl",
            "merl_transform",
            "prettypr",
        ],
    ),
    ("parsetools", &["leex", "yecc", "yeccparser", "yeccscan"]),
    (
        "xmerl",
        &["xmerl_lib", "xmerl_scan", "xmerl_ucs", "xmerl_uri"],
    ),
    (
        "eunit",
        &[
            "eunit",
            "eunit_autoexport",
            "eunit_data",
            "eunit_lib",
            "eunit_listener",
            "eunit_proc",
            "eunit_serial",
            "eunit_server",
            "eunit_striptests",
            "eunit_surefire",
            "eunit_test",
            "eunit_tests",
            "eunit_tty",
        ],
    ),
];

const SEED: &str = "20240229";
const CALLS_PER_FUNCTION: &str = "200";
const LOGGED_CALLS_PER_FUNCTION: &str = "20";
const SECONDS: &str = "600";

/// Modules that the sandbox would refuse to the functions under test.
const ALLOWED: [&str; 8] = [
    "application",
    "code",
    "erl_eval",
    "erlang",
    "file",
    "filelib",
    "init",
    "os",
];

/// Shared by the tests, because it takes long to make.
struct Fixture {
    program: Program,
    lean: Vec<Beam>,
    full: Vec<Beam>,
    /// The harness and the runtime of instrumented code.
    tools: TempDir,
    /// Holds the file of random calls.
    results: TempDir,
}

static FIXTURE: LazyLock<Fixture> = LazyLock::new(|| {
    let program = instrumented_otp::program(&MODULES);
    let fixture = Fixture {
        lean: instrumented_otp::beams(&program, Wire::Lean),
        full: instrumented_otp::beams(&program, Wire::Full),
        program,
        tools: compile_folders(&["erlang", RUNTIME]),
        results: temporary_folder(),
    };
    let calls = fixture.calls();
    let mut arguments: Vec<&OsStr> = vec!["generate".as_ref(), &calls];
    arguments.extend([SEED, CALLS_PER_FUNCTION].map(OsStr::new));
    arguments.extend(MODULES.iter().flat_map(|(_, names)| *names).map(OsStr::new));
    fixture.random_calls(&arguments);
    fixture
});

impl Fixture {
    fn calls(&self) -> OsString {
        self.path("calls")
    }

    fn path(&self, name: &str) -> OsString {
        self.results.path().join(name).into_os_string()
    }

    fn beams(&self, wire: Wire) -> &[Beam] {
        match wire {
            Wire::Full => &self.full,
            Wire::Lean => &self.lean,
        }
    }

    #[track_caller]
    fn random_calls(&self, arguments: &[&OsStr]) -> String {
        let Finished { status, text } = run_main(self.tools.path(), "random_calls", arguments);
        assert_eq!(status, 0, "random_calls {arguments:?}:\n{text}");
        text
    }

    fn evaluate(&self, beams: &OsStr, out: &str) -> OsString {
        let (calls, out) = (self.calls(), self.path(out));
        self.random_calls(&["evaluate".as_ref(), &calls, beams, &out, SECONDS.as_ref()]);
        out
    }

    /// Evaluates the calls with instrumented code, which logs.
    fn evaluate_instrumented(&self, wire: Wire) -> OsString {
        let folder = temporary_folder();
        instrumented_otp::write(&self.program, self.beams(wire), folder.path());
        self.evaluate(folder.path().as_os_str(), &format!("{wire:?}"))
    }
}

/// One test, because the set-up of both parts takes long.
#[test]
#[ignore = "takes minutes; `make slow-tests` runs it"]
fn instrumented_modules_do_what_the_originals_do() {
    random_calls_have_the_same_results(&FIXTURE);
    logs_can_be_read_and_both_wires_say_the_same(&FIXTURE);
}

#[expect(clippy::print_stdout, reason = "the figures, for who asks")]
fn random_calls_have_the_same_results(fixture: &Fixture) {
    let none = OsStr::new("none");
    let original = fixture.evaluate(none, "original");
    let variants = [Wire::Lean, Wire::Full].map(|wire| (wire, fixture.evaluate_instrumented(wire)));
    let again = fixture.evaluate(none, "original-again");
    for (wire, variant) in variants {
        let calls = fixture.calls();
        let arguments: [&OsStr; 5] = ["compare".as_ref(), &calls, &original, &variant, &again];
        let text = fixture.random_calls(&arguments);
        println!("{wire:?}\n{text}");
    }
}

/// The calls of one function.
struct Calls {
    module: Atom,
    function: FunctionId,
    /// In external format.
    arguments: Vec<Vec<u8>>,
}

/// What `random_calls list` writes.
fn read_calls(file: &Path) -> Vec<Calls> {
    let bytes = fs::read(file).expect("the calls were written");
    let term = erlang_term::decode(&bytes).expect("the calls are a term");
    let calls = |term: &Term| {
        let [module, name, arity, lists] = term.as_tuple()? else {
            return None;
        };
        Some(Calls {
            module: Atom::new(module.as_atom()?),
            function: FunctionId {
                name: Atom::new(name.as_atom()?),
                arity: u32::try_from(arity.as_i64()?).ok()?,
            },
            arguments: lists
                .as_list()?
                .iter()
                .map(|list| Some(list.as_binary()?.to_vec()))
                .collect::<Option<_>>()?,
        })
    };
    let all = term.as_list().unwrap_or_default().iter().map(calls);
    all.collect::<Option<_>>()
        .expect("every call has its parts")
}

/// Runs calls on both wires and compares the logs.
struct LogComparison {
    program: &'static Program,
    lean: Worker,
    full: Worker,
    limits: Limits,
    counts: Counts,
    problems: Vec<String>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    functions: usize,
    calls: usize,
    returned: usize,
    raised: usize,
    /// Took too long or too much memory.
    stopped: usize,
    /// Something else happens every time.
    changing: usize,
    events: usize,
    lean_bytes: usize,
    full_bytes: usize,
}

impl Counts {
    fn add(&mut self, other: Self) {
        self.functions += other.functions;
        self.calls += other.calls;
        self.returned += other.returned;
        self.raised += other.raised;
        self.stopped += other.stopped;
        self.changing += other.changing;
        self.events += other.events;
        self.lean_bytes += other.lean_bytes;
        self.full_bytes += other.full_bytes;
    }
}

/// What one run did.
struct Logged {
    outcome: Outcome,
    decoded: Decoded,
    bytes: usize,
}

impl LogComparison {
    fn new(fixture: &'static Fixture) -> Self {
        let worker = |wire| {
            let mut beams = fixture.beams(wire).to_vec();
            beams.extend(
                ["random_evaluation", "random_funs", "random_logs"].map(|name| {
                    let path = fixture.tools.path().join(format!("{name}.beam"));
                    Beam {
                        name: Atom::new(name),
                        code: fs::read(path).expect("the tools are compiled"),
                    }
                }),
            );
            Worker::new(&fixture.program, beams, no_project())
        };
        Self {
            program: &fixture.program,
            lean: worker(Wire::Lean),
            full: worker(Wire::Full),
            limits: Limits {
                milliseconds: 2000,
                heap_words: 8 * 1024 * 1024,
                allowed: ALLOWED.map(Term::atom).to_vec(),
            },
            counts: Counts::default(),
            problems: Vec::new(),
        }
    }

    fn function(&mut self, calls: &Calls) {
        self.counts.functions += 1;
        for (index, arguments) in calls.arguments.iter().enumerate() {
            if let Err(problem) = self.call(calls, arguments) {
                let Calls {
                    module, function, ..
                } = calls;
                let mut text = String::new();
                let (name, arity) = (&function.name, function.arity);
                let _ = write!(text, "{module}:{name}/{arity} call {index}: {problem}");
                self.problems.push(text);
            }
        }
    }

    fn call(&mut self, calls: &Calls, arguments: &[u8]) -> Result<(), String> {
        self.counts.calls += 1;
        let lean = self.run(Wire::Lean, calls, arguments)?;
        let full = self.run(Wire::Full, calls, arguments)?;
        self.counts.lean_bytes += lean.bytes;
        self.counts.full_bytes += full.bytes;
        self.counts.events += full.decoded.events.len();
        match &lean.outcome {
            Outcome::Ok(_) => self.counts.returned += 1,
            Outcome::Exception { .. } => self.counts.raised += 1,
            Outcome::Timeout
            | Outcome::Killed
            | Outcome::WorkerDied
            | Outcome::Deadlock { .. }
            | Outcome::Steps
            | Outcome::Blocked(_) => {
                self.counts.stopped += 1;
                return Ok(());
            }
        }
        if lean.decoded == full.decoded {
            return Ok(());
        }
        let again = self.run(Wire::Lean, calls, arguments)?;
        if again.decoded != lean.decoded {
            self.counts.changing += 1;
            return Ok(());
        }
        Err(difference(&lean.decoded, &full.decoded))
    }

    /// Runs a call, and reads its logs.
    fn run(&mut self, wire: Wire, calls: &Calls, arguments: &[u8]) -> Result<Logged, String> {
        let entry = self.program.exported(&calls.module, &calls.function);
        let number = self
            .program
            .number(&calls.module)
            .and_then(|number| self.program.module(number));
        let copy = number.ok_or("no such module")?.loaded_as.clone();
        let arguments = Term::list([
            Term::Atom(copy),
            Term::Atom(body_name(&calls.function)),
            Term::binary(arguments),
        ]);
        let worker = match wire {
            Wire::Lean => &mut self.lean,
            Wire::Full => &mut self.full,
        };
        let module = Atom::new("random_logs");
        let run = worker.run(&module, &Atom::new("call"), arguments, &self.limits);
        let Run { outcome, logs, .. } = run.map_err(|error| format!("{error:?}"))?;
        let mut decoded = Vec::new();
        for (index, log) in logs.iter().enumerate() {
            let entry = if index == 0 { entry } else { None };
            let events = decode(&RunLog::new(self.program, wire, log, entry));
            decoded.push(events.map_err(|error| format!("{wire:?}, process {index}: {error}"))?);
        }
        let first = if decoded.is_empty() {
            // Nothing was logged at all.
            decode(&RunLog::new(self.program, wire, &[], entry))
                .map_err(|error| error.to_string())?
        } else {
            decoded.swap_remove(0)
        };
        check_ending(&outcome, first.ending).map_err(|problem| format!("{wire:?}: {problem}"))?;
        Ok(Logged {
            outcome,
            decoded: first,
            bytes: logs.iter().map(Vec::len).sum(),
        })
    }
}

fn check_ending(outcome: &Outcome, ending: Ending) -> Result<(), String> {
    let fits = match outcome {
        Outcome::Ok(_) => ending == Ending::Returned,
        Outcome::Exception { .. } => ending == Ending::Raised,
        Outcome::Timeout
        | Outcome::Killed
        | Outcome::WorkerDied
        | Outcome::Deadlock { .. }
        | Outcome::Steps
        | Outcome::Blocked(_) => true,
    };
    if fits {
        Ok(())
    } else {
        Err(format!("{outcome:?}, but the log ends {ending:?}"))
    }
}

fn difference(lean: &Decoded, full: &Decoded) -> String {
    let pairs = lean.events.iter().zip(&full.events);
    let at = pairs.take_while(|(lean, full)| lean == full).count();
    format!(
        "event {at} of {} and {}: {:?} on the lean wire, {:?} on the full wire",
        lean.events.len(),
        full.events.len(),
        lean.events.get(at),
        full.events.get(at)
    )
}

#[expect(clippy::print_stdout, reason = "the figures, for who asks")]
fn logs_can_be_read_and_both_wires_say_the_same(fixture: &'static Fixture) {
    let (calls, list) = (fixture.calls(), fixture.path("list"));
    fixture.random_calls(&[
        "list".as_ref(),
        &calls,
        &list,
        LOGGED_CALLS_PER_FUNCTION.as_ref(),
    ]);
    let calls = read_calls(list.as_ref());
    let threads = 2;
    let compare = |first| {
        let mut comparison = LogComparison::new(fixture);
        let share = calls.iter().skip(first).step_by(threads);
        share.for_each(|calls| comparison.function(calls));
        (comparison.counts, comparison.problems)
    };
    let shares: Vec<(Counts, Vec<String>)> = thread::scope(|scope| {
        let running: Vec<_> = (0..threads)
            .map(|first| scope.spawn(move || compare(first)))
            .collect();
        let ended = running.into_iter().map(|thread| thread.join());
        ended.map(|share| share.expect("no panic")).collect()
    });
    let mut all = Counts::default();
    let mut problems = Vec::new();
    for (counts, found) in shares {
        all.add(counts);
        problems.extend(found);
    }
    println!("{all:#?}");
    let shown = problems.iter().take(40).cloned().collect::<Vec<_>>();
    assert!(
        problems.is_empty(),
        "{} problems:\n{}",
        problems.len(),
        shown.join("\n")
    );
    assert!(
        100 * (all.stopped + all.changing) < 2 * all.calls,
        "{all:?}"
    );
}
