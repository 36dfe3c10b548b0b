//! The run that the conditions come from.

use flattener::ast::deep;

use crate::graph::{Graph, Input, Node, NodeId, Operator, Place, computed};
use crate::integers::to_i128;
use crate::store::NodeMap;

/// The input of the run that the conditions come from. A guess changes as little of it as it can.
#[derive(Debug)]
pub(crate) struct Parent {
    /// Its arguments, as constants.
    arguments: Vec<NodeId>,
    /// The values in the places that were looked up.
    wanted: NodeMap<Option<NodeId>>,
    /// Whether assumed conditions hold where the values of the parent are kept.
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
                    Place::Value(key) => {
                        Place::Value(Input::new(&self.arguments).value(graph, key)?)
                    }
                    Place::Result(arguments) => {
                        Place::Result(Input::new(&self.arguments).value(graph, arguments)?)
                    }
                    Place::Head
                    | Place::Tail
                    | Place::Element(_)
                    | Place::Text
                    | Place::Key(_)
                    | Place::Default
                    | Place::Bytes
                    | Place::Unused
                    | Place::Byte(_) => place,
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
                computed(graph, part, &values)
            }
            Node::Integer(_) => Some(part),
            Node::Float(_)
            | Node::Atom(_)
            | Node::Nil
            | Node::Other(..)
            | Node::Cons(..)
            | Node::Tuple(_)
            | Node::Map(_)
            | Node::Put(..)
            | Node::Without(..)
            | Node::Rounded(..)
            | Node::Length(_)
            | Node::TupleSize(_)
            | Node::AtomOf(_)
            | Node::Bits(_)
            | Node::FloatOf(..)
            | Node::Truth(_)
            | Node::Choice(..)
            | Node::Closure(_)
            | Node::Table(_)
            | Node::Unknown(_) => None,
        }
    }

    pub(super) fn wanted_integer(&mut self, graph: &mut Graph, part: NodeId) -> Option<i128> {
        if let Node::Arithmetic(Operator::Modulo, left, right) = *graph.node(part) {
            // This node stands for the quotient.
            let (left, right) = (
                self.wanted_integer(graph, left)?,
                self.wanted_integer(graph, right)?,
            );
            return left.checked_div_euclid(right);
        }
        let wanted = self.wanted(graph, part)?;
        let Node::Integer(value) = graph.node(wanted) else {
            return None;
        };
        to_i128(value)
    }
}
