//! Calls and returns.

use flattener::flat::Callable;
use flattener::flat::{Operation, Statement, Value};
use trace_format::{CallKind, Callee, Happened, Payload, Program};

use super::callee::Named;
use super::input_funs::Called;
use super::opaque::{is_apply, is_atom};
use super::{Frame, Mark, Misfit, Nodes, Replay, Step};
use crate::builtins::{self, Applied};
use crate::models::{self, Stop, Walk};
use solver::graph::{Condition, Node, NodeId};

/// Module, name and arguments.
type Call<'run> = (&'run Value, &'run Value, &'run [Value]);

/// What something that is called knows beside its arguments.
#[derive(Clone, Copy)]
pub(super) enum Around {
    Nothing,
    /// The variables of what is running.
    Running,
    /// The variables of what was running, in whose place it is.
    Forgotten,
    /// What this fun took along.
    Closure(NodeId),
}

/// What a built-in does.
pub(super) enum BuiltIn {
    /// One condition says when it returns.
    Applied(Applied),
    /// It walked through its arguments.
    Walked(Result<NodeId, Stop>),
}

impl<'run> Frame<'run> {
    /// The function that a run begins with: module and index.
    pub(super) fn of_entry(
        program: &'run Program,
        (module, index): (usize, usize),
    ) -> Option<Self> {
        Self::of(program, module, Callable::Function(index), None)
    }

    fn of(
        program: &'run Program,
        module: usize,
        callable: Callable,
        caller: Option<&'run Statement>,
    ) -> Option<Self> {
        let code = program.module(module)?;
        let (function, fun) = code.callable(callable)?;
        Some(Self {
            module,
            code,
            function,
            function_code: code.function(function)?,
            callable,
            fun,
            caller,
        })
    }
}

impl<'run> Replay<'run> {
    /// A followed function is called.
    pub(super) fn call(&mut self, statement: &'run Statement) -> Step {
        match self.call_kind(statement)? {
            CallKind::Followed(callee) => {
                let arguments = self.known_arguments(statement);
                let Frame {
                    module,
                    code,
                    function,
                    ..
                } = self.frame;
                let (module, callable, around) = match callee {
                    Callee::Function(module, index) => {
                        (module, Callable::Function(index), Around::Nothing)
                    }
                    Callee::Local(id) => {
                        let letrec = code.plan.letrec(function, id);
                        (module, Callable::Local(letrec, id), Around::Running)
                    }
                };
                if self.forgets && code.plan.is_tail_call(statement.site) {
                    self.enter_instead(module, callable, around, &arguments)
                } else {
                    self.enter(module, callable, around, &arguments, Some(statement))
                }
            }
            CallKind::Computed => {
                let (operator, arguments) = self.call_arguments(statement)?;
                let arguments = match self.apply_value(statement)? {
                    Some(Called::Known(arguments)) => arguments,
                    _ => {
                        self.choose_callee(statement)?;
                        arguments
                    }
                };
                self.pending = Some((statement, operator, arguments));
                Ok(())
            }
            _ => Err(self.misfit("no followed function is called there")),
        }
    }

    /// The arguments of a call whose callee is known before the run.
    fn known_arguments(&mut self, statement: &'run Statement) -> Nodes {
        match &statement.operation {
            Operation::Apply { arguments, .. } | Operation::Call { arguments, .. } => {
                self.values(arguments)
            }
            _ => Nodes::new(),
        }
    }

    /// What is called, if it is a value, and the arguments.
    pub(super) fn call_arguments(
        &mut self,
        statement: &'run Statement,
    ) -> Result<(Option<NodeId>, Nodes), Misfit> {
        match &statement.operation {
            Operation::Apply {
                operator,
                arguments,
            } => {
                let operator = self.value(operator);
                Ok((Some(operator), self.values(arguments)))
            }
            Operation::Call {
                module,
                name,
                arguments,
            } => {
                let arguments = self.values(arguments);
                if is_apply(module, name) {
                    return Ok(self.applied(&arguments));
                }
                Ok((None, arguments))
            }
            Operation::Primop { arguments, .. } => Ok((None, self.values(arguments))),
            _ => Err(self.misfit("there is no call")),
        }
    }

    /// The arguments of `erlang:apply/2,3`, which are in a list.
    pub(super) fn applied(&mut self, arguments: &[NodeId]) -> (Option<NodeId>, Nodes) {
        let (operator, mut rest) = match *arguments {
            [operator, list] => (Some(operator), list),
            [_, _, list] => (None, list),
            _ => return (None, Nodes::new()),
        };
        let mut elements = Nodes::new();
        while let Node::Cons(head, tail) = *self.graph().node(rest) {
            elements.push(head);
            rest = tail;
        }
        (operator, elements)
    }

