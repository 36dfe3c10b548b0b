//! The values of nodes and conditions for an input.

use flattener::ast::deep;

use super::arena::Graph;
use super::collections::Lookup;
use super::formula::Formula;
use super::ids::{Condition, NodeId};
use super::node::{Node, Place};
use super::recomputing::computed;
use super::term_order::compare;
use crate::kinds::Kinds;

/// An input, with the values that parts of it have.
#[derive(Debug, Default)]
pub struct Input {
    arguments: Vec<NodeId>,
    /// The values of nodes that were looked at, because they are looked at again and again.
    known: Lookup<NodeId, Option<NodeId>>,
}

impl Input {
    /// An input of these constants.
    pub fn new(arguments: &[NodeId]) -> Self {
        Self {
            arguments: arguments.to_vec(),
            known: Lookup::default(),
        }
    }

    /// The value of a node; `None` if it has none, or if it is not known.
    pub fn value(&mut self, graph: &mut Graph, node: NodeId) -> Option<NodeId> {
        if graph.is_ground(node) && !matches!(graph.node(node), Node::Closure(_)) {
            return Some(node);
        }
        if let Some(known) = self.known.get(&node) {
            return *known;
        }
        let value = deep(|| self.compute(graph, node));
        self.known.insert(node, value);
        value
    }

    fn compute(&mut self, graph: &mut Graph, node: NodeId) -> Option<NodeId> {
        match graph.node(node).clone() {
            Node::Input(number) => self.arguments.get(number as usize).copied(),
            Node::Part(place, of) => {
                let of = self.value(graph, of)?;
                let place = self.place(graph, place)?;
                graph.known_at(place, of)
            }
            Node::Cons(head, tail) => {
                let (head, tail) = (self.value(graph, head)?, self.value(graph, tail)?);
                Some(graph.cons(head, tail))
            }
            Node::Tuple(_)
            | Node::Map(_)
            | Node::Put(..)
            | Node::Without(..)
            | Node::Arithmetic(..)
            | Node::Rounded(..)
            | Node::Length(_)
            | Node::TupleSize(_)
            | Node::MapSize(_)
            | Node::Bits(_)
            | Node::FloatOf(..)
            | Node::AtomOf(_) => {
                let operands = graph.node(node).operands();
                let values = operands.into_iter().map(|it| self.value(graph, it));
                let values: Vec<NodeId> = values.collect::<Option<_>>()?;
                computed(graph, node, &values)
            }
            Node::Truth(condition) => {
                let holds = deep(|| self.holds(graph, condition))?;
                Some(if holds { NodeId::TRUE } else { NodeId::FALSE })
            }
            Node::Choice(condition, yes, no) => {
                let holds = deep(|| self.holds(graph, condition))?;
                self.value(graph, if holds { yes } else { no })
            }
            Node::Closure(_) | Node::Unknown(_) => None,
            Node::Integer(_)
            | Node::Float(_)
            | Node::Atom(_)
            | Node::Nil
            | Node::Table(_)
            | Node::Other(..) => Some(node),
        }
    }

    /// A place, with the value of the node in it.
    fn place(&mut self, graph: &mut Graph, place: Place) -> Option<Place> {
        match place {
            Place::Value(key) => Some(Place::Value(self.value(graph, key)?)),
            Place::Result(arguments) => Some(Place::Result(self.value(graph, arguments)?)),
            Place::Head
            | Place::Tail
            | Place::Element(_)
            | Place::Text
            | Place::Key(_)
            | Place::Default
            | Place::Bytes
            | Place::Unused
            | Place::Byte(_) => Some(place),
        }
    }

    /// The first of these conditions that holds; `None` if that is not known.
    pub fn first_that_holds(
        &mut self,
        graph: &mut Graph,
        conditions: &[Condition],
    ) -> Option<usize> {
        for (number, condition) in conditions.iter().enumerate() {
            if self.holds(graph, *condition)? {
                return Some(number);
            }
        }
        None
    }

    /// Whether a condition holds; `None` if it is about something that has no value, or if that is
    /// not known.
    pub fn holds(&mut self, graph: &mut Graph, condition: Condition) -> Option<bool> {
        let holds = match graph.formula(condition).clone() {
            Formula::True => true,
            Formula::All(parts) => {
                let mut all = true;
                for part in &*parts {
                    if !deep(|| self.holds(graph, *part))? {
                        all = false;
                        break;
                    }
                }
                all
            }
            Formula::Kind(kinds, node) => {
                let value = self.value(graph, node)?;
                graph.kinds(value).is_within(kinds)
            }
            Formula::Arity(arity, node) => {
                let value = self.value(graph, node)?;
                graph.arity(arity, value) == Condition::TRUE
            }
            Formula::FunArity(arity, node) => {
                let value = self.value(graph, node)?;
                graph.fun_arity(arity, value) == Condition::TRUE
            }
            Formula::ProperList(node) => {
                let value = self.value(graph, node)?;
                graph.kinds(graph.end_of_list(value)) == Kinds::NIL
            }
            Formula::Member(of, node) => {
                let value = self.value(graph, node)?;
                graph.member(of, value) == Condition::TRUE
            }
            Formula::Fields(fields, node) => {
                let value = self.value(graph, node)?;
                graph.has_fields(&fields, value) == Condition::TRUE
            }
            Formula::Utf8(from, node) => {
                let value = self.value(graph, node)?;
                graph.utf8(from, value) == Condition::TRUE
            }
            Formula::HasKey(key, map) => {
                let (key, map) = (self.value(graph, key)?, self.value(graph, map)?);
                graph.has_key(key, map) == Condition::TRUE
            }
            // Equal constants are one node.
            Formula::Equal(left, right) => self.value(graph, left)? == self.value(graph, right)?,
            Formula::Same(left, right) => {
                let (left, right) = (self.value(graph, left)?, self.value(graph, right)?);
                left == right || compare(graph, left, right)?.is_eq()
            }
            Formula::Less(left, right) => {
                let (left, right) = (self.value(graph, left)?, self.value(graph, right)?);
                compare(graph, left, right)?.is_lt()
            }
            Formula::Before(left, right) => {
                let (left, right) = (self.value(graph, left)?, self.value(graph, right)?);
                graph.before(left, right) == Condition::TRUE
            }
            Formula::TooLarge(operator, left, right) => {
                let (left, right) = (self.value(graph, left)?, self.value(graph, right)?);
                graph.too_large(operator, left, right) == Condition::TRUE
            }
        };
        Some(holds != condition.is_negated())
    }
}
