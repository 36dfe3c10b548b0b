//! The parts of the input that conditions are about.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::rc::Rc;

use flattener::ast::deep;
use rustc_hash::FxHasher;

use crate::graph::{Condition, Formula, Graph, Node, NodeId};

/// A cache of the parts of conditions.
#[derive(Debug, Default)]
pub(super) struct PartsOf(HashMap<Condition, Rc<[NodeId]>, BuildHasherDefault<FxHasher>>);

impl PartsOf {
    /// The parts of the input that a condition is about, each once.
    pub(crate) fn of(&mut self, graph: &Graph, condition: Condition) -> Rc<[NodeId]> {
        if let Some(parts) = self.0.get(&condition) {
            return Rc::clone(parts);
        }
        let mut parts = Vec::new();
        condition_parts(graph, condition, &mut parts);
        parts.sort_unstable();
        parts.dedup();
        let parts: Rc<[NodeId]> = parts.into();
        self.0.insert(condition, Rc::clone(&parts));
        parts
    }
}

fn condition_parts(graph: &Graph, condition: Condition, parts: &mut Vec<NodeId>) {
    match graph.formula(condition) {
        Formula::True => {}
        Formula::All(conditions) => {
            for condition in &**conditions {
                deep(|| condition_parts(graph, *condition, parts));
            }
        }
        Formula::Kind(_, node)
        | Formula::Arity(_, node)
        | Formula::FunArity(_, node)
        | Formula::ProperList(node)
        | Formula::Member(_, node)
        | Formula::Fields(_, node)
        | Formula::Utf8(_, node) => node_parts(graph, *node, parts),
        Formula::HasKey(left, right)
        | Formula::Equal(left, right)
        | Formula::Same(left, right)
        | Formula::Less(left, right)
        | Formula::Before(left, right)
        | Formula::TooLarge(_, left, right) => {
            node_parts(graph, *left, parts);
            node_parts(graph, *right, parts);
        }
    }
}

fn node_parts(graph: &Graph, node: NodeId, parts: &mut Vec<NodeId>) {
    if !graph.is_symbolic(node) {
        return;
    }
    let inner: Vec<NodeId> = match graph.node(node) {
        Node::Truth(condition) => {
            deep(|| condition_parts(graph, *condition, parts));
            Vec::new()
        }
        Node::Choice(condition, yes, no) => {
            deep(|| condition_parts(graph, *condition, parts));
            vec![*yes, *no]
        }
        Node::Input(_) | Node::Part(..) => {
            parts.push(node);
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
        deep(|| node_parts(graph, node, parts));
    }
}
