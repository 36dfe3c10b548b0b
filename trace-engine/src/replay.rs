//! Replays a run on symbolic values, from its log: one rule for each event, as `eval` in Figure 7 of
//! Palacios and Vidal's paper. Events are never all there at once: each is replayed as it is
//! restored.

mod bits;
mod callee;
mod calls;
mod dictionary;
mod exceptions;
mod input_funs;
mod mailbox;
mod maps;
mod opaque;
mod places;

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::rc::Rc;

use erlang_term::Term;
use flattener::flat::{
    Block, BlockId, Bound, Callable, Clause, Fun, Function, FunctionRef, Operation, SiteId,
    Statement, Value, VarId,
};
use rustc_hash::FxHasher;
use smallvec::{SmallVec, smallvec};
use thiserror::Error;
use trace_format::{
    Broken, CallKind, Ending, EventKind, Happened, Listener, LogError, Payload, Program,
    ProgramModule, RunLog,
};

use crate::environment::{Environment, evaluate};
use dictionary::Dictionary;
use exceptions::{Exception, Handler, Through};
use mailbox::Mailbox;
pub use places::{Mark, Places};
use solver::graph::{Closure, Condition, Graph, Input, NodeId, Set};

/// After so many events it is asked whether to stop.
const EVENTS_BETWEEN_LOOKS: usize = 1 << 10;

/// Why a log cannot be replayed.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ReplayError {
    /// It cannot be the log of this program.
    #[error(transparent)]
    Log(#[from] LogError),
    /// An event does not fit the program or those before it.
    #[error("event {number} does not fit the program: {what}")]
    Event {
        /// The number of the event.
        number: usize,
        /// What is wrong.
        what: &'static str,
    },
}

/// A place in the program where a run could have gone on in another way.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// The module.
    pub module: usize,
    /// The site in it.
    pub site: SiteId,
    /// For each way the condition on which it is taken if none before it is.
    pub ways: Vec<Condition>,
    /// The way that was taken, counted from 0.
    pub taken: usize,
    /// The clause that was chosen by it, counted from 0, if it is the choice of a clause.
    pub clause: Option<usize>,
    /// Of what was given to something that is not understood, what it was: no clause depends on
    /// it that is known, but with another value the run may go elsewhere.
    pub given: Option<(NodeId, Term)>,
}

impl Decision {
    /// What must hold for a way to be taken: it is possible, and none before it is.
    pub fn conditions(&self, way: usize) -> Vec<Condition> {
        let before = self.ways.iter().take(way).map(|condition| !*condition);
        let own = self.ways.get(way).copied();
        before.chain(own).collect()
    }
}

/// A call whose result was taken from the log although it may depend on the input.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OpaqueCall {
    /// What was called.
    pub name: String,
    /// Where: module and site; `None` where that is no one place.
    pub place: Option<(usize, SiteId)>,
}

/// What a run did, symbolically.
#[derive(Debug)]
pub struct Replayed {
    /// The values and conditions.
    pub graph: Graph,
    /// The decisions that depend on the input, in order.
    pub decisions: Vec<Decision>,
    /// The clauses that were chosen, counted from 1: the trace of the run.
    pub trace: Vec<u32>,
    /// The clauses that were chosen, each once: module, site, clause counted from 0.
    pub clauses: Set<(usize, SiteId, usize)>,
    /// The functions that were entered, each once: module and index.
    pub functions: Set<(usize, usize)>,
    /// Calls whose results were taken from the log.
    pub opaque: Vec<OpaqueCall>,
    /// What was given to something that is not understood: if it is the same in another run, so
    /// is what came of it. With the number of decisions before.
    pub given: Vec<(usize, NodeId)>,
    /// What the entry function returned.
    pub result: Option<NodeId>,
    /// How the run ended, as far as its log tells.
    pub ending: Ending,
    /// Whether events are left that were not replayed.
    pub is_stopped: bool,
    /// The places that the run came to, if they are noted.
    pub places: Places,
}

/// A function that is running.
#[derive(Clone, Copy)]
struct Frame<'run> {
    module: usize,
    code: &'run ProgramModule,
    /// The top-level function that it is, or is in.
    function: usize,
    function_code: &'run Function,
    callable: Callable,
    /// Its parameters, and the block whose values it returns.
    fun: &'run Fun,
    /// Where in the caller the result is bound; `None` if the caller is not followed.
    caller: Option<&'run Statement>,
}

