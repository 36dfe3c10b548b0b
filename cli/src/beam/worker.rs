//! Runs inputs on a BEAM, one after another.

use std::env;
use std::sync::Arc;
use std::time::{Duration, Instant};

use erlang_term::{Atom, Term, encode, to_wire};
use flattener::flat::Callable;
use serde::{Deserialize, Serialize};
use solver::ReleaseRules;
use trace_format::{Program, Schedule};

use super::beam_error::BeamError;
use super::beam_rules::BeamRules;
use super::loadable::Beam;
use super::own_beam::OwnBeam;
use super::packed;
use super::process_model::{DeliveryModel, ProcessModel, trial_request};
use super::replies::Answer;
use super::run_answer::{GateReport, parse_exits, parse_gate, parse_outcome};
use super::standby::Standby;
use crate::failure::Failure;

use reports::Trial;
pub use reports::{Outcome, StackEntry};

/// Heap limit of a run in words: 1 GiB.
pub const HEAP_WORDS: u64 = 128 * 1024 * 1024;

/// Memory limit of a worker in bytes: the heap of a run, and memory outside heaps such as large
/// binaries and tables.
pub const WORKER_BYTES: u64 = 4 * 1024 * 1024 * 1024;

/// How often a BEAM that dies while it starts, or a run whose BEAM dies, is tried. One death may be
/// an accident: another program may have killed it.
const TRIES: usize = 2;

/// How much longer than its limit a run may take before we give up its BEAM. The BEAM itself ends a
/// run, and needs some time to describe it and to clean up. If that takes longer, the program blocks
/// the BEAM.
const PATIENCE: Duration = Duration::from_secs(10);
/// How much longer than until its end we wait for a run that must end at a certain time.
const LAST_PATIENCE: Duration = Duration::from_millis(500);
/// Sets the patience in milliseconds, for tests.
const PATIENCE_VARIABLE: &str = "ERLCONCOLIC_PATIENCE";

/// How many bytes a run may take that is sent while another one is made: the smallest pipes have
/// 4,096.
const MOST_SENT: usize = 2_000;

/// The limits of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Limits {
    /// How long it may take, in milliseconds.
    pub milliseconds: u64,
    /// The limit of its heap, in words.
    pub heap_words: u64,
    /// Modules (`m`) and functions (`m:f/1`) that could do harm and are permitted.
    pub allowed: Vec<Term>,
}

/// The result of a run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Run {
    /// How it ended.
    pub outcome: Outcome,
    /// The log of each process that logged something; the first belongs to the run itself.
    #[serde(with = "packed::logs")]
    pub logs: Vec<Vec<u8>>,
    /// The output of the program.
    pub output: String,
    /// What is known of its processes.
    pub gate: GateReport,
    /// In a trial: how processes ended that did not end normally.
    #[serde(skip)]
    pub exits: Vec<Outcome>,
}

/// A BEAM with loaded code. When it dies in a run, the run is tried again with a new BEAM; when that
/// one dies too, the run is the reason. When a run leaves something in the BEAM that other runs could
/// see, the next run gets a new one.
#[derive(Debug)]
pub struct Worker {
    pub(super) beams: Vec<Beam>,
    pub(super) followed: Term,
    /// The modules of the user that have other names here; none if there is no such module.
    pub(super) aliases: Option<Term>,
    /// Modules of the user that do not compile.
    pub(super) missing: Vec<Atom>,
    pub(super) configuration: Term,
    /// If values are made of the recipes in an input before its run, what their functions may
    /// return that is no such value: `[{Tag, Excluded}]`.
    pub(super) makes_values: Option<Term>,
    pub(super) processes: ProcessModel,
    /// The names of modules that are loaded under other names.
    pub(super) own_names: Vec<(Atom, Atom)>,
    beam: Option<OwnBeam>,
    standby: Arc<Standby>,
    rules: Arc<BeamRules>,
    /// How many of the atoms that matter were in order on the BEAM of the last run.
    agreed_in_run: usize,
}

