//! Values: variables, constants, and lists and tuples of these.

use flattener::ast::deep;
use flattener::flat::{FunctionRef, Value};
use solver::graph::{Elements, Graph, NodeId};

use super::environment::Environment;

/// The symbolic value of a value; `function` gives those of functions. Most values are variables or
/// constants, for which the depth of the stack does not matter.
#[inline]
pub(crate) fn evaluate<F>(
    graph: &mut Graph,
    environment: &mut Environment,
    value: &Value,
    function: &mut F,
) -> NodeId
where
    F: FnMut(&mut Graph, &Environment, &FunctionRef) -> NodeId,
{
    match value {
        Value::Variable(variable) => environment.get(graph, *variable),
        Value::Literal(term) => environment.literal(graph, term),
        Value::Function(reference) => function(graph, environment, reference),
        Value::Cons(parts) => deep(|| {
            let head = evaluate(graph, environment, &parts.0, function);
            let tail = evaluate(graph, environment, &parts.1, function);
            graph.cons(head, tail)
        }),
        Value::Tuple(elements) => deep(|| {
            let elements = elements.iter();
            let elements: Elements = elements
                .map(|element| evaluate(graph, environment, element, function))
                .collect();
            graph.tuple_of(elements)
        }),
    }
}

/// The symbolic value of a value in a guard or pattern, where functions cannot stand.
#[inline]
pub(crate) fn evaluate_without_funs(
    graph: &mut Graph,
    environment: &mut Environment,
    value: &Value,
) -> NodeId {
    let mut unknown = |graph: &mut Graph, _: &_, _: &_| graph.unknown();
    evaluate(graph, environment, value, &mut unknown)
}