pub(crate) struct Replay<'run> {
    program: &'run Program,
    should_stop: &'run dyn Fn() -> bool,
    /// The number of the event that is being replayed.
    number: usize,
    /// Events that wait for those behind them.
    held: Vec<Happened<'run>>,
    /// Whether functions are forgotten at their tail calls.
    forgets: bool,
    /// What is running.
    frame: Frame<'run>,
    /// What called it, and so on.
    callers: Vec<Frame<'run>>,
    /// The variables of the frames.
    environment: Environment,
    handlers: Vec<Handler<'run>>,
    /// The blocks through which each `try` goes on whose protected part is over.
    through: Vec<Through<'run>>,
    exception: Option<Exception>,
    /// The classes of exceptions that were caught, by the values that stand for their traces.
    classes: HashMap<NodeId, NodeId>,
    /// A call whose callee the next event tells: where, what is called, and the arguments.
    pending: Option<(&'run Statement, Option<NodeId>, Nodes)>,
    /// What funs take along, by module and site.
    captured: HashMap<(usize, Callable), Rc<[VarId]>>,
    /// The fun made at a site, if there was only one.
    made: HashMap<(usize, SiteId), Option<NodeId>>,
    /// The variables that guards use.
    guards: HashMap<*const Clause, Vec<VarId>, BuildHasherDefault<FxHasher>>,
    dictionary: Dictionary,
    mailbox: Mailbox,
    /// The arguments of the run.
    input: Input,
    replayed: Replayed,
}

/// Values of arguments and results, of which there are few: replaying a run is mostly that.
type Nodes = SmallVec<[NodeId; 4]>;

/// An error on its way: small, since nearly everything returns it or something else.
type Misfit = Box<ReplayError>;

type Step = Result<(), Misfit>;

/// Why no more events are replayed.
pub(crate) enum Refusal {
    /// One does not fit.
    Misfit(Misfit),
    /// There is no time left.
    Stop,
}

/// Replays a run of its entry function with symbolic arguments. Those that the run had decide what
/// built-ins did of which the log does not tell everything.
///
/// # Errors
/// When the log is not that of a run of this program.
pub fn replay(log: &RunLog<'_>, arguments: &[Term]) -> Result<Replayed, ReplayError> {
    replay_until(log, arguments, 0, &|| false)
}

/// The same, noting the places in so many of the first modules that the run comes to, and ending
/// where one should stop.
///
/// # Errors
/// When the log is not that of a run of this program.
pub fn replay_until(
    log: &RunLog<'_>,
    arguments: &[Term],
    modules: usize,
    should_stop: &dyn Fn() -> bool,
) -> Result<Replayed, ReplayError> {
    let entry = log.entry.and_then(|it| Frame::of_entry(log.program, it));
    let entry = entry.ok_or_else(|| *misfit(0, "there is no such entry"))?;
    let mut replay = Replay::new(log.program, entry, modules, should_stop);
    let arguments = arguments.iter();
    let arguments: Vec<NodeId> = arguments.map(|it| replay.graph().constant(it)).collect();
    replay.input = Input::new(&arguments);
    replay.start();
    match trace_format::follow(log, &mut replay) {
        Ok(ending) => replay.replayed.ending = ending,
        Err(Broken::Log(error)) => return Err(error.into()),
        Err(Broken::Refused(Refusal::Misfit(misfit))) => return Err(*misfit),
        Err(Broken::Refused(Refusal::Stop)) => replay.replayed.is_stopped = true,
    }
    replay.replay_held().map_err(|misfit| *misfit)?;
    Ok(replay.replayed)
}

impl<'run> Listener<'run> for Replay<'run> {
    type Refusal = Refusal;

    fn forgets_at_tail_calls(&self) -> bool {
        self.forgets
    }

    #[inline]
    fn hear(&mut self, event: Happened<'run>) -> Result<(), Refusal> {
        if self.number.is_multiple_of(EVENTS_BETWEEN_LOOKS) && (self.should_stop)() {
            return Err(Refusal::Stop);
        }
        self.number += 1;
        self.take(event).map_err(Refusal::Misfit)
    }
}

fn misfit(number: usize, what: &'static str) -> Misfit {
    Box::new(ReplayError::Event { number, what })
}

