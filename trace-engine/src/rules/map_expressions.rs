//! Maps that are built or changed.

use flattener::ast::MapOperator;
use solver::graph::{Condition, Graph, Kinds, NodeId};

/// A map expression: its value, and on which conditions it has one.
#[derive(Debug)]
pub(crate) struct MapExpression {
    /// Conditions in the order in which they are checked, each with the reason of the error that
    /// is raised unless it holds.
    pub(crate) needs: Vec<(Condition, NodeId)>,
    pub(crate) value: NodeId,
}

impl MapExpression {
    /// A map that is changed, or a new one.
    pub(crate) fn new(graph: &mut Graph, base: Option<NodeId>) -> Self {
        match base {
            Some(base) => Self {
                needs: vec![needs_map(graph, base)],
                value: base,
            },
            None => Self {
                needs: Vec::new(),
                value: graph.map([]),
            },
        }
    }

    /// Adds a pair.
    pub(crate) fn put(
        &mut self,
        graph: &mut Graph,
        operator: MapOperator,
        (key, value): (NodeId, NodeId),
    ) {
        if operator == MapOperator::Exact {
            self.needs.push(needs_key(graph, key, self.value));
        }
        self.value = graph.put(self.value, key, value);
    }
}

fn needs_map(graph: &mut Graph, value: NodeId) -> (Condition, NodeId) {
    let reason = graph.atom("badmap");
    let reason = graph.tuple([reason, value]);
    (graph.kind(Kinds::MAP, value), reason)
}

fn needs_key(graph: &mut Graph, key: NodeId, map: NodeId) -> (Condition, NodeId) {
    let reason = graph.atom("badkey");
    let reason = graph.tuple([reason, key]);
    (graph.has_key(key, map), reason)
}
