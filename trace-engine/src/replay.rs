//! Replays the events of a run on symbolic values: one rule for each event, as `eval` in Figure 7
//! of Palacios and Vidal's paper.

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
    Block, BlockId, Bound, Clause, Function, FunctionRef, Operation, SiteId, Statement, Value,
    VarId,
};
use rustc_hash::FxHasher;
use smallvec::{SmallVec, smallvec};
use thiserror::Error;
use trace_format::{CallKind, Callable, Event, EventKind, Payload, Program, ProgramModule};

use crate::environment::{Environment, evaluate};
use crate::graph::{Closure, Condition, Graph, Input, NodeId, Set};
use dictionary::Dictionary;
use exceptions::{Exception, Handler};
use mailbox::Mailbox;
pub use places::{Mark, Places};

/// After so many events it is asked whether to stop.
const EVENTS_BETWEEN_LOOKS: usize = 1_000;

/// Events that do not fit the program or each other.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("event {number} does not fit the program: {what}")]
pub struct ReplayError {
    /// The number of the event.
    pub number: usize,
    /// What is wrong.
    pub what: &'static str,
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
#[derive(Debug, Default)]
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
    /// Whether events are left that were not replayed.
    pub is_stopped: bool,
    /// The places that the run came to, if they are noted.
    pub places: Places,
}

/// A function that is running.
struct Frame<'run> {
    module: usize,
    code: &'run ProgramModule,
    /// The top-level function that it is, or is in.
    function: usize,
    function_code: &'run Function,
    callable: Callable,
    /// The block whose values it returns.
    body: BlockId,
    /// Where in the caller the result is bound; `None` if the caller is not followed.
    call_site: Option<SiteId>,
    /// The blocks through which each `try` goes on whose protected part is over.
    through: Vec<(SiteId, BlockId)>,
}

pub(crate) struct Replay<'run> {
    program: &'run Program,
    events: &'run [Event],
    /// The number of the event that is being replayed.
    number: usize,
    frames: Vec<Frame<'run>>,
    /// The variables of the frames.
    environment: Environment,
    handlers: Vec<Handler>,
    exception: Option<Exception>,
    /// The classes of exceptions that were caught, by the values that stand for their traces.
    classes: HashMap<NodeId, NodeId>,
    /// The site and arguments of a call whose callee the next event tells.
    pending: Option<(SiteId, Option<NodeId>, Nodes)>,
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

/// Replays the events of a run of an entry function (module and index) with symbolic arguments.
/// Those that the run had decide what built-ins did of which the log does not tell everything.
///
/// # Errors
/// When the events are not those of a run of this program.
pub fn replay(
    program: &Program,
    events: &[Event],
    entry: (usize, usize),
    arguments: &[Term],
) -> Result<Replayed, ReplayError> {
    replay_until(program, events, entry, arguments, 0, &|| false)
}

/// The same, noting the places in so many of the first modules that the run comes to, and ending
/// where one should stop.
///
/// # Errors
/// When the events are not those of a run of this program.
pub fn replay_until(
    program: &Program,
    events: &[Event],
    entry: (usize, usize),
    arguments: &[Term],
    modules: usize,
    should_stop: &dyn Fn() -> bool,
) -> Result<Replayed, ReplayError> {
    let mut replay = Replay {
        program,
        events,
        number: 0,
        frames: Vec::new(),
        environment: Environment::default(),
        handlers: Vec::new(),
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
            places: Places::of_modules(modules),
            ..Replayed::default()
        },
    };
    replay.make_room();
    let arguments = arguments.iter();
    let arguments: Vec<NodeId> = arguments.map(|it| replay.graph().constant(it)).collect();
    replay.input = Input::new(&arguments);
    replay.start(entry).map_err(|misfit| *misfit)?;
    for (number, event) in events.iter().enumerate() {
        if number % EVENTS_BETWEEN_LOOKS == 0 && should_stop() {
            replay.replayed.is_stopped = true;
            break;
        }
        replay.number = number;
        replay.event(event).map_err(|misfit| *misfit)?;
    }
    Ok(replay.replayed)
}

fn misfit(number: usize, what: &'static str) -> Misfit {
    Box::new(ReplayError { number, what })
}

impl<'run> Replay<'run> {
    /// As much as the events of a long run may need: room that is not used costs nothing, but to
    /// move what is there takes as long as to replay it.
    fn make_room(&mut self) {
        let events = self.events.len();
        self.frames.reserve(events / 4);
        self.environment.reserve(events.saturating_mul(8));
        self.replayed.graph.reserve(events / 2);
        self.replayed.trace.reserve(events / 4);
    }

    fn start(&mut self, (module, index): (usize, usize)) -> Step {
        let callable = Callable::Function(index);
        let arity = self
            .module(module)?
            .callable(callable)
            .map(|it| it.1.parameters.len());
        let arity = arity.ok_or_else(|| self.misfit("there is no such entry"))?;
        let arguments: Vec<NodeId> = (0..arity).map(|it| self.graph().input(it)).collect();
        self.enter(module, callable, calls::Around::Nothing, &arguments, None)
    }