    /// Begins to run something.
    fn enter(
        &mut self,
        module: usize,
        callable: Callable,
        around: Around,
        arguments: &[NodeId],
        caller: Option<&'run Statement>,
    ) -> Step {
        let callee = Frame::of(self.program, module, callable, caller);
        let callee = callee.ok_or_else(|| self.misfit("there is no such function"))?;
        self.callers
            .push(std::mem::replace(&mut self.frame, callee));
        self.begin(around, arguments);
        Ok(())
    }

    /// Begins to run something that is called in tail position, in the place of its caller.
    fn enter_instead(
        &mut self,
        module: usize,
        callable: Callable,
        around: Around,
        arguments: &[NodeId],
    ) -> Step {
        let callee = Frame::of(self.program, module, callable, self.frame.caller);
        self.frame = callee.ok_or_else(|| self.misfit("there is no such function"))?;
        let callers = self.callers.len();
        while self.through.pop_if(|it| it.callers >= callers).is_some() {}
        if matches!(around, Around::Running) {
            self.begin(Around::Forgotten, arguments);
        } else {
            self.environment.leave(callers);
            self.begin(around, arguments);
        }
        Ok(())
    }

    /// Begins what is to be running.
    pub(super) fn begin(&mut self, around: Around, arguments: &[NodeId]) {
        let Frame {
            module,
            function,
            fun,
            function_code,
            ..
        } = self.frame;
        match around {
            Around::Forgotten => {}
            Around::Running => self.environment.enter_within(),
            Around::Nothing | Around::Closure(_) => {
                self.environment.enter(function_code.variables.len());
            }
        }
        if let Around::Closure(closure) = around
            && let Node::Closure(closure) = self.replayed.graph.node(closure)
        {
            for (variable, value) in &closure.captured {
                self.environment.bind(*variable, *value);
            }
        }
        self.environment.bind_all(&fun.parameters, arguments);
        if matches!(self.frame.callable, Callable::Function(_)) {
            self.replayed.functions.insert((module, function));
        }
        let places = &mut self.replayed.places;
        places.note(module, Mark::Block(function, fun.body));
    }

    /// A function announces itself: one that only the run could tell, or one that code which is
    /// not followed calls.
    pub(super) fn entered(&mut self, event: &Happened<'run>, payload: Option<&Payload>) -> Step {
        let (module, callable) = (event.module, event.callable);
        let code = self.module(module)?;
        let found = code.callable(callable);
        let (_, fun) = found.ok_or_else(|| self.misfit("there is no such function"))?;
        let arity = fun.parameters.len();
        let (caller, operator, mut arguments) = match (self.pending.take(), payload) {
            (Some((statement, operator, arguments)), None) => {
                (Some(statement), operator, arguments)
            }
            (_, Some(payload)) => (None, None, self.outside_arguments(payload)),
            (None, None) => (None, None, Nodes::new()),
        };
        while arguments.len() < arity {
            let unknown = self.graph().unknown();
            arguments.push(unknown);
        }
        let around = self.surroundings(module, callable, operator);
        self.enter(module, callable, around, &arguments, caller)
    }

    fn outside_arguments(&mut self, payload: &Payload) -> Nodes {
        let Ok(term) = payload.term() else {
            return Nodes::new();
        };
        let elements = term.as_list().unwrap_or_default();
        elements
            .iter()
            .map(|element| self.graph().constant(element))
            .collect()
    }

    /// What a fun took along: known if we see the fun, or if only one was made at its site.
    fn surroundings(
        &mut self,
        module: usize,
        callable: Callable,
        operator: Option<NodeId>,
    ) -> Around {
        let made = match callable {
            Callable::Fun(site) => self.made.get(&(module, site)).copied().flatten(),
            Callable::Function(_) | Callable::Local(..) => None,
        };
        for node in [operator, made].into_iter().flatten() {
            if let Node::Closure(closure) = self.graph().node(node)
                && (closure.module, closure.callable) == (module, callable)
            {
                return Around::Closure(node);
            }
        }
        Around::Nothing
    }

    /// A function returns.
    pub(super) fn exit(&mut self) -> Step {
        let values = self.block_values(self.frame.fun.body);
        let caller = self.frame.caller;
        self.environment.leave(self.callers.len());
        match self.callers.pop() {
            Some(frame) => self.frame = frame,
            None => self.replayed.result = values.first().copied(),
        }
        match caller {
            Some(statement) => self.bind_statement(statement, &values),
            None => Ok(()),
        }
    }

