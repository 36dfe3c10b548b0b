//! The cases of a part of the input: its kinds and sizes.

use super::Split;
use crate::graph::{Condition, Formula, Kinds, Node, NodeId};
use crate::guess::integer_values;

/// How many sizes of a tuple are tried where only its size matters.
const TUPLE_SIZES: u32 = 16;
/// Larger tuples are not made.
const LARGEST_TUPLE: u32 = 10_000;

impl Split<'_, '_> {
    /// The cases of a node; `None` if there is nothing to split.
    pub(super) fn split_node(&mut self, node: NodeId) -> Option<Vec<Condition>> {
        if let Node::Truth(condition) | Node::Choice(condition, ..) = *self.known.graph.node(node) {
            return Some(vec![condition, !condition]);
        }
        if let Node::TupleSize(of) = *self.known.graph.node(node) {
            let of = self.known.resolve(of);
            let is_part = self.known.graph.is_part(of);
            return is_part.then(|| self.split_arity(of)).flatten();
        }
        let is_part = self.known.graph.is_part(node);
        is_part.then(|| self.split_part(node)).flatten()
    }

    fn split_part(&mut self, node: NodeId) -> Option<Vec<Condition>> {
        let kinds = self.known.store.part(node).kinds;
        if kinds == Kinds::TUPLE {
            return self.split_arity(node);
        }
        if kinds.is_single() && kinds.is_within(Kinds::BITS) {
            return self.split_size(node);
        }
        if kinds.is_single() {
            return None;
        }
        // What the parent's input has there comes first.
        let wanted = self.wanted(node);
        let wanted = wanted.map_or(Kinds::NONE, |it| self.known.graph.kinds(it));
        let mut each: Vec<Kinds> = kinds.each().collect();
        each.sort_by_key(|kind| *kind != wanted);
        let each = each.into_iter();
        Some(each.map(|kind| self.known.graph.kind(kind, node)).collect())
    }

    /// The sizes of a tuple; larger ones are not tried.
    fn split_arity(&mut self, tuple: NodeId) -> Option<Vec<Condition>> {
        if self.known.store.part(tuple).arity.is_some() {
            return None;
        }
        self.known.give_up();
        let mut sizes: Vec<u32> = (0..TUPLE_SIZES).collect();
        sizes.extend(self.compared_sizes(tuple));
        sizes.sort_unstable();
        sizes.dedup();
        let sizes = sizes.into_iter();
        Some(
            sizes
                .map(|size| self.known.graph.arity(size, tuple))
                .collect(),
        )
    }

    /// Sizes near the constants with which kept conditions compare the size of a tuple.
    fn compared_sizes(&mut self, tuple: NodeId) -> Vec<u32> {
        let mut sizes = Vec::new();
        for index in 0..self.known.store.kept.len() {
            let kept = self.known.store.kept.get(index).copied();
            let Some(Formula::Equal(left, right) | Formula::Less(left, right)) =
                kept.map(|it| self.known.graph.formula(it).clone())
            else {
                continue;
            };
            for (size, constant) in [(left, right), (right, left)] {
                let Node::TupleSize(of) = *self.known.graph.node(size) else {
                    continue;
                };
                if self.known.resolve(of) == tuple
                    && let Node::Integer(value) = self.known.graph.node(constant)
                    && let Some(value) = value.to_i64().and_then(|it| u32::try_from(it).ok())
                    && value <= LARGEST_TUPLE
                {
                    sizes.extend([value.saturating_sub(1), value, value + 1]);
                }
            }
        }
        sizes
    }

    /// The cases of a bit string: it has the guessed size, or another one.
    fn split_size(&mut self, part: NodeId) -> Option<Vec<Condition>> {
        if self.known.known_width(part).is_some() {
            return None;
        }
        let bytes = self.known.graph.bytes(part);
        let open = if self.known.known_number(bytes).is_none() {
            bytes
        } else {
            self.known.graph.unused(part)
        };
        let open = self.known.resolve(open);
        let known = integer_values(self.known, self.parent, self.integers).ok()?;
        let likely = known
            .get(&open)
            .copied()
            .and_then(|it| i64::try_from(it).ok());
        let likely = self.known.graph.integer(likely.unwrap_or(0));
        let is_likely = self.known.graph.equal(open, likely);
        Some(vec![is_likely, !is_likely])
    }
}