impl<'run> Replay<'run> {
    fn new(
        program: &'run Program,
        entry: Frame<'run>,
        modules: usize,
        should_stop: &'run dyn Fn() -> bool,
    ) -> Self {
        Self {
            program,
            should_stop,
            number: 0,
            held: Vec::new(),
            // How a statement ends is of interest where places are noted.
            forgets: modules == 0,
            frame: entry,
            callers: Vec::new(),
            environment: Environment::default(),
            handlers: Vec::new(),
            through: Vec::new(),
            exception: None,
            classes: HashMap::new(),
            pending: None,
            captured: HashMap::new(),
            made: HashMap::new(),
            guards: HashMap::default(),
            dictionary: Dictionary::default(),
            mailbox: Mailbox::default(),
            input: Input::default(),
            replayed: Replayed {
                graph: Graph::default(),
                decisions: Vec::new(),
                trace: Vec::new(),
                clauses: Set::default(),
                functions: Set::default(),
                opaque: Vec::new(),
                given: Vec::new(),
                result: None,
                ending: Ending::Open,
                is_stopped: false,
                places: Places::of_modules(modules),
            },
        }
    }

    fn start(&mut self) {
        let arity = self.frame.fun.parameters.len();
        let arguments: Vec<NodeId> = (0..arity).map(|it| self.graph().input(it)).collect();
        self.begin(calls::Around::Nothing, &arguments);
    }

    #[inline]
    fn take(&mut self, event: Happened<'run>) -> Step {
        if self.held.is_empty() {
            self.event(event)
        } else {
            self.hold(event)
        }
    }

    #[inline]
    fn event(&mut self, event: Happened<'run>) -> Step {
        let Some(statement) = event.statement else {
            return match event.kind {
                EventKind::Enter(ref arguments) => self.entered(&event, arguments.as_ref()),
                _ => self.exit(),
            };
        };
        let places = &mut self.replayed.places;
        places.note(event.module, Mark::Began(statement.site));
        match event.kind {
            EventKind::Enter(_) | EventKind::Exit => Err(self.misfit("it has no place")),
            EventKind::Call => self.call(statement),
            EventKind::Bind => self.bind(statement),
            EventKind::Case(clause) if self.looks_for_message(statement, clause)? => {
                self.held.push(event);
                Ok(())
            }
            EventKind::Case(clause) => self.case(statement, clause),
            EventKind::ExitCase(clause) => self.exit_case(statement, clause),
            EventKind::Builtin => self.built_in(statement),
            EventKind::Result(payload) => self.result(statement, &payload),
            EventKind::Received(payload) => self.received(statement, &payload),
            EventKind::Raised(payload) => self.raised(statement, payload.as_ref()),
            EventKind::Try => {
                self.try_begins(statement);
                Ok(())
            }
            EventKind::Leave => self.leave_protected(statement),
            EventKind::Caught => self.caught(statement),
            EventKind::ExitTry => self.exit_try(statement),
        }
    }

    // ---- Access

    fn misfit(&self, what: &'static str) -> Misfit {
        misfit(self.number, what)
    }

