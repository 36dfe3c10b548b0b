//! The values of variables.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use erlang_term::{Integer, Term};
use flattener::ast::deep;
use flattener::flat::{FunctionRef, Value, VarId};
use rustc_hash::FxHasher;

use solver::graph::{Elements, Graph, NodeId};

/// The values of the variables of all functions that are running, by their numbers. Those of the
/// function that was entered last can be seen. They are all in one place: a run enters a function
/// with every few events.
#[derive(Debug, Default)]
pub(crate) struct Environment {
    values: Vec<Option<NodeId>>,
    /// Where the variables of the function begin that is running.
    start: usize,
    /// The same for those that it was called by.
    callers: Vec<usize>,
    /// The constants in the text of the program that were needed, by their addresses there.
    literals: HashMap<*const Term, NodeId, BuildHasherDefault<FxHasher>>,
}

impl Environment {
    /// Enters a function with so many variables.
    pub(crate) fn enter(&mut self, count: usize) {
        self.callers.push(self.start);
        self.start = self.values.len();
        self.values.resize(self.start + count, None);
    }

    /// Enters a function that knows the variables of the one that is running.
    pub(crate) fn enter_within(&mut self) {
        let around = self.start..self.values.len();
        self.callers.push(self.start);
        self.start = around.end;
        self.values.extend_from_within(around);
    }

    /// Leaves functions until so many are running.
    pub(crate) fn leave(&mut self, running: usize) {
        while self.callers.len() > running
            && let Some(start) = self.callers.pop()
        {
            self.values.truncate(self.start);
            self.start = start;
        }
    }

    pub(crate) fn bind(&mut self, variable: VarId, value: NodeId) {
        if let Some(slot) = self.values.get_mut(self.start + variable.index()) {
            *slot = Some(value);
        }
    }

    pub(crate) fn bind_all(&mut self, variables: &[VarId], values: &[NodeId]) {
        for (variable, value) in variables.iter().zip(values) {
            self.bind(*variable, *value);
        }
    }

    /// A constant in the text of the program.
    pub(crate) fn literal(&mut self, graph: &mut Graph, term: &Term) -> NodeId {
        if let Term::Integer(Integer::Small(value)) = term {
            return graph.integer(*value);
        }
        let known = self.literals.entry(std::ptr::from_ref(term));
        *known.or_insert_with(|| graph.constant(term))
    }

    /// The value of a variable; unknown if the log did not tell how it was bound.
    pub(crate) fn get(&self, graph: &mut Graph, variable: VarId) -> NodeId {
        let bound = self.values.get(self.start + variable.index());
        bound.copied().flatten().unwrap_or_else(|| graph.unknown())
    }
}

/// The symbolic value of a value; funs are looked up by `function`. What most values are needs no
/// look at the depth of the stack.
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
