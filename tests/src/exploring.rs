//! Searches without the command line: a program, a BEAM for each worker, and the engine.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use erlang_term::{Atom, Integer, Term};
use erlconcolic::beam::{DeliveryModel, ProcessModel};
use erlconcolic::front_end::{FrontEnd, Settings};
use erlconcolic::instrumented::{Beam, instrument};
use erlconcolic::worker::{Limits, Outcome, Run, Worker};
use flattener::flat::FunctionId;
use solver::{Limits as SolverLimits, ReleaseRules, Shortcuts};
use trace_engine::explore::{
    Attempt, Execution, Executor, Gap, Options, Report, Solvers, Strategy, Task, WantedPaths,
    explore,
};
use trace_engine::{Bounds, Noted, ReplayError, Replayed, Rest, replay_run};
use trace_format::{ProcessLogs, Program, RunLog, Schedule, Wire, body_name};

use crate::tool::no_project;

/// Of longer runs the rest is ignored.
const MOST_EVENTS: usize = 200_000;

/// Limits of a run that most runs do not reach.
pub const LIMITS: Limits = Limits {
    milliseconds: 5_000,
    heap_words: 16 * 1024 * 1024,
    allowed: Vec::new(),
};

/// An instrumented program.
#[derive(Debug)]
pub struct Explored {
    /// The program of its logs.
    pub program: Program,
    beams: Vec<Beam>,
    module: Atom,
    /// The module as it is loaded.
    loaded_as: Atom,
}

impl Explored {
    /// Instruments the module in a file.
    ///
    /// # Panics
    /// When it does not compile.
    pub fn new(path: PathBuf) -> Self {
        Self::compiled_by(&FrontEnd::with_settings(Settings::default()), path)
    }

    /// Instruments the module in a file, with other settings.
    ///
    /// # Panics
    /// When it does not compile.
    pub fn compiled_by(front_end: &FrontEnd, path: PathBuf) -> Self {
        let name = path.display().to_string();
        let loaded = front_end.load(&[path]);
        let loaded = loaded.unwrap_or_else(|failure| panic!("{name}: {:?}", failure.0));
        let modules = loaded.into_iter().map(|module| module.flatten());
        let modules = modules.collect::<Result<Vec<_>, _>>().expect("a program");
        let module = modules.first().expect("one file").name.clone();
        let built = instrument(front_end, modules, Wire::Lean).expect("Erlang is here");
        let loaded_as = built.program.module(0).map(|it| it.loaded_as.clone());
        Self {
            program: built.program,
            beams: built.beams,
            loaded_as: loaded_as.expect("one file"),
            module,
        }
    }

    /// Its instrumented code.
    pub fn beams(&self) -> &[Beam] {
        &self.beams
    }

    /// The name under which its module is loaded.
    pub fn loaded_as(&self) -> &Atom {
        &self.loaded_as
    }

    /// Module and index of an exported function.
    ///
    /// # Panics
    /// When there is no such function.
    pub fn entry(&self, name: &str, arity: u32) -> (usize, usize) {
        let found = self.program.exported(&self.module, &function(name, arity));
        found.unwrap_or_else(|| panic!("there is no {name}/{arity}"))
    }

    /// A BEAM that runs a function. It is started by its first run.
    pub fn executor(&self, name: &str, arity: u32) -> BeamExecutor<'_> {
        self.executor_with(name, arity, ProcessModel::default())
    }

    /// The same, with messages whose deliveries are steps.
    pub fn delivering_executor(&self, name: &str, arity: u32) -> BeamExecutor<'_> {
        let processes = ProcessModel {
            delivery: DeliveryModel::Any,
            ..ProcessModel::default()
        };
        self.executor_with(name, arity, processes)
    }

    fn executor_with(&self, name: &str, arity: u32, processes: ProcessModel) -> BeamExecutor<'_> {
        let worker = Worker::new(&self.program, self.beams.clone(), no_project());
        BeamExecutor {
            program: &self.program,
            worker: worker.with_processes(processes),
            module: self.module.clone(),
            loaded_as: self.loaded_as.clone(),
            body: body_name(&function(name, arity)),
            entry: self.entry(name, arity),
            deadline: None,
            start: Instant::now(),
        }
    }
}

