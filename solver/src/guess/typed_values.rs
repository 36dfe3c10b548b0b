//! Simple values of the types that parts must have.

use flattener::ast::deep;

use super::Guess;
use crate::graph::{Condition, Formula, Kinds, Node, NodeId};
use crate::types::TypeId;

impl Guess<'_, '_> {
    /// The simplest value of the type that a part must have, if nothing else is known about it.
    pub(super) fn simplest_member(&mut self, part: NodeId) -> Option<NodeId> {
        let known = self.known.store.part(part);
        if !known.parts.is_empty() || self.integers.contains_key(&part) {
            return None;
        }
        let kept = self.kept.get(&part)?;
        let of = kept.iter().find_map(|condition| self.type_in(*condition))?;
        let term = self.known.graph.types().simplest(of)?.clone();
        let value = self.known.graph.constant(&term);
        let conditions = self.kept.get(&part).cloned().unwrap_or_default();
        if let Some(order) = self.in_order(part, &conditions)
            && !self.is_in_order(&order, value)
        {
            return None;
        }
        // It may have to differ from parts whose values are guessed already.
        if !self.fits(part, value, &conditions) {
            return None;
        }
        let mark = self.known.store.mark();
        let fits = self.asserting().bind(part, value).is_ok();
        self.known.store.undo(mark);
        if !fits {
            return None;
        }
        self.guess_inner(part, value);
        Some(value)
    }

    /// Gives the parts of a part that was guessed as a whole their values.
    fn guess_inner(&mut self, part: NodeId, value: NodeId) {
        let graph = &mut *self.known.graph;
        let inner: Vec<(NodeId, NodeId)> = if let Node::Cons(head, tail) = *graph.node(value) {
            vec![(graph.head(part), head), (graph.tail(part), tail)]
        } else if let Node::Tuple(elements) = graph.node(value).clone() {
            let elements = (0..).zip(&elements);
            elements
                .map(|(index, element)| (graph.element(index, part), *element))
                .collect()
        } else {
            return;
        };
        for (part, value) in inner {
            let part = self.known.resolve(part);
            self.values.insert(part, value);
            deep(|| self.guess_inner(part, value));
        }
    }

    /// Constants of one kind that are simple values of the type in a condition.
    pub(super) fn simplest_forms(&mut self, condition: Condition, kind: Kinds) -> Vec<NodeId> {
        let Some(of) = self.type_in(condition) else {
            return Vec::new();
        };
        let terms = self.known.graph.types().simplest_of_kinds(of, kind);
        terms
            .iter()
            .map(|it| self.known.graph.constant(it))
            .collect()
    }

    fn type_in(&self, condition: Condition) -> Option<TypeId> {
        let Formula::Member(of, _) = *self.known.graph.formula(condition) else {
            return None;
        };
        (!condition.is_negated()).then_some(of)
    }
}
