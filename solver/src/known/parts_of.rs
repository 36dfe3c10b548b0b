//! The parts of the input that conditions are about.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::rc::Rc;

use flattener::ast::deep;
use rustc_hash::FxHasher;

use crate::graph::{Condition, Formula, Graph, Node, NodeId, Set};

/// A cache of the parts of conditions.
#[derive(Debug, Default)]
pub(super) struct PartsOf(HashMap<Condition, Rc<[NodeId]>, BuildHasherDefault<FxHasher>>);

impl PartsOf {
    /// The parts of the input that a condition is about, each once.
    pub(crate) fn of(&mut self, graph: &Graph, condition: Condition) -> Rc<[NodeId]> {
        if let Some(parts) = self.0.get(&condition) {
            return Rc::clone(parts);
        }
        let mut found = FoundParts::default();
        found.condition(graph, condition);
        let mut parts = found.parts;
        parts.sort_unstable();
        let parts: Rc<[NodeId]> = parts.into();
        self.0.insert(condition, Rc::clone(&parts));
        parts
    }
}

/// Parts that were found, and all that was walked through: values and conditions share what they
/// consist of.
#[derive(Default)]
struct FoundParts {
    parts: Vec<NodeId>,
    nodes: Set<NodeId>,
    conditions: Set<Condition>,
}

impl FoundParts {
    fn condition(&mut self, graph: &Graph, condition: Condition) {
        if !self.conditions.insert(condition) {
            return;
        }
        match graph.formula(condition) {
            Formula::True => {}
            Formula::All(conditions) => {
                for condition in &**conditions {
                    deep(|| self.condition(graph, *condition));
                }
            }
            Formula::Kind(_, node)
            | Formula::Arity(_, node)
            | Formula::FunArity(_, node)
            | Formula::ProperList(node)
            | Formula::Member(_, node)
            | Formula::Fields(_, node)
            | Formula::Utf8(_, node) => self.node(graph, *node),
            Formula::HasKey(left, right)
            | Formula::Equal(left, right)
            | Formula::Same(left, right)
            | Formula::Less(left, right)
            | Formula::Before(left, right)
            | Formula::TooLarge(_, left, right) => {
                self.node(graph, *left);
                self.node(graph, *right);
            }
        }
    }

    fn node(&mut self, graph: &Graph, node: NodeId) {
        if !graph.is_symbolic(node) || !self.nodes.insert(node) {
            return;
        }
        let inner: Vec<NodeId> = match graph.node(node) {
            Node::Truth(condition) => {
                deep(|| self.condition(graph, *condition));
                Vec::new()
            }
            Node::Choice(condition, yes, no) => {
                deep(|| self.condition(graph, *condition));
                vec![*yes, *no]
            }
            Node::Input(_) | Node::Part(..) => {
                self.parts.push(node);
                Vec::new()
            }
            Node::Integer(_)
            | Node::Float(_)
            | Node::Atom(_)
            | Node::Nil
            | Node::Other(..)
            | Node::Cons(..)
            | Node::Tuple(_)
            | Node::Map(_)
            | Node::Put(..)
            | Node::Without(..)
            | Node::Arithmetic(..)
            | Node::Rounded(..)
            | Node::Length(_)
            | Node::TupleSize(_)
            | Node::MapSize(_)
            | Node::AtomOf(_)
            | Node::Bits(_)
            | Node::FloatOf(..)
            | Node::Closure(_)
            | Node::Table(_)
            | Node::Unknown(_) => graph.node(node).operands(),
        };
        for node in inner {
            deep(|| self.node(graph, node));
        }
    }
}
