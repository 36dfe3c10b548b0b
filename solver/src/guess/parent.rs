//! The run that the conditions come from.

use flattener::ast::deep;

use crate::graph::Operator;
use crate::graph::{Graph, Node, NodeId, Place};
use crate::known::to_i128;
use crate::store::NodeMap;

/// The input of the run that the conditions come from. A guess changes as little of it as it can.
#[derive(Debug)]
pub(crate) struct Parent {
    /// Its arguments, as constants.
    arguments: Vec<NodeId>,
    /// What they have in the places that were looked at.
    wanted: NodeMap<Option<NodeId>>,
    /// Whether what was assumed holds where its values are kept.
    pub(crate) keeps_conditions: bool,
    /// Whether integers that can keep their values are not solved for.
    pub(crate) keeps_integers: bool,
    /// How often that saved work.
    pub(crate) kept: u64,
}

impl Parent {
    pub(crate) fn new(arguments: Vec<NodeId>, keeps_values: bool) -> Self {
        Self {
            arguments,
            wanted: NodeMap::default(),
            keeps_conditions: keeps_values,
            keeps_integers: keeps_values,
            kept: 0,
        }
    }

    /// Its arguments, as constants.
    pub(crate) fn arguments(&self) -> &[NodeId] {
        &self.arguments
    }

    /// What the parent's input has in this place.
    pub(crate) fn wanted(&mut self, graph: &mut Graph, part: NodeId) -> Option<NodeId> {
        if let Some(known) = self.wanted.get(&part) {
            return *known;
        }
        let wanted = self.look_up_wanted(graph, part);
        self.wanted.insert(part, wanted);
        wanted
    }

    fn look_up_wanted(&mut self, graph: &mut Graph, part: NodeId) -> Option<NodeId> {
        match *graph.node(part) {
            Node::Input(number) => self.arguments.get(number as usize).copied(),
            Node::Part(place, of) => {
                let whole = deep(|| self.wanted(graph, of))?;
                let place = match place {
                    Place::Value(key) => Place::Value(graph.evaluate(key, &self.arguments)?),
                    Place::Result(arguments) => {
                        Place::Result(graph.evaluate(arguments, &self.arguments)?)
                    }
                    _ => place,
                };
                graph.known_at(place, whole)
            }
            Node::MapSize(of) => {
                let map = deep(|| self.wanted(graph, of))?;
                matches!(graph.node(map), Node::Map(_)).then(|| graph.map_size(map))
            }
            Node::Arithmetic(_, left, right) => {
                let values = [
                    deep(|| self.wanted(graph, left))?,
                    deep(|| self.wanted(graph, right))?,
                ];
                graph.computed(part, &values)
            }
            Node::Integer(_) => Some(part),
            _ => None,
        }
    }

    pub(super) fn wanted_integer(&mut self, graph: &mut Graph, part: NodeId) -> Option<i128> {
        if let Node::Arithmetic(Operator::Modulo, left, right) = *graph.node(part) {
            // It stands for the quotient.
            let (left, right) = (
                self.wanted_integer(graph, left)?,
                self.wanted_integer(graph, right)?,
            );
            return left.checked_div_euclid(right);
        }
        let wanted = self.wanted(graph, part)?;
        match graph.node(wanted) {
            Node::Integer(value) => to_i128(value),
            _ => None,
        }
    }
}