    fn module(&self, number: usize) -> Result<&'run ProgramModule, Misfit> {
        let module = self.program.module(number);
        module.ok_or_else(|| self.misfit("there is no such module"))
    }

    fn graph(&mut self) -> &mut Graph {
        &mut self.replayed.graph
    }

    fn block(&self, id: BlockId) -> &'run Block {
        self.frame.function_code.block(id)
    }

    // ---- Values

    fn value(&mut self, value: &Value) -> NodeId {
        let program = self.program;
        let (module, function) = (self.frame.module, self.frame.function);
        let mut reference = |graph: &mut Graph, environment: &Environment, it: &FunctionRef| {
            function_value(program, module, function, graph, environment, it)
        };
        evaluate(
            &mut self.replayed.graph,
            &mut self.environment,
            value,
            &mut reference,
        )
    }

    fn values<'code>(&mut self, values: impl IntoIterator<Item = &'code Value>) -> Nodes {
        let mut nodes = Nodes::new();
        for value in values {
            let node = self.value(value);
            nodes.push(node);
        }
        nodes
    }

    fn block_values(&mut self, id: BlockId) -> Nodes {
        let block = self.block(id);
        self.values(&block.result)
    }

    fn bind_statement(&mut self, statement: &Statement, values: &[NodeId]) -> Step {
        let module = self.frame.module;
        let places = &mut self.replayed.places;
        places.note(module, Mark::Ended(statement.site));
        if let Bound::Variables(variables) = &statement.bound {
            self.environment.bind_all(variables, values);
        }
        Ok(())
    }

    // ---- Statements

    fn bind(&mut self, statement: &'run Statement) -> Step {
        let values = match &statement.operation {
            Operation::Values(values) => self.values(values),
            Operation::Fun(fun) => smallvec![self.make_fun(statement.site, fun)],
            Operation::Letrec { body, .. } => self.block_values(*body),
            Operation::Map { .. } => smallvec![self.changed_map(statement)?],
            Operation::Binary(segments) => smallvec![self.build_bits(statement, segments)?],
            Operation::Apply { .. }
            | Operation::Call { .. }
            | Operation::Primop { .. }
            | Operation::Case { .. }
            | Operation::Try { .. }
            | Operation::Catch(_)
            | Operation::Receive { .. } => return Err(self.misfit("nothing is bound there")),
        };
        self.bind_statement(statement, &values)
    }

    fn make_fun(&mut self, site: SiteId, fun: &Fun) -> NodeId {
        let frame = self.frame;
        let (module, callable) = (frame.module, Callable::Fun(site));
        let variables = match self.captured.get(&(module, callable)) {
            Some(variables) => Rc::clone(variables),
            None => {
                let variables: Rc<[VarId]> =
                    crate::scopes::captured(self.frame.function_code, fun).into();
                let key = (module, callable);
                self.captured.insert(key, Rc::clone(&variables));
                variables
            }
        };
        let graph = &mut self.replayed.graph;
        let captured = variables
            .iter()
            .map(|variable| (*variable, self.environment.get(graph, *variable)))
            .collect();
        let closure = graph.closure(Closure {
            module,
            callable,
            arity: fun.parameters.len(),
            captured,
        });
        self.made
            .entry((module, site))
            .and_modify(|made| *made = made.filter(|it| *it == closure))
            .or_insert(Some(closure));
        closure
    }

    fn case(&mut self, statement: &'run Statement, clause: usize) -> Step {
        let module = self.frame.module;
        let Operation::Case { arguments, clauses } = &statement.operation else {
            return self.receive(statement, clause);
        };
        let taken = clause.wrapping_sub(1);
        if taken >= clauses.len() {
            return Err(self.misfit("there is no such clause"));
        }
        self.replayed.trace.push(u32::try_from(clause).unwrap_or(0));
        self.replayed
            .clauses
            .insert((module, statement.site, taken));
        if let Some(chosen) = clauses.get(taken) {
            self.note_block(chosen.body);
        }
        let arguments = self.values(arguments);
        let (ways, first) = self.clause_ways(statement, clauses, &arguments, taken)?;
        let graph = &self.replayed.graph;
        let own = taken - first;
        let mut decided = ways.iter().take(own + 1);
        if decided.any(|way| graph.is_unknown_condition(*way)) {
            let looked_at = self.looked_at(clauses.iter().take(clause), &arguments);
            self.note_given(statement, &looked_at)?;
        }
        self.decide_clause(statement, &ways, own, taken)
    }

    /// What clauses depend on.
    fn looked_at<'code>(
        &mut self,
        clauses: impl Iterator<Item = &'code Clause>,
        arguments: &[NodeId],
    ) -> Vec<NodeId> {
        let mut looked_at = arguments.to_vec();
        for clause in clauses {
            for variable in crate::scopes::used_in_guard(self.frame.function_code, clause) {
                let value = self.value(&Value::Variable(variable));
                looked_at.push(value);
            }
        }
        looked_at
    }

    /// A `receive` of older compilers; what arrives is in the log.
    fn receive(&mut self, statement: &'run Statement, clause: usize) -> Step {
        let module = self.frame.module;
        let Operation::Receive {
            clauses, action, ..
        } = &statement.operation
        else {
            return Err(self.misfit("there is no case"));
        };
        if clause == 0 || clause > clauses.len() + 1 {
            return Err(self.misfit("there is no such clause"));
        }
        self.replayed.trace.push(u32::try_from(clause).unwrap_or(0));
        self.replayed
            .clauses
            .insert((module, statement.site, clause - 1));
        let chosen = clauses.get(clause - 1).map_or(*action, |it| it.body);
        self.goes_on_in(statement, chosen)
    }

    /// Notes a decision, unless nothing else was possible.
    fn decide(&mut self, statement: &Statement, ways: &[Condition], taken: usize) -> Step {
        let before = ways.iter().take(taken);
        let is_forced = ways.get(taken) == Some(&Condition::TRUE)
            && before.clone().all(|way| *way == Condition::FALSE);
        if is_forced {
            return Ok(());
        }
        let is_impossible = ways.get(taken) == Some(&Condition::FALSE)
            || before.clone().any(|way| *way == Condition::TRUE);
        if is_impossible {
            return Err(self.misfit("another clause matches"));
        }
        let module = self.frame.module;
        self.replayed.decisions.push(Decision {
            module,
            site: statement.site,
            ways: ways.to_vec(),
            taken,
            clause: None,
            given: None,
        });
        Ok(())
    }

    /// Notes that a clause was chosen, unless nothing else was possible.
    fn decide_clause(
        &mut self,
        statement: &Statement,
        ways: &[Condition],
        taken: usize,
        clause: usize,
    ) -> Step {
        let before = self.replayed.decisions.len();
        self.decide(statement, ways, taken)?;
        if let Some(decision) = self.replayed.decisions.get_mut(before) {
            decision.clause = Some(clause);
        }
        Ok(())
    }

    /// Notes that the run goes on in a block of the function that is running.
    fn note_block(&mut self, block: BlockId) {
        let Frame {
            module, function, ..
        } = self.frame;
        let places = &mut self.replayed.places;
        places.note(module, Mark::Block(function, block));
    }

    fn exit_case(&mut self, statement: &'run Statement, clause: usize) -> Step {
        let Operation::Case { clauses, .. } = &statement.operation else {
            return Err(self.misfit("there is no case"));
        };
        let chosen = clauses.get(clause.wrapping_sub(1));
        let chosen = chosen.ok_or_else(|| self.misfit("there is no such clause"))?;
        let values = self.block_values(chosen.body);
        self.bind_statement(statement, &values)
    }

    /// A value of the run as a constant; unknown if something is in it that cannot leave its BEAM.
    fn constant(&mut self, payload: &Payload) -> NodeId {
        let graph = self.graph();
        match payload.term() {
            Ok(term) => graph.constant(&term),
            Err(_) => match graph.foreign(&payload.0) {
                Some(foreign) => foreign,
                None => graph.unknown(),
            },
        }
    }

    /// The first of these ways that the run could take; `None` if that cannot be told.
    fn way_taken(&mut self, ways: &[Condition]) -> Option<usize> {
        let graph = &mut self.replayed.graph;
        self.input.first_that_holds(graph, ways)
    }

    /// Notes a decision about whose way the log says nothing, and returns the way.
    fn choose(
        &mut self,
        statement: &Statement,
        ways: &[Condition],
    ) -> Result<Option<usize>, Misfit> {
        let taken = self.way_taken(ways);
        if let Some(taken) = taken {
            self.decide(statement, ways, taken)?;
        }
        Ok(taken)
    }

    /// Whether a value was in the run what the log tells, as far as that can be told.
    fn is_as_logged(&mut self, value: NodeId, logged: NodeId) -> bool {
        let graph = &mut self.replayed.graph;
        let known = self.input.value(graph, value);
        graph.is_unknown(logged) || known.is_none_or(|known| known == logged)
    }

    fn call_kind(&self, statement: &Statement) -> Result<CallKind, Misfit> {
        let kind = self.frame.code.plan.kind(statement.site);
        kind.ok_or_else(|| self.misfit("there is no call"))
    }
}

fn function_value(
    program: &Program,
    module: usize,
    function: usize,
    graph: &mut Graph,
    environment: &Environment,
    reference: &FunctionRef,
) -> NodeId {
    let Some(code) = program.module(module) else {
        return graph.unknown();
    };
    let closure = match reference {
        FunctionRef::Module(id) => code.index(id).map(|index| Closure {
            module,
            callable: Callable::Function(index),
            arity: id.arity as usize,
            captured: Box::default(),
        }),
        FunctionRef::Local(id) => {
            let callable = Callable::Local(code.plan.letrec(function, *id), *id);
            let fun = code.callable(callable).map(|it| it.1);
            let code = code.function(function);
            code.zip(fun).map(|(function, fun)| Closure {
                module,
                callable,
                arity: fun.parameters.len(),
                captured: crate::scopes::captured(function, fun)
                    .into_iter()
                    .map(|variable| (variable, environment.get(graph, variable)))
                    .collect(),
            })
        }
    };
    match closure {
        Some(closure) => graph.closure(closure),
        None => graph.unknown(),
    }
}