/// What values mean on the installed release, except for the order of atoms.
///
/// # Panics
/// When no BEAM can be asked.
pub fn rules_of_release() -> ReleaseRules {
    let mut worker = Worker::new(&Program::default(), Vec::new(), no_project());
    worker.ask_rules(None).expect("a BEAM can be asked");
    worker.rules()
}

fn function(name: &str, arity: u32) -> FunctionId {
    FunctionId {
        name: Atom::new(name),
        arity,
    }
}

/// Runs a function on a BEAM.
#[derive(Debug)]
pub struct BeamExecutor<'program> {
    program: &'program Program,
    worker: Worker,
    module: Atom,
    loaded_as: Atom,
    body: Atom,
    /// Module and index of the function.
    pub entry: (usize, usize),
    /// When to end a search that is not done, if ever.
    pub deadline: Option<Instant>,
    start: Instant,
}

impl BeamExecutor<'_> {
    /// Goes on with another function of the same module.
    ///
    /// # Panics
    /// When there is no such function.
    pub fn set_function(&mut self, name: &str, arity: u32) {
        let id = function(name, arity);
        let found = self.program.exported(&self.module, &id);
        self.entry = found.unwrap_or_else(|| panic!("there is no {name}/{arity}"));
        self.body = body_name(&id);
    }

    /// How a run ends, and what it logs.
    ///
    /// # Errors
    /// When it cannot be run.
    pub fn run_logged(&mut self, arguments: &[Term]) -> Result<(Outcome, ProcessLogs), String> {
        let run = self.run_scheduled(arguments, Schedule::run_on(), &LIMITS)?;
        let logs = ProcessLogs::new(run.logs, run.gate.leases);
        Ok((run.outcome, logs))
    }

    /// Makes a run that follows a schedule.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn run_scheduled(
        &mut self,
        arguments: &[Term],
        schedule: &Schedule,
        limits: &Limits,
    ) -> Result<Run, String> {
        let list = Term::list(arguments.to_vec());
        let function = (&self.loaded_as, &self.body);
        let run = self.worker.run_scheduled(function, list, schedule, limits);
        run.map_err(|failure| format!("{:?}", failure.0))
    }

    /// Replays all processes of a run of the function, in the order of their steps.
    ///
    /// # Errors
    /// When the logs cannot be replayed.
    pub fn replay_all(
        &mut self,
        logs: &ProcessLogs,
        arguments: &[Term],
    ) -> Result<Replayed, ReplayError> {
        let log = RunLog::new(self.program, Wire::Lean, logs.entry(), Some(self.entry));
        let bounds = Bounds {
            max_decisions: usize::MAX,
            max_decisions_of_several: usize::MAX,
            rest: Rest::Coverage,
        };
        let rules = self.worker.rules();
        replay_run(
            &log,
            logs,
            &rules,
            arguments,
            Noted::default(),
            bounds,
            &|| false,
        )
    }

    /// Replays a run of the function.
    ///
    /// # Errors
    /// When its log cannot be replayed.
    ///
    /// # Panics
    /// When it makes a difference whether functions are forgotten at their tail calls.
    pub fn replay(
        &mut self,
        logs: &ProcessLogs,
        arguments: &[Term],
    ) -> Result<Replayed, ReplayError> {
        let log = RunLog::new(self.program, Wire::Lean, logs.entry(), Some(self.entry));
        let mut rules = self.worker.rules();
        let mut replayed = trace_engine::replay(&log, &rules, arguments);
        if rules.atoms.is_missing() {
            let asked = self.worker.ask_order_of_atoms(None);
            asked.expect("the BEAM that ran it has an order of atoms");
            rules = self.worker.rules();
            replayed = trace_engine::replay(&log, &rules, arguments);
        }
        let replayed = replayed?;
        // With places, nothing is forgotten.
        let modules = self.program.modules().len();
        let remembered = trace_engine::replay_until(&log, &rules, arguments, modules, &|| false)?;
        assert_eq!(replayed.trace, remembered.trace);
        assert_eq!(replayed.decisions, remembered.decisions);
        assert_eq!(replayed.result, remembered.result);
        assert_eq!(replayed.ending, remembered.ending);
        Ok(replayed)
    }
}

