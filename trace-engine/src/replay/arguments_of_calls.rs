//! The arguments of calls whose callee only the run can tell.

use flattener::flat::{Operation, Statement};
use solver::graph::{Graph, Node, NodeId};

use super::operations::is_apply;
use super::replayed::Misfit;
use super::run_state::{Nodes, RunState};
use super::stack::Stack;

/// The value that is called, if it is a value, and the arguments.
pub(super) fn call_arguments<'run>(
    run: &mut RunState<'run>,
    stack: &mut Stack<'run>,
    statement: &'run Statement,
) -> Result<(Option<NodeId>, Nodes), Misfit> {
    if let Operation::Apply {
        operator,
        arguments,
    } = &statement.operation
    {
        let operator = stack.value(run, operator);
        return Ok((Some(operator), stack.values(run, arguments)));
    }
    if let Operation::Primop { arguments, .. } = &statement.operation {
        return Ok((None, stack.values(run, arguments)));
    }
    let Operation::Call {
        module,
        name,
        arguments,
    } = &statement.operation
    else {
        return Err(Misfit("there is no call"));
    };
    let arguments = stack.values(run, arguments);
    if is_apply(module, name) {
        return Ok(applied(run.graph(), &arguments));
    }
    Ok((None, arguments))
}

/// The arguments of `erlang:apply/2,3`, which are in a list.
pub(super) fn applied(graph: &Graph, arguments: &[NodeId]) -> (Option<NodeId>, Nodes) {
    let (operator, list) = match *arguments {
        [operator, list] => (Some(operator), list),
        [_, _, list] => (None, list),
        _ => return (None, Nodes::new()),
    };
    (operator, elements_of_list(graph, list))
}

/// The elements in the known cells of a list.
pub(super) fn elements_of_list(graph: &Graph, list: NodeId) -> Nodes {
    let (mut elements, mut rest) = (Nodes::new(), list);
    while let Node::Cons(head, tail) = *graph.node(rest) {
        elements.push(head);
        rest = tail;
    }
    elements
}

/// The tail after the last known cell of a list.
pub(super) fn end_of_list(graph: &Graph, list: NodeId) -> NodeId {
    let mut rest = list;
    while let Node::Cons(_, tail) = graph.node(rest) {
        rest = *tail;
    }
    rest
}