impl Worker {
    /// A worker for a program and its code, with the command that tells where other code is. The
    /// BEAM starts when it is needed.
    pub fn new(program: &Program, beams: Vec<Beam>, configuration: Term) -> Self {
        Self {
            own_names: own_names(program),
            ..Self::of_parts(followed(program), beams, configuration)
        }
    }

    /// A worker for this code.
    pub(super) fn of_parts(followed: Term, beams: Vec<Beam>, configuration: Term) -> Self {
        Self {
            beams,
            followed,
            aliases: None,
            missing: Vec::new(),
            configuration,
            makes_values: None,
            processes: ProcessModel::default(),
            own_names: Vec::new(),
            beam: None,
            standby: Arc::default(),
            rules: Arc::default(),
            agreed_in_run: 0,
        }
    }

    /// Whether messages take their time.
    pub fn is_delivering(&self) -> bool {
        self.processes.delivery == DeliveryModel::Any
    }

    /// The same, with processes that are controlled in this way.
    #[must_use]
    pub fn with_processes(self, processes: ProcessModel) -> Self {
        Self { processes, ..self }
    }

    /// From now on processes are controlled like this.
    pub(crate) fn control_processes(&mut self, processes: ProcessModel) {
        self.processes = processes;
    }

    /// The same, with BEAMs that were started in advance.
    pub(crate) fn with(self, standby: Arc<Standby>) -> Self {
        Self { standby, ..self }
    }

    /// The same, with the rules that all workers of a search have.
    pub(crate) fn with_rules(self, rules: Arc<BeamRules>) -> Self {
        Self { rules, ..self }
    }

    /// What values mean here, as far as it is known.
    pub fn rules(&self) -> ReleaseRules {
        self.rules.rules()
    }

    /// The atoms whose order matters, in their order.
    pub(crate) fn atoms(&self) -> Vec<Atom> {
        self.rules.atoms()
    }

    /// How many of the atoms that matter were in order on the BEAM of the last run.
    pub(crate) fn agreed_in_run(&self) -> usize {
        self.agreed_in_run
    }

    /// Asks for the rules, if they are not known.
    ///
    /// # Errors
    /// When no BEAM answers.
    pub fn ask_rules(&mut self, end: Option<Instant>) -> Result<(), Failure> {
        if self.rules.are_known() {
            return Ok(());
        }
        self.beam = Some(self.start(&RunTime::for_commands(end))?);
        Ok(())
    }

    /// Asks for the order of atoms, which the rules have from then on.
    ///
    /// # Errors
    /// When no BEAM answers.
    pub fn ask_order_of_atoms(&mut self, end: Option<Instant>) -> Result<(), Failure> {
        let time = RunTime::for_commands(end);
        let mut beam = match self.beam.take() {
            Some(beam) => beam,
            None => self.start(&time)?,
        };
        self.rules.ask_for_table(&mut beam, time.of_command())?;
        self.beam = Some(beam);
        Ok(())
    }

