//! The promises of the engine, on random programs: every run goes where it should, no path is
//! run twice, and what is called complete misses no path that random inputs find.

use std::collections::HashSet;
use std::fs;

use end_to_end::erlang::temporary_folder;
use end_to_end::random_erlang;
use end_to_end::random_programs::Random;
use end_to_end::tool::no_project;
use erlang_term::{Atom, Integer, Term};
use erlconcolic::front_end::{FrontEnd, Settings};
use erlconcolic::instrumented::instrument;
use erlconcolic::worker::{Limits, Outcome, Worker};
use flattener::flat::FunctionId;
use trace_engine::explore::{Execution, Executor, Options, Report, Strategy, explore};
use trace_engine::solver::{Integers, Limits as SolverLimits, NativeIntegers};
use trace_format::{Program, Wire, body_name, decode};

const MODULES: u64 = 8;
const FUNCTIONS: usize = 30;
/// Random inputs of each function.
const INPUTS: usize = 250;
const DEPTH: u32 = 3;

/// A program of random functions and a BEAM to run them on.
struct Bench {
    name: Atom,
    program: Program,
    worker: Worker,
}

/// How a run ended: its class and the part of its reason that does not depend on the input.
fn ending(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Ok(_) => "ok".to_owned(),
        Outcome::Exception { class, reason, .. } => {
            let tag = reason.trim_start_matches('{').split([',', '}']).next();
            format!("{class} {}", tag.unwrap_or_default())
        }
        Outcome::Timeout | Outcome::Killed | Outcome::WorkerDied | Outcome::Blocked(_) => {
            format!("{outcome:?}")
        }
    }
}

impl Bench {
    fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let name = format!("random_{seed}");
        let text = random_erlang::module(&name, FUNCTIONS, &mut random);
        let folder = temporary_folder();
        let path = folder.path().join(format!("{name}.erl"));
        fs::write(&path, &text).expect("the folder can be written");
        let front_end = FrontEnd::with_settings(Settings::default());
        let loaded = front_end.load(&[path]);
        let loaded = loaded.unwrap_or_else(|failure| panic!("{text}\n{:?}", failure.0));
        let modules = loaded.into_iter().map(|module| module.flatten());
        let modules = modules.collect::<Result<Vec<_>, _>>().expect("a program");
        let built = instrument(&front_end, modules, Wire::Lean).expect("Erlang is here");
        Self {
            name: Atom::new(&name),
            worker: Worker::new(&built.program, built.beams, no_project()),
            program: built.program,
        }
    }

    fn entry(&self, function: usize) -> (FunctionId, (usize, usize)) {
        let id = FunctionId {
            name: Atom::new(format!("f{function}")),
            arity: 1,
        };
        let entry = self.program.exported(&self.name, &id);
        (id, entry.expect("all functions are exported"))
    }

    fn explore(&mut self, function: usize) -> Report<Outcome> {
        let (id, entry) = self.entry(function);
        let program = self.program.clone();
        let executor = BeamExecutor {
            bench: self,
            body: body_name(&id),
            entry,
        };
        let options = Options {
            seeds: vec![vec![Term::Integer(Integer::from(0))]],
            limits: SolverLimits {
                term_depth: DEPTH,
                cases: 2_000,
            },
            strategy: Strategy::Coverage,
            seed: 0,
            max_runs: Some(500),
            max_decisions: 10_000,
            first: false,
        };
        let integers = || -> Box<dyn Integers> { Box::new(NativeIntegers::default()) };
        let report = explore(&program, entry, vec![executor], &integers, &options);
        report.unwrap_or_else(|error| panic!("{error}"))
    }
}

struct BeamExecutor<'bench> {
    bench: &'bench mut Bench,
    body: Atom,
    entry: (usize, usize),
}

impl Executor for BeamExecutor<'_> {
    type Outcome = Outcome;
    type Error = String;

    fn run(&mut self, arguments: &[Term]) -> Result<Execution<Outcome>, String> {
        let limits = Limits {
            milliseconds: 10_000,
            heap_words: 16 * 1024 * 1024,
            allowed: Vec::new(),
        };
        let list = Term::list(arguments.to_vec());
        let bench = &mut *self.bench;
        let run = bench.worker.run(&bench.name, &self.body, list, &limits);
        let run = run.map_err(|failure| format!("{:?}", failure.0))?;
        let log = run.logs.first().map(Vec::as_slice).unwrap_or_default();
        let decoded = decode(&bench.program, Wire::Lean, log, Some(self.entry));
        Ok(Execution {
            outcome: run.outcome,
            events: decoded
                .map(|decoded| decoded.events)
                .map_err(|error| error.to_string()),
            is_cut: false,
            is_finding: false,
        })
    }
}

/// The trace of an input, and how its run ends.
fn path(bench: &mut Bench, function: usize, argument: Term) -> (Vec<u32>, String) {
    let (id, entry) = bench.entry(function);
    let mut executor = BeamExecutor {
        bench,
        body: body_name(&id),
        entry,
    };
    let run = executor.run(&[argument]).expect("it can be run");
    let events = run.events.expect("its log can be read");
    let replayed =
        trace_engine::replay(&bench.program, &events, entry).expect("it can be replayed");
    (replayed.trace, ending(&run.outcome))
}

fn check_function(bench: &mut Bench, function: usize, random: &mut Random) -> Result<bool, String> {
    let report = bench.explore(function);
    let mut paths = HashSet::new();
    for test in &report.tests {
        if test.diverged {
            return Err(format!("f{function} diverged: {:?}", test.arguments));
        }
        if test.repeats {
            return Err(format!(
                "f{function} takes a path again: {:?}",
                test.arguments
            ));
        }
        paths.insert((test.trace.clone(), ending(&test.outcome)));
    }
    if !report.is_complete() {
        return Ok(false);
    }
    for _ in 0..INPUTS {
        let depth = random.below(DEPTH as usize + 1);
        let argument = random_erlang::value(random, depth);
        let path = path(bench, function, argument.clone());
        if !paths.contains(&path) {
            return Err(format!(
                "f{function}({argument}) takes a new path: {path:?}"
            ));
        }
    }
    Ok(true)
}

#[test]
fn promises_hold_on_random_programs() {
    let mut complete = 0;
    let mut failures = Vec::new();
    for seed in 0..MODULES {
        let mut bench = Bench::new(seed);
        let mut random = Random::new(seed + 1_000);
        for function in 0..FUNCTIONS {
            match check_function(&mut bench, function, &mut random) {
                Ok(is_complete) => complete += usize::from(is_complete),
                Err(failure) => failures.push(format!("seed {seed}: {failure}")),
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    let all = FUNCTIONS * usize::try_from(MODULES).expect("few modules");
    assert!(complete * 10 >= all * 8, "{complete} of {all}");
}