    fn event(&mut self, event: &Event) -> Step {
        if let Some(site) = event.site {
            let places = &mut self.replayed.places;
            places.note(event.module, Mark::Began(site));
        }
        match &event.kind {
            EventKind::Enter(arguments) => self.entered(event, arguments.as_ref()),
            EventKind::Call => self.call(self.site(event)?),
            EventKind::Exit => self.exit(),
            EventKind::Bind => self.bind(self.site(event)?),
            EventKind::Case(clause) => self.case(self.site(event)?, *clause),
            EventKind::ExitCase(clause) => self.exit_case(self.site(event)?, *clause),
            EventKind::Builtin => self.built_in(self.site(event)?),
            EventKind::Result(payload) => self.result(self.site(event)?, payload),
            EventKind::Received(payload) => self.received(self.site(event)?, payload),
            EventKind::Raised(payload) => self.raised(self.site(event)?, payload.as_ref()),
            EventKind::Try => {
                let site = self.site(event)?;
                self.try_begins(site);
                Ok(())
            }
            EventKind::Leave => self.leave_protected(self.site(event)?),
            EventKind::Caught => self.caught(self.site(event)?),
            EventKind::ExitTry => self.exit_try(self.site(event)?),
        }
    }

    // ---- Access

    fn misfit(&self, what: &'static str) -> Misfit {
        misfit(self.number, what)
    }

    fn site(&self, event: &Event) -> Result<SiteId, Misfit> {
        let frame = self.frame()?;
        if (frame.module, frame.callable) != (event.module, event.callable)
            && !matches!(event.kind, EventKind::Caught)
        {
            return Err(self.misfit("another function is running"));
        }
        event.site.ok_or_else(|| self.misfit("it has no site"))
    }