    /// Whether the BEAM of the last run has the atoms that matter in the order of the rules. If not,
    /// the next run is on another BEAM.
    ///
    /// # Errors
    /// When the BEAM gives no sensible answer.
    pub fn agrees_on_atoms(&mut self, end: Option<Instant>) -> Result<bool, Failure> {
        let Some(mut beam) = self.beam.take() else {
            return Ok(self.rules.count() <= self.agreed_in_run);
        };
        let time = RunTime::for_commands(end);
        match self.rules.agree(&mut beam, time.of_command()) {
            Ok(true) => {
                self.beam = Some(beam);
                Ok(true)
            }
            Ok(false) | Err(BeamError::Died | BeamError::Silent) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// The same, for code in which modules of the user have other names: `[{Name, Alias}]`.
    pub(crate) fn with_aliases(self, aliases: Term) -> Self {
        let has_some = aliases.as_list().is_some_and(|it| !it.is_empty());
        Self {
            aliases: has_some.then_some(aliases),
            ..self
        }
    }

    /// The same, for code that may call these modules, which are missing: such a call is refused.
    pub(crate) fn without(self, missing: Vec<Atom>) -> Self {
        Self { missing, ..self }
    }

    /// A worker for code that is not instrumented.
    pub fn for_original_code(beams: Vec<Beam>, configuration: Term) -> Self {
        Self::new(&Program::default(), beams, configuration)
            .making_values(Term::list([]))
            .with_processes(ProcessModel::UNCONTROLLED)
    }

    /// The same, but values are made of the recipes in an input before its run. The functions of
    /// recipes may return something else: `[{Tag, Excluded}]`.
    pub(crate) fn making_values(self, excluded: Term) -> Self {
        Self {
            makes_values: Some(excluded),
            ..self
        }
    }

    /// Runs one input of a function.
    ///
    /// # Errors
    /// When no BEAM can be started, or it cannot load the code.
    pub fn run(
        &mut self,
        module: &Atom,
        function: &Atom,
        arguments: Term,
        limits: &Limits,
    ) -> Result<Run, Failure> {
        self.run_scheduled((module, function), arguments, Schedule::run_on(), limits)
    }

    /// The same, with a schedule.
    ///
    /// # Errors
    /// As above.
    pub fn run_scheduled(
        &mut self,
        function: (&Atom, &Atom),
        arguments: Term,
        schedule: &Schedule,
        limits: &Limits,
    ) -> Result<Run, Failure> {
        let run = self.run_until(function, arguments, schedule, limits, None)?;
        run.ok_or_else(|| BeamError::Silent.into())
    }

    /// The same; `None` if the run had to be given up because it must end at a certain time.
    ///
    /// # Errors
    /// As above.
    pub(crate) fn run_until(
        &mut self,
        (module, function): (&Atom, &Atom),
        arguments: Term,
        schedule: &Schedule,
        limits: &Limits,
        end: Option<Instant>,
    ) -> Result<Option<Run>, Failure> {
        let control = self.processes.request(schedule);
        self.run_controlled((module, function), arguments, control, limits, end)
    }

    /// The same, with processes that run as they come.
    ///
    /// # Errors
    /// As above.
    pub(crate) fn run_trial(
        &mut self,
        function: (&Atom, &Atom),
        arguments: Term,
        trial: Trial,
        limits: &Limits,
        end: Instant,
    ) -> Result<Option<Run>, Failure> {
        let control = trial_request(trial);
        self.run_controlled(function, arguments, control, limits, Some(end))
    }

    /// Lets the BEAM begin with a run that will probably be asked for next, or after those that it
    /// has begun with.
    pub fn begin(
        &mut self,
        (module, function): (&Atom, &Atom),
        arguments: Term,
        schedule: &Schedule,
        limits: &Limits,
        end: Option<Instant>,
    ) {
        let is_ready = |beam: &OwnBeam| !beam.has_gap && beam.agreed_atoms >= self.rules.count();
        let time = RunTime::new(limits, end).filter(|time| !time.is_short);
        let (Some(time), true) = (time, self.beam.as_ref().is_some_and(is_ready)) else {
            return;
        };
        let control = self.processes.request(schedule);
        let (contents, arguments) = self.encoded(arguments);
        let limits = time.of_run(limits);
        let command = command(module, function, arguments, &contents, &limits, control);
        if let Some(beam) = &mut self.beam {
            // A BEAM that writes does not read: what it is sent meanwhile must fit into the pipe.
            beam.has_gap = !beam.begun.is_empty() && encode(&command).len() > MOST_SENT;
            if !beam.has_gap {
                let id = beam.send(command.clone());
                beam.begun.push_back((command, id));
            }
        }
    }

    /// Arguments as they are sent, and what they contain.
    fn encoded(&self, arguments: Term) -> (Contents, Term) {
        let excluded = self.makes_values.clone();
        let contents = Contents {
            has_funs: arguments.has_funs(),
            recipes: excluded.filter(|_| arguments.has_recipes()),
        };
        let arguments = if contents.has_funs || contents.recipes.is_some() {
            to_wire(&arguments)
        } else {
            arguments
        };
        (contents, arguments)
    }

    fn run_controlled(
        &mut self,
        (module, function): (&Atom, &Atom),
        arguments: Term,
        control: Vec<(Term, Term)>,
        limits: &Limits,
        end: Option<Instant>,
    ) -> Result<Option<Run>, Failure> {
        let (contents, arguments) = self.encoded(arguments);
        let mut unanswered = None;
        for _ in 0..TRIES {
            let Some(time) = RunTime::new(limits, end) else {
                return Ok(None);
            };
            let limits = time.of_run(limits);
            let arguments = arguments.clone();
            let control = control.clone();
            let command = command(module, function, arguments, &contents, &limits, control);
            let Tried { run, is_answered } = self.try_run(command, &time)?;
            if time.is_up_for(&run.outcome) {
                return Ok(None);
            }
            if is_answered {
                return Ok(Some(run));
            }
            unanswered = Some(run);
        }
        Ok(unanswered)
    }

    /// Sends a command other than a run to a new BEAM, waits until a certain time for the answer,
    /// and ends the BEAM.
    ///
    /// # Errors
    /// When there is no answer.
    pub(crate) fn call_until(
        &mut self,
        command: Term,
        end: Instant,
        part: impl FnMut(Term),
    ) -> Result<Answer, BeamError> {
        let limits = Limits {
            milliseconds: u64::MAX / 2,
            heap_words: HEAP_WORDS,
            allowed: Vec::new(),
        };
        let time = RunTime::new(&limits, Some(end)).ok_or(BeamError::Silent)?;
        let mut beam = self.start(&time)?;
        let id = beam.send(command);
        beam.wait(id, end.saturating_duration_since(Instant::now()), part)
    }

    fn try_run(&mut self, command: Term, time: &RunTime) -> Result<Tried, Failure> {
        let mut beam = match self.agreeing_beam(time) {
            Some(beam) => beam,
            None => match self.start(time) {
                Err(BeamError::Silent) if time.is_past() => {
                    return Ok(Tried::without_answer(Outcome::Timeout, Vec::new()));
                }
                started => started?,
            },
        };
        self.agreed_in_run = beam.agreed_atoms;
        let mut logs = Vec::new();
        let id = loop {
            match beam.begun.pop_front() {
                Some((begun, id)) if begun == command => break id,
                Some((_, other)) => {
                    // Nobody needs it. Its answer is taken first: a BEAM that writes does not read.
                    match beam.wait(other, time.patience(), |_| ()) {
                        Ok(Ok(answer)) if is_kept(&answer) => {}
                        Ok(_) | Err(_) => return self.try_run(command, time),
                    }
                }
                None => {
                    beam.has_gap = false;
                    break beam.send(command);
                }
            }
        };
        let answer = beam.wait(id, time.patience(), |part| collect(&mut logs, &part));
        match answer {
            Ok(Ok(answer)) => {
                if is_kept(&answer) {
                    self.beam = Some(beam);
                }
                let last = answer.get("logs").and_then(Term::as_list);
                for part in last.unwrap_or_default() {
                    collect(&mut logs, part);
                }
                let bad = || Failure::from(BeamError::BadAnswer(answer.to_string()));
                let outcome = answer.get("outcome").and_then(parse_outcome);
                let output = answer.get("output").and_then(Term::as_binary);
                let run = Run {
                    outcome: outcome.ok_or_else(bad)?,
                    exits: parse_exits(&answer).ok_or_else(bad)?,
                    logs,
                    output: String::from_utf8_lossy(output.ok_or_else(bad)?).into_owned(),
                    gate: parse_gate(&answer, &self.own_names).ok_or_else(bad)?,
                };
                Ok(Tried {
                    run,
                    is_answered: true,
                })
            }
            Ok(Err(messages)) => Err(BeamError::refused("the run", messages).into()),
            Err(BeamError::Died) => Ok(Tried::without_answer(Outcome::WorkerDied, logs)),
            Err(BeamError::Silent) => Ok(Tried::without_answer(Outcome::Timeout, logs)),
            Err(error) => Err(error.into()),
        }
    }

    /// The BEAM of earlier runs, if it has the atoms that matter in order.
    fn agreeing_beam(&mut self, time: &RunTime) -> Option<OwnBeam> {
        let mut beam = self.beam.take()?;
        let agrees = self.rules.agree(&mut beam, time.of_command());
        matches!(agrees, Ok(true)).then_some(beam)
    }

    /// A BEAM without code that has the atoms that matter in order.
    fn new_beam(&self, patience: Duration) -> Result<OwnBeam, BeamError> {
        let mut beam = self.standby.take(WORKER_BYTES)?;
        if self.rules.agree(&mut beam, patience)? {
            return Ok(beam);
        }
        let Some(file) = self.rules.boot_file(&mut beam, patience)? else {
            return Ok(beam);
        };
        let boot = file.path().with_extension("");
        let mut beam = self
            .standby
            .start_from(&boot.to_string_lossy(), WORKER_BYTES)?;
        // Some atoms are older than all that can be made. The file is read when this is answered.
        self.rules.agree(&mut beam, patience)?;
        Ok(beam)
    }

    fn start(&self, time: &RunTime) -> Result<OwnBeam, BeamError> {
        let mut started = self.try_start(time);
        for _ in 1..TRIES {
            let is_dead = matches!(started, Err(BeamError::Died | BeamError::Silent));
            if !is_dead || time.is_past() {
                break;
            }
            started = self.try_start(time);
        }
        started
    }

    fn try_start(&self, time: &RunTime) -> Result<OwnBeam, BeamError> {
        let patience = time.of_command();
        let mut beam = self.new_beam(patience)?;
        // The answers to all these commands are awaited together: the BEAM may still be starting.
        let rules = self.rules.ask(&mut beam);
        let configured = beam.send(self.configuration.clone());
        let mut loads = Vec::with_capacity(self.beams.len());
        for module in &self.beams {
            loads.push(beam.send(Term::Tuple(vec![
                Term::atom("load"),
                Term::Atom(module.name.clone()),
                Term::binary(format!("{}.beam", module.name.as_str())),
                Term::binary(module.code.clone()),
            ])));
        }
        let follow = beam.send(Term::Tuple(vec![
            Term::atom("follow"),
            self.followed.clone(),
        ]));
        let steps = beam.send(Term::Tuple(vec![Term::atom("steps"), steps()]));
        let alias = self.aliases.clone().map(|aliases| {
            let command = vec![Term::atom("alias"), aliases];
            beam.send(Term::Tuple(command))
        });
        let missing = self.missing.iter().cloned().map(Term::Atom);
        let missing = (!self.missing.is_empty()).then(|| {
            let command = vec![Term::atom("missing"), Term::list(missing)];
            beam.send(Term::Tuple(command))
        });
        if let Err(messages) = beam.wait(configured, patience, |_| ())? {
            return Err(BeamError::refused("the project", messages));
        }
        for (load, module) in loads.into_iter().zip(&self.beams) {
            if let Err(messages) = beam.wait(load, patience, |_| ())? {
                let what = format!("{} cannot be loaded", module.name);
                return Err(BeamError::refused(&what, messages));
            }
        }
        for command in [Some(follow), Some(steps), alias, missing]
            .into_iter()
            .flatten()
        {
            if let Err(messages) = beam.wait(command, patience, |_| ())? {
                return Err(BeamError::refused("the list of modules", messages));
            }
        }
        if let Some(rules) = rules {
            self.rules.hear(&mut beam, rules, patience)?;
        }
        Ok(beam)
    }
}

/// Whether a run left its BEAM as it was.
fn is_kept(answer: &Term) -> bool {
    answer.get("node").and_then(Term::as_atom) == Some("kept")
}

/// How long a run may take.
struct RunTime {
    of_run: Duration,
    end: Option<Instant>,
    /// Whether it is shorter than the limit of runs.
    is_short: bool,
}

impl RunTime {
    /// The time for a run that begins now; `None` if there is none.
    fn new(limits: &Limits, end: Option<Instant>) -> Option<Self> {
        let usual = Duration::from_millis(limits.milliseconds);
        let left = end.map(|end| end.saturating_duration_since(Instant::now()));
        let is_short = left.is_some_and(|left| left < usual);
        (left != Some(Duration::ZERO)).then(|| Self {
            of_run: left.map_or(usual, |left| left.min(usual)),
            end,
            is_short,
        })
    }

    /// The time for commands other than runs.
    fn for_commands(end: Option<Instant>) -> Self {
        Self {
            of_run: patience(),
            end,
            is_short: false,
        }
    }

    /// How long to wait for the answer to a command that is not a run.
    fn of_command(&self) -> Duration {
        self.at_most(2 * patience())
    }

    fn of_run(&self, limits: &Limits) -> Limits {
        let milliseconds = self.of_run.as_millis();
        Limits {
            milliseconds: u64::try_from(milliseconds).unwrap_or(limits.milliseconds),
            ..limits.clone()
        }
    }

    /// How long to wait for the answer of its BEAM.
    fn patience(&self) -> Duration {
        self.at_most(self.of_run.saturating_add(patience()))
    }

    /// This time, or what is left and a little more.
    fn at_most(&self, time: Duration) -> Duration {
        let left = |end: Instant| end.saturating_duration_since(Instant::now());
        self.end
            .map_or(time, |end| time.min(left(end) + LAST_PATIENCE))
    }

    fn is_past(&self) -> bool {
        self.end.is_some_and(|end| Instant::now() >= end)
    }

    /// Whether a run with this outcome might have ended in another way with its usual time.
    fn is_up_for(&self, outcome: &Outcome) -> bool {
        let is_late = self.is_short || self.is_past();
        is_late && matches!(outcome, Outcome::Timeout | Outcome::WorkerDied)
    }
}

/// A run, and whether its BEAM reported how it ended.
struct Tried {
    run: Run,
    is_answered: bool,
}

impl Tried {
    fn without_answer(outcome: Outcome, logs: Vec<Vec<u8>>) -> Self {
        let output = String::new();
        Self {
            run: Run {
                outcome,
                logs,
                output,
                gate: GateReport::default(),
                exits: Vec::new(),
            },
            is_answered: false,
        }
    }
}

/// What the arguments of a run contain. If they contain something, they are encoded.
#[derive(Clone, Debug, Default)]
struct Contents {
    has_funs: bool,
    /// If there are recipes that the run makes values of, what their functions may return that is
    /// no such value.
    recipes: Option<Term>,
}

/// The command to run something.
fn command(
    module: &Atom,
    function: &Atom,
    arguments: Term,
    contents: &Contents,
    limits: &Limits,
    control: Vec<(Term, Term)>,
) -> Term {
    let has_funs = Term::atom(if contents.has_funs { "true" } else { "false" });
    let recipes = contents.recipes.clone();
    let integer = |value: u64| Term::Integer(i64::try_from(value).unwrap_or(i64::MAX).into());
    let mut request = vec![
        (Term::atom("module"), Term::Atom(module.clone())),
        (Term::atom("function"), Term::Atom(function.clone())),
        (Term::atom("arguments"), arguments),
        (Term::atom("funs"), has_funs),
        (
            Term::atom("recipes"),
            recipes.unwrap_or_else(|| Term::atom("none")),
        ),
        (Term::atom("timeout"), integer(limits.milliseconds)),
        (Term::atom("max_heap"), integer(limits.heap_words)),
        (Term::atom("allow"), Term::list(limits.allowed.clone())),
    ];
    request.extend(control);
    Term::Tuple(vec![Term::atom("run"), Term::Map(request)])
}

/// A command to run a call that crashes, so that a BEAM has loaded the code for runs and crashes.
pub(crate) fn rehearsal() -> Term {
    let limits = Limits {
        milliseconds: 1_000,
        heap_words: HEAP_WORDS,
        allowed: Vec::new(),
    };
    let arguments = Term::list([Term::atom("rehearsal")]);
    let [module, function] = ["erlang", "error"].map(Atom::new);
    let contents = Contents::default();
    let control = ProcessModel::default().request(Schedule::run_on());
    command(&module, &function, arguments, &contents, &limits, control)
}

fn patience() -> Duration {
    let set = env::var(PATIENCE_VARIABLE).ok();
    let set = set.and_then(|text| text.parse().ok());
    set.map_or(PATIENCE, Duration::from_millis)
}

/// What the runtime must know to follow calls whose target is only known in the run.
pub fn followed(program: &Program) -> Term {
    let modules = program
        .modules()
        .iter()
        .enumerate()
        .map(|(number, module)| {
            let functions = module.flat.exports.iter().filter_map(|id| {
                let index = module.index(id)?;
                let callable = module.announced_as(Callable::Function(index))?;
                Some(Term::Tuple(vec![
                    Term::Atom(id.name.clone()),
                    Term::Integer(i64::from(id.arity).into()),
                    Term::Atom(module.body_name(index)?.clone()),
                    Term::Integer(i64::from(callable).into()),
                ]))
            });
            Term::Map(vec![
                (Term::atom("name"), Term::Atom(module.name.clone())),
                (
                    Term::atom("loaded_as"),
                    Term::Atom(module.loaded_as.clone()),
                ),
                (
                    Term::atom("number"),
                    Term::Integer(i64::try_from(number).unwrap_or(i64::MAX).into()),
                ),
                (Term::atom("functions"), Term::list(functions)),
            ])
        });
    Term::list(modules)
}

/// The modules that are loaded under other names, and their own names.
fn own_names(program: &Program) -> Vec<(Atom, Atom)> {
    let modules = program.modules().iter();
    let renamed = modules.filter(|it| it.loaded_as != it.name);
    renamed
        .map(|it| (it.loaded_as.clone(), it.name.clone()))
        .collect()
}

/// The calls that are steps, for calls whose target is only known in the run, and which process each
/// reaches.
fn steps() -> Term {
    let position = |at: usize| Term::Integer(i64::try_from(at).unwrap_or(i64::MAX).into());
    Term::list(models::steps().iter().map(|step| {
        Term::Tuple(vec![
            Term::atom(step.module),
            Term::atom(step.name),
            Term::Integer(i64::from(step.arity).into()),
            Term::atom(step.kind.name()),
            step.reaches().map_or_else(|| Term::atom("none"), position),
        ])
    }))
}

/// A part is `{log, ProcessIndex, Bytes}`.
fn collect(logs: &mut Vec<Vec<u8>>, part: &Term) {
    let Some([_, index, bytes]) = part.as_tuple() else {
        return;
    };
    let index = index.as_i64().and_then(|index| usize::try_from(index).ok());
    if let (Some(index), Some(bytes)) = (index, bytes.as_binary()) {
        if logs.len() <= index {
            logs.resize(index + 1, Vec::new());
        }
        if let Some(log) = logs.get_mut(index) {
            log.extend_from_slice(bytes);
        }
    }
}