    /// A built-in returned.
    pub(super) fn built_in(&mut self, statement: &'run Statement) -> Step {
        let value = match self.apply_built_in(statement)? {
            BuiltIn::Applied(Applied { returns, value }) => {
                // Most often that is no question, and this is done for every built-in of a run.
                if returns != Condition::TRUE {
                    self.decide(statement, &[returns, Condition::TRUE], 0)?;
                }
                value
            }
            BuiltIn::Walked(Ok(value)) => value,
            BuiltIn::Walked(Err(Stop::Taken(value) | Stop::Perhaps(value))) => {
                self.note_opaque(statement)?;
                value
            }
            BuiltIn::Walked(Err(Stop::Raises | Stop::Error(_) | Stop::Unknown)) => {
                // For other arguments it may raise.
                if matches!(self.call_kind(statement), Ok(CallKind::Builtin)) {
                    self.note_opaque(statement)?;
                }
                self.graph().unknown()
            }
        };
        self.bind_statement(statement, &[value])
    }

    /// What a built-in does. Of one that walks through its arguments, what was decided on its way
    /// is noted.
    pub(super) fn apply_built_in(&mut self, statement: &'run Statement) -> Result<BuiltIn, Misfit> {
        let Some((module, name, arguments)) = call_by_name(&statement.operation) else {
            return Ok(BuiltIn::Walked(self.primitive(statement)?));
        };
        let arguments = self.values(arguments);
        let (Some(module), Some(name)) = (atom_text(module), atom_text(name)) else {
            return Ok(BuiltIn::Walked(Err(Stop::Unknown)));
        };
        if module == "erlang"
            && let Some(applied) = builtins::apply(&mut self.replayed.graph, name, &arguments)
        {
            return Ok(BuiltIn::Applied(applied));
        }
        let known_atoms = if name.ends_with("_to_existing_atom") {
            self.program.matched_atoms()
        } else {
            &[]
        };
        let mut walk = Walk::new(&mut self.replayed.graph, &mut self.input, known_atoms);
        let walked = models::walk(&mut walk, module, name, &arguments);
        let decisions = walk.decisions;
        self.decide_all(statement, decisions)?;
        Ok(BuiltIn::Walked(walked))
    }

    /// A call that is not followed returned a value of the run.
    pub(super) fn result(&mut self, statement: &'run Statement, payload: &Payload) -> Step {
        if let Some(Called::Returned(value)) = self.apply_value(statement)? {
            return self.bind_statement(statement, &[value]);
        }
        let value = match self.understood_result(statement, payload)? {
            Some(value) => value,
            None => {
                if self.call_kind(statement) == Ok(CallKind::Computed) {
                    self.choose_callee(statement)?;
                }
                self.note_opaque(statement)?;
                self.constant(payload)
            }
        };
        self.bind_statement(statement, &[value])
    }

    /// What a call returned that is understood although its result is in the log; `None` for
    /// others.
    fn understood_result(
        &mut self,
        statement: &'run Statement,
        payload: &Payload,
    ) -> Result<Option<NodeId>, Misfit> {
        let Some((name, arguments)) = call_of_erlang(&statement.operation) else {
            return Ok(None);
        };
        let arguments = self.values(arguments);
        if let ("raise", [_, _, trace]) = (name, arguments.as_slice())
            && !self.graph().is_symbolic(*trace)
        {
            // It returns only if there is no such class.
            self.raised_by_call(statement)?;
            return Ok(Some(self.constant(payload)));
        }
        if name == "make_fun" && self.fun_by_name(statement, &arguments)? == Named::Function {
            return Ok(Some(self.constant(payload)));
        }
        if let Some(value) = self.mailbox_call(name, &arguments, payload) {
            return Ok(Some(value));
        }
        self.dictionary_call(statement, name, &arguments, payload)
    }
}

/// Module, name and arguments of a call by name; `None` for other operations.
pub(super) fn call_by_name(operation: &Operation) -> Option<Call<'_>> {
    match operation {
        Operation::Call {
            module,
            name,
            arguments,
        } => Some((module, name, arguments.as_slice())),
        _ => None,
    }
}

/// Name and arguments of a call of a function of `erlang`; `None` for other operations.
pub(super) fn call_of_erlang(operation: &Operation) -> Option<(&str, &[Value])> {
    let (module, name, arguments) = call_by_name(operation)?;
    is_atom(module, "erlang").then_some((atom_text(name)?, arguments))
}

fn atom_text(value: &Value) -> Option<&str> {
    value.as_literal()?.as_atom()
}