    fn module(&self, number: usize) -> Result<&'run ProgramModule, Misfit> {
        let module = self.program.module(number);
        module.ok_or_else(|| self.misfit("there is no such module"))
    }

    fn frame(&self) -> Result<&Frame<'run>, Misfit> {
        let frame = self.frames.last();
        frame.ok_or_else(|| self.misfit("nothing is running"))
    }

    fn graph(&mut self) -> &mut Graph {
        &mut self.replayed.graph
    }

    fn statement(&self, site: SiteId) -> Result<&'run Statement, Misfit> {
        let found = self.frame()?.code.statement(site);
        found
            .map(|it| it.1)
            .ok_or_else(|| self.misfit("there is no such site"))
    }

    fn function(&self) -> Result<&'run Function, Misfit> {
        Ok(self.frame()?.function_code)
    }

    fn block(&self, id: BlockId) -> Result<&'run Block, Misfit> {
        let block = self.function()?.blocks.get(id.index());
        block.ok_or_else(|| self.misfit("there is no such block"))
    }

    // ---- Values

    fn value(&mut self, value: &Value) -> Result<NodeId, Misfit> {
        // What most are.
        if let Value::Variable(variable) = value {
            return Ok(self.environment.get(&mut self.replayed.graph, *variable));
        }
        let frame = self.frames.last();
        let frame = frame.ok_or_else(|| self.misfit("nothing is running"))?;
        let program = self.program;
        let (module, function) = (frame.module, frame.function);
        let mut reference = |graph: &mut Graph, environment: &Environment, it: &FunctionRef| {
            function_value(program, module, function, graph, environment, it)
        };
        Ok(evaluate(
            &mut self.replayed.graph,
            &self.environment,
            value,
            &mut reference,
        ))
    }

    fn values<'code>(
        &mut self,
        values: impl IntoIterator<Item = &'code Value>,
    ) -> Result<Nodes, Misfit> {
        let mut nodes = Nodes::new();
        for value in values {
            nodes.push(self.value(value)?);
        }
        Ok(nodes)
    }

    fn block_values(&mut self, id: BlockId) -> Result<Nodes, Misfit> {
        let block = self.block(id)?;
        self.values(&block.result)
    }

    fn bind_statement(&mut self, statement: &Statement, values: &[NodeId]) -> Step {
        let module = self.frame()?.module;
        let places = &mut self.replayed.places;
        places.note(module, Mark::Ended(statement.site));
        if let Bound::Variables(variables) = &statement.bound {
            self.environment.bind_all(variables, values);
        }
        Ok(())
    }

    // ---- Statements

    fn bind(&mut self, site: SiteId) -> Step {
        let statement = self.statement(site)?;
        let values = match &statement.operation {
            Operation::Values(values) => self.values(values)?,
            Operation::Fun(_) => smallvec![self.make_fun(site)?],
            Operation::Letrec { body, .. } => self.block_values(*body)?,
            Operation::Map { .. } => smallvec![self.changed_map(site)?],
            Operation::Binary(segments) => smallvec![self.build_bits(site, segments)?],
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

    fn make_fun(&mut self, site: SiteId) -> Result<NodeId, Misfit> {
        let Operation::Fun(fun) = &self.statement(site)?.operation else {
            return Err(self.misfit("there is no fun"));
        };
        let frame = self.frame()?;
        let (module, callable) = (frame.module, Callable::Fun(site));
        let variables = match self.captured.get(&(module, callable)) {
            Some(variables) => Rc::clone(variables),
            None => {
                let variables: Rc<[VarId]> = crate::scopes::captured(self.function()?, fun).into();
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
        Ok(closure)
    }

    fn case(&mut self, site: SiteId, clause: usize) -> Step {
        self.look_at_mailbox(site, clause)?;
        let module = self.frame()?.module;
        let statement = self.statement(site)?;
        let Operation::Case { arguments, clauses } = &statement.operation else {
            return self.receive(site, clause);
        };
        let taken = clause.wrapping_sub(1);
        if taken >= clauses.len() {
            return Err(self.misfit("there is no such clause"));
        }
        self.replayed.trace.push(u32::try_from(clause).unwrap_or(0));
        self.replayed.clauses.insert((module, site, taken));
        if let Some(chosen) = clauses.get(taken) {
            self.note_block(chosen.body)?;
        }
        let arguments = self.values(arguments)?;
        let (ways, first) = self.clause_ways(site, clauses, &arguments, taken)?;
        let graph = &self.replayed.graph;
        let own = taken - first;
        let mut decided = ways.iter().take(own + 1);
        if decided.any(|way| graph.is_unknown_condition(*way)) {
            let looked_at = self.looked_at(clauses.iter().take(clause), &arguments)?;
            self.note_given(site, &looked_at)?;
        }
        self.decide_clause(site, &ways, own, taken)
    }

    /// What clauses depend on.
    fn looked_at<'code>(
        &mut self,
        clauses: impl Iterator<Item = &'code Clause>,
        arguments: &[NodeId],
    ) -> Result<Vec<NodeId>, Misfit> {
        let mut looked_at = arguments.to_vec();
        for clause in clauses {
            for variable in crate::scopes::used_in_guard(self.function()?, clause) {
                let value = self.value(&Value::Variable(variable))?;
                looked_at.push(value);
            }
        }
        Ok(looked_at)
    }

    /// A `receive` of older compilers; what arrives is in the log.
    fn receive(&mut self, site: SiteId, clause: usize) -> Step {
        let module = self.frame()?.module;
        let Operation::Receive {
            clauses, action, ..
        } = &self.statement(site)?.operation
        else {
            return Err(self.misfit("there is no case"));
        };
        if clause == 0 || clause > clauses.len() + 1 {
            return Err(self.misfit("there is no such clause"));
        }
        self.replayed.trace.push(u32::try_from(clause).unwrap_or(0));
        self.replayed.clauses.insert((module, site, clause - 1));
        let chosen = clauses.get(clause - 1).map_or(*action, |it| it.body);
        self.goes_on_in(site, chosen)
    }

    /// Notes a decision, unless nothing else was possible.
    fn decide(&mut self, site: SiteId, ways: &[Condition], taken: usize) -> Step {
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
        let module = self.frame()?.module;
        self.replayed.decisions.push(Decision {
            module,
            site,
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
        site: SiteId,
        ways: &[Condition],
        taken: usize,
        clause: usize,
    ) -> Step {
        let before = self.replayed.decisions.len();
        self.decide(site, ways, taken)?;
        if let Some(decision) = self.replayed.decisions.get_mut(before) {
            decision.clause = Some(clause);
        }
        Ok(())
    }

    /// Notes that the run goes on in a block of the function that is running.
    fn note_block(&mut self, block: BlockId) -> Step {
        let frame = self.frame()?;
        let (module, function) = (frame.module, frame.function);
        let places = &mut self.replayed.places;
        places.note(module, Mark::Block(function, block));
        Ok(())
    }

    fn exit_case(&mut self, site: SiteId, clause: usize) -> Step {
        let statement = self.statement(site)?;
        let Operation::Case { clauses, .. } = &statement.operation else {
            return Err(self.misfit("there is no case"));
        };
        let chosen = clauses.get(clause.wrapping_sub(1));
        let chosen = chosen.ok_or_else(|| self.misfit("there is no such clause"))?;
        let values = self.block_values(chosen.body)?;
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
    fn choose(&mut self, site: SiteId, ways: &[Condition]) -> Result<Option<usize>, Misfit> {
        let taken = self.way_taken(ways);
        if let Some(taken) = taken {
            self.decide(site, ways, taken)?;
        }
        Ok(taken)
    }

    /// Whether a value was in the run what the log tells, as far as that can be told.
    fn is_as_logged(&mut self, value: NodeId, logged: NodeId) -> bool {
        let graph = &mut self.replayed.graph;
        let known = self.input.value(graph, value);
        graph.is_unknown(logged) || known.is_none_or(|known| known == logged)
    }

    fn call_kind(&self, site: SiteId) -> Result<CallKind, Misfit> {
        let kind = self.frame()?.code.plan.kind(site);
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
