//! Whether the process of a machine can get messages that are no events of its sequence: of itself,
//! of its timers, or of other processes. A play without them is simpler.

use std::collections::HashSet;

use erlang_term::{Atom, Term};
use flattener::flat::visit::{Visitor, walk_operation};
use flattener::flat::{Function, FunctionId, Module, Operation, references};
use models::{StepKind, is_followed, is_reached_by_names, step};
use reports::Behaviour;
use trace_engine::is_harmless;

/// Whether the callbacks of a module, or what they call, may send messages or start processes. What
/// is not known may do so.
pub(crate) fn may_get_messages(module: &Module, behaviour: Behaviour, own: &[Module]) -> bool {
    let callbacks = behaviour.callbacks(module);
    reaches(module, callbacks, own, may_send)
}

/// Whether functions of a module, or what they call, call functions of others for which something
/// holds, or something whose name their text does not show. They receive no messages either.
pub(crate) fn reaches<'functions>(
    module: &Module,
    functions: impl Iterator<Item = &'functions FunctionId>,
    own: &[Module],
    holds: impl Fn(&str, &FunctionId) -> bool,
) -> bool {
    let mut waiting: Vec<(Atom, FunctionId)> = functions
        .map(|it| (module.name.clone(), it.clone()))
        .collect();
    let mut seen = HashSet::new();
    while let Some(reference) = waiting.pop() {
        if !seen.insert(reference.clone()) {
            continue;
        }
        let (name, id) = &reference;
        match own.iter().find(|it| it.name == *name) {
            Some(module) => {
                let mut functions = module.functions.iter();
                let Some(function) = functions.find(|it| it.id == *id) else {
                    continue;
                };
                if has_open_calls(function) {
                    return true;
                }
                waiting.extend(references(name, function));
            }
            None if holds(name.as_str(), id) => return true,
            None => {}
        }
    }
    false
}

/// Whether a module has the atom that asks for a timer at an absolute time.
pub(crate) fn names_absolute_times(module: &Module) -> bool {
    let mut functions = module.functions.iter();
    functions.any(|function| {
        let mut names = AbsoluteTimes {
            function,
            found: false,
        };
        names.visit_fun(&function.fun);
        names.found
    })
}

struct AbsoluteTimes<'flat> {
    function: &'flat Function,
    found: bool,
}

impl<'flat> Visitor<'flat> for AbsoluteTimes<'flat> {
    fn function(&self) -> &'flat Function {
        self.function
    }

    fn visit_literal(&mut self, literal: &'flat Term) {
        self.found |= literal.subterms().any(|it| it.as_atom() == Some("abs"));
    }
}

/// Whether a function of OTP or of others may send messages.
fn may_send(module: &str, id: &FunctionId) -> bool {
    let (name, arity) = (id.name.as_str(), id.arity);
    if let Some(step) = step(module, name, arity) {
        return match step.kind {
            StepKind::Plain | StepKind::Clock | StepKind::TimerLeft => false,
            StepKind::Send
            | StepKind::Spawn
            | StepKind::Ask
            | StepKind::Signal
            | StepKind::Sleep
            | StepKind::Timer => true,
        };
    }
    if (module, name, arity) == ("erlang", "exit", 1) || models::find(module, name, arity).is_some()
    {
        return false;
    }
    let is_pure = is_followed(module) && !is_reached_by_names(module) && module != "timer";
    let is_pure = is_pure && module != "erlang" && !module.starts_with("Elixir.");
    !is_pure && !is_harmless(module, name)
}

/// Whether a function receives messages itself, or calls functions whose names its text does not show.
fn has_open_calls(function: &Function) -> bool {
    let mut calls = OpenCalls {
        function,
        found: false,
    };
    calls.visit_fun(&function.fun);
    calls.found
}

struct OpenCalls<'flat> {
    function: &'flat Function,
    found: bool,
}

impl<'flat> Visitor<'flat> for OpenCalls<'flat> {
    fn function(&self) -> &'flat Function {
        self.function
    }

    fn visit_operation(&mut self, operation: &'flat Operation) {
        self.found |= match operation {
            Operation::Receive { .. } => true,
            Operation::Call { .. } => operation.remote_callee().is_none_or(|(module, id)| {
                module.as_str() == "erlang" && id.name.as_str() == "apply" && id.arity == 3
            }),
            Operation::Primop { .. }
            | Operation::Values(_)
            | Operation::Apply { .. }
            | Operation::Map { .. }
            | Operation::Binary(_)
            | Operation::Fun(_)
            | Operation::Letrec { .. }
            | Operation::Case { .. }
            | Operation::Try { .. }
            | Operation::Catch(_) => false,
        };
        walk_operation(self, operation);
    }
}
