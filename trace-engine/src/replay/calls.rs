//! Calls and returns.

use flattener::flat::{Operation, SiteId, Value};
use trace_format::{CallKind, Callable, Callee, Event, Payload};

use super::callee::Named;
use super::input_funs::Called;
use super::opaque::{is_apply, is_atom};
use super::{Frame, Mark, Misfit, Nodes, Replay, Step};
use crate::builtins::{self, Applied};
use crate::graph::{Condition, Node, NodeId};
use crate::models::{self, Stop, Walk};

/// Module, name and arguments.
type Call<'run> = (&'run Value, &'run Value, &'run [Value]);

/// What something that is called knows beside its arguments.
#[derive(Clone, Copy)]
pub(super) enum Around {
    Nothing,
    /// The variables of what is running.
    Running,
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

impl<'run> Replay<'run> {
    /// A followed function is called.
    pub(super) fn call(&mut self, site: SiteId) -> Step {
        match self.call_kind(site)? {
            CallKind::Followed(Callee::Function(module, index)) => {
                let arguments = self.known_arguments(site)?;
                let callable = Callable::Function(index);
                self.enter(module, callable, Around::Nothing, &arguments, Some(site))
            }
            CallKind::Followed(Callee::Local(id)) => {
                let arguments = self.known_arguments(site)?;
                let Frame {
                    module,
                    code,
                    function,
                    ..
                } = *self.frame()?;
                let letrec = code.plan.letrec(function, id);
                let callable = Callable::Local(letrec, id);
                self.enter(module, callable, Around::Running, &arguments, Some(site))
            }
            CallKind::Computed => {
                let (operator, arguments) = self.call_arguments(site)?;
                let arguments = match self.apply_value(site)? {
                    Some(Called::Known(arguments)) => arguments,
                    _ => {
                        self.choose_callee(site)?;
                        arguments
                    }
                };
                self.pending = Some((site, operator, arguments));
                Ok(())
            }
            _ => Err(self.misfit("no followed function is called there")),
        }
    }

    /// The arguments of a call whose callee is known before the run.
    fn known_arguments(&mut self, site: SiteId) -> Result<Nodes, Misfit> {
        match &self.statement(site)?.operation {
            Operation::Apply { arguments, .. } => self.values(arguments),
            _ => Ok(self.call_arguments(site)?.1),
        }
    }

