//! The values of a function's variables.

use flattener::ast::deep;
use flattener::flat::{FunctionRef, Value, VarId};

use crate::graph::{Graph, NodeId};

/// The values of variables by their numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Environment(Vec<Option<NodeId>>);

impl Environment {
    pub(crate) fn with_room_for(count: usize) -> Self {
        Self(vec![None; count])
    }

    pub(crate) fn bind(&mut self, variable: VarId, value: NodeId) {
        if let Some(slot) = self.0.get_mut(variable.index()) {
            *slot = Some(value);
        }
    }

    pub(crate) fn bind_all(&mut self, variables: &[VarId], values: &[NodeId]) {
        for (variable, value) in variables.iter().zip(values) {
            self.bind(*variable, *value);
        }
    }

    /// The value of a variable; unknown if the log did not tell how it was bound.
    pub(crate) fn get(&self, graph: &mut Graph, variable: VarId) -> NodeId {
        let bound = self.0.get(variable.index()).copied().flatten();
        bound.unwrap_or_else(|| graph.unknown())
    }
}

/// The symbolic value of a value; funs are looked up by `function`.
pub(crate) fn evaluate(
    graph: &mut Graph,
    environment: &Environment,
    value: &Value,
    function: &mut impl FnMut(&mut Graph, &Environment, &FunctionRef) -> NodeId,
) -> NodeId {
    match value {
        Value::Variable(variable) => environment.get(graph, *variable),
        Value::Literal(term) => graph.constant(term),
        Value::Function(reference) => function(graph, environment, reference),
        Value::Cons(parts) => {
            let head = deep(|| evaluate(graph, environment, &parts.0, function));
            let tail = deep(|| evaluate(graph, environment, &parts.1, function));
            graph.cons(head, tail)
        }
        Value::Tuple(elements) => {
            let elements = elements.iter();
            let elements: Vec<NodeId> = elements
                .map(|element| deep(|| evaluate(graph, environment, element, function)))
                .collect();
            graph.tuple(elements)
        }
    }
}
