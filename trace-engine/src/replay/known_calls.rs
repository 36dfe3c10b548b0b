//! The functions that calls call in the run, by their names.

use erlang_term::{Atom, Term};
use flattener::flat::{Operation, Statement};
use solver::graph::{Node, NodeId, to_term};
use trace_format::without_native;

use super::arguments_of_calls::call_arguments;
use super::operations::{call_by_name, is_apply};
use super::replayed::Misfit;
use super::run_state::{Nodes, RunState};
use super::stack::Stack;

/// A call of a function by its name, as it was in the run.
#[derive(Clone, Debug)]
pub(super) struct KnownCall {
    pub(super) module: Atom,
    pub(super) name: Atom,
    pub(super) arguments: Nodes,
}

impl KnownCall {
    /// The function for users.
    pub(super) fn text(&self) -> String {
        let (module, name) = (
            Term::Atom(without_native(&self.module)),
            Term::Atom(self.name.clone()),
        );
        format!("{module}:{name}/{}", self.arguments.len())
    }
}

/// What a statement called; `None` if that is not a function with a name.
pub(super) fn known_call<'run>(
    run: &mut RunState<'run>,
    stack: &mut Stack<'run>,
    statement: &'run Statement,
) -> Result<Option<KnownCall>, Misfit> {
    if !matches!(
        statement.operation,
        Operation::Apply { .. } | Operation::Call { .. }
    ) {
        return Ok(None);
    }
    let (operator, arguments) = call_arguments(run, stack, statement)?;
    let function = match operator {
        Some(operator) => named_by_fun(run, operator),
        None => named(run, stack, &statement.operation),
    };
    Ok(function.map(|(module, name)| KnownCall {
        module,
        name,
        arguments,
    }))
}

/// The function that a fun such as `fun erlang:send/2` names.
fn named_by_fun(run: &mut RunState<'_>, fun: NodeId) -> Option<(Atom, Atom)> {
    let graph = &mut run.replayed.graph;
    let value = run.input.value(graph, fun)?;
    let Term::ExternalFun(fun) = to_term(graph, value)? else {
        return None;
    };
    Some((fun.module, fun.name))
}

fn named<'run>(
    run: &mut RunState<'run>,
    stack: &mut Stack<'run>,
    operation: &'run Operation,
) -> Option<(Atom, Atom)> {
    let (module, name, arguments) = call_by_name(operation)?;
    let (module, name) = if is_apply(module, name) {
        let [module, name, _] = arguments else {
            return None;
        };
        (module, name)
    } else {
        (module, name)
    };
    let mut atom = |value| {
        let value = stack.value(run, value);
        let graph = &mut run.replayed.graph;
        let value = run.input.value(graph, value)?;
        if let Node::Atom(atom) = graph.node(value) {
            return Some(atom.clone());
        }
        None
    };
    Some((atom(module)?, atom(name)?))
}