    /// What is called, if it is a value, and the arguments.
    pub(super) fn call_arguments(
        &mut self,
        site: SiteId,
    ) -> Result<(Option<NodeId>, Nodes), Misfit> {
        match &self.statement(site)?.operation {
            Operation::Apply {
                operator,
                arguments,
            } => {
                let operator = self.value(operator)?;
                Ok((Some(operator), self.values(arguments)?))
            }
            Operation::Call {
                module,
                name,
                arguments,
            } => {
                let arguments = self.values(arguments)?;
                if is_apply(module, name) {
                    return Ok(self.applied(&arguments));
                }
                Ok((None, arguments))
            }
            Operation::Primop { arguments, .. } => Ok((None, self.values(arguments)?)),
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
    pub(super) fn enter(
        &mut self,
        module: usize,
        callable: Callable,
        around: Around,
        arguments: &[NodeId],
        call_site: Option<SiteId>,
    ) -> Step {
        let code = self.module(module)?;
        let found = code.callable(callable);
        let (index, fun) = found.ok_or_else(|| self.misfit("there is no such function"))?;
        let function = code.function(index);
        let function = function.ok_or_else(|| self.misfit("there is no such function"))?;
        match around {
            Around::Running => self.environment.enter_within(),
            Around::Nothing | Around::Closure(_) => {
                self.environment.enter(function.variables.len());
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
        if matches!(callable, Callable::Function(_)) {
            self.replayed.functions.insert((module, index));
        }
        let places = &mut self.replayed.places;
        places.note(module, Mark::Block(index, fun.body));
        self.frames.push(Frame {
            module,
            code,
            function: index,
            function_code: function,
            callable,
            body: fun.body,
            call_site,
            through: Vec::new(),
        });
        Ok(())
    }

    /// A function announces itself: one that only the run could tell, or one that code which is
    /// not followed calls.
    pub(super) fn entered(&mut self, event: &Event, payload: Option<&Payload>) -> Step {
        let (module, callable) = (event.module, event.callable);
        let code = self.module(module)?;
        let found = code.callable(callable);
        let (_, fun) = found.ok_or_else(|| self.misfit("there is no such function"))?;
        let arity = fun.parameters.len();
        let (call_site, operator, mut arguments) = match (self.pending.take(), payload) {
            (Some((site, operator, arguments)), None) => (Some(site), operator, arguments),
            (_, Some(payload)) => (None, None, self.outside_arguments(payload)),
            (None, None) => (None, None, Nodes::new()),
        };
        while arguments.len() < arity {
            let unknown = self.graph().unknown();
            arguments.push(unknown);
        }
        let around = self.surroundings(module, callable, operator);
        self.enter(module, callable, around, &arguments, call_site)
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
        let values = self.block_values(self.frame()?.body)?;
        let call_site = self.frames.pop().and_then(|frame| frame.call_site);
        self.environment.leave(self.frames.len());
        match call_site {
            Some(site) => {
                let statement = self.statement(site)?;
                self.bind_statement(statement, &values)
            }
            None => {
                if self.frames.is_empty() {
                    self.replayed.result = values.first().copied();
                }
                Ok(())
            }
        }
    }

    /// A built-in returned.
    pub(super) fn built_in(&mut self, site: SiteId) -> Step {
        let value = match self.apply_built_in(site)? {
            BuiltIn::Applied(Applied { returns, value }) => {
                // Most often that is no question, and this is done for every built-in of a run.
                if returns != Condition::TRUE {
                    self.decide(site, &[returns, Condition::TRUE], 0)?;
                }
                value
            }
            BuiltIn::Walked(Ok(value)) => value,
            BuiltIn::Walked(Err(Stop::Taken(value) | Stop::Perhaps(value))) => {
                self.note_opaque(site)?;
                value
            }
            BuiltIn::Walked(Err(Stop::Raises | Stop::Error(_) | Stop::Unknown)) => {
                // For other arguments it may raise.
                if matches!(self.call_kind(site), Ok(CallKind::Builtin)) {
                    self.note_opaque(site)?;
                }
                self.graph().unknown()
            }
        };
        let statement = self.statement(site)?;
        self.bind_statement(statement, &[value])
    }

    /// What a built-in does. Of one that walks through its arguments, what was decided on its way
    /// is noted.
    pub(super) fn apply_built_in(&mut self, site: SiteId) -> Result<BuiltIn, Misfit> {
        let Some((module, name, arguments)) = self.call_by_name(site)? else {
            return Ok(BuiltIn::Walked(self.primitive(site)?));
        };
        let arguments = self.values(arguments)?;
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
        self.decide_all(site, decisions)?;
        Ok(BuiltIn::Walked(walked))
    }

    /// Module, name and arguments of a call by name; `None` for other operations.
    pub(super) fn call_by_name(&self, site: SiteId) -> Result<Option<Call<'run>>, Misfit> {
        Ok(match &self.statement(site)?.operation {
            Operation::Call {
                module,
                name,
                arguments,
            } => Some((module, name, arguments.as_slice())),
            _ => None,
        })
    }

    /// Name and arguments of a call of a function of `erlang`; `None` for other operations.
    pub(super) fn call_of_erlang(
        &self,
        site: SiteId,
    ) -> Result<Option<(&'run str, &'run [Value])>, Misfit> {
        let call = self.call_by_name(site)?;
        let call = call.filter(|(module, ..)| is_atom(module, "erlang"));
        Ok(call.and_then(|(_, name, arguments)| Some((atom_text(name)?, arguments))))
    }

    /// A call that is not followed returned a value of the run.
    pub(super) fn result(&mut self, site: SiteId, payload: &Payload) -> Step {
        let statement = self.statement(site)?;
        if let Some(Called::Returned(value)) = self.apply_value(site)? {
            return self.bind_statement(statement, &[value]);
        }
        let value = match self.understood_result(site, payload)? {
            Some(value) => value,
            None => {
                if self.call_kind(site) == Ok(CallKind::Computed) {
                    self.choose_callee(site)?;
                }
                self.note_opaque(site)?;
                self.constant(payload)
            }
        };
        self.bind_statement(statement, &[value])
    }

    /// What a call returned that is understood although its result is in the log; `None` for
    /// others.
    fn understood_result(
        &mut self,
        site: SiteId,
        payload: &Payload,
    ) -> Result<Option<NodeId>, Misfit> {
        let Some((name, arguments)) = self.call_of_erlang(site)? else {
            return Ok(None);
        };
        let arguments = self.values(arguments)?;
        if let ("raise", [_, _, trace]) = (name, arguments.as_slice())
            && !self.graph().is_symbolic(*trace)
        {
            // It returns only if there is no such class.
            self.raised_by_call(site)?;
            return Ok(Some(self.constant(payload)));
        }
        if name == "make_fun" && self.fun_by_name(site, &arguments)? == Named::Function {
            return Ok(Some(self.constant(payload)));
        }
        if let Some(value) = self.mailbox_call(name, &arguments, payload) {
            return Ok(Some(value));
        }
        self.dictionary_call(site, name, &arguments, payload)
    }
}

fn atom_text(value: &Value) -> Option<&str> {
    value.as_literal()?.as_atom()
}