impl Executor for &mut BeamExecutor<'_> {
    type Outcome = Outcome;
    type Error = String;

    fn run(&mut self, attempt: &Attempt<'_>) -> Result<Option<Execution<Outcome>>, String> {
        let run = self.run_scheduled(attempt.arguments.terms(), attempt.schedule, &LIMITS)?;
        let outcome = run.outcome;
        let logs =
            ProcessLogs::new(run.logs, run.gate.leases).delivering(self.worker.is_delivering());
        Ok(Some(Execution {
            cut: Some(Gap::CutRun(format!("{outcome:?}"))),
            uncontrolled: run.gate.uncontrolled,
            outcome,
            logs,
            is_finding: false,
            took: None,
            replayed: None,
        }))
    }

    fn begin(&mut self, attempt: &Attempt<'_>) {
        let list = Term::list(attempt.arguments.terms().to_vec());
        let function = (&self.loaded_as, &self.body);
        self.worker
            .begin(function, list, attempt.schedule, &LIMITS, None);
    }

    fn rules(&self) -> ReleaseRules {
        self.worker.rules()
    }

    fn ask_order_of_atoms(&mut self) -> Result<(), String> {
        let asked = self.worker.ask_order_of_atoms(None);
        asked.map_err(|failure| format!("{:?}", failure.0))
    }

    fn agrees_on_atoms(&mut self) -> Result<bool, String> {
        let agrees = self.worker.agrees_on_atoms(None);
        agrees.map_err(|failure| format!("{:?}", failure.0))
    }

    fn should_stop(&self) -> bool {
        self.deadline
            .is_some_and(|deadline| Instant::now() >= deadline)
    }

    fn now(&self) -> Duration {
        self.start.elapsed()
    }
}

/// A search of one function.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The function that its executors run.
    pub task: Task,
    /// How it is searched.
    pub options: Options,
}

/// A search for all paths of a function with one argument, beginning with 0.
pub fn plan(term_depth: u32, max_runs: usize) -> Plan {
    Plan {
        task: Task {
            entry: (0, 0),
            signature: None,
            seeds: vec![vec![Term::Integer(Integer::from(0))]],
            limits: SolverLimits {
                term_depth,
                cases: 2_000,
                shortcuts: Shortcuts::default(),
            },
            marks: None,
            paths: None,
        },
        options: Options {
            strategy: Strategy::default(),
            seed: 0,
            max_runs: Some(max_runs),
            wire: Wire::Lean,
            max_events: MOST_EVENTS,
            max_decisions: 10_000,
            max_replay: Duration::MAX,
            max_switches: None,
            any_time: false,
            paths: WantedPaths::All,
            calls: true,
            has_wider_states: true,
            has_interpolants: true,
            first: false,
        },
    }
}

impl Plan {
    /// Searches the function that the executors run.
    ///
    /// # Errors
    /// When it cannot be run.
    pub fn search(
        &self,
        program: &Program,
        executors: Vec<&mut BeamExecutor<'_>>,
        solvers: &(dyn Fn() -> Solvers + Sync),
    ) -> Result<Report<Outcome>, String> {
        let entry = executors.first().map(|it| it.entry);
        let task = Task {
            entry: entry.ok_or("no executor")?,
            ..self.task.clone()
        };
        let (mut reports, error) = explore(program, &[task], executors, solvers, &self.options);
        match error {
            Some(error) => Err(error),
            None => reports.pop().ok_or_else(|| "no report".to_owned()),
        }
    }
}
