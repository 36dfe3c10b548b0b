//! Equality of values, exact (`=:=`) or with numbers compared by value (`==`).

use flattener::ast::deep;

use super::arena::Graph;
use super::bit_equality::equal_bits;
use super::float_bits::equal_floats;
use super::formula::Formula;
use super::ids::{Condition, NodeId};
use super::node::{Node, Pair};
use super::term_order::compare;
use crate::kinds::Kinds;

impl Graph {
    /// Two values are equal: `=:=`.
    pub fn equal(&mut self, left: NodeId, right: NodeId) -> Condition {
        Equality::Exact.condition(self, left, right)
    }

    /// Two values are equal, with integers and floats compared by value: `==`.
    pub fn same(&mut self, left: NodeId, right: NodeId) -> Condition {
        let numbers = self.kinds(left) & self.kinds(right) & Kinds::NUMBER;
        let with_numbers = Kinds::NUMBER | Kinds::CONS | Kinds::TUPLE | Kinds::MAP;
        let may_mix =
            self.kinds(left).intersects(with_numbers) && self.kinds(right).intersects(with_numbers);
        let is_integer = (self.kinds(left) | self.kinds(right)).is_within(Kinds::INTEGER);
        if !may_mix || (is_integer && !numbers.is_empty()) {
            return self.equal(left, right);
        }
        if self.is_ground(left)
            && self.is_ground(right)
            && let Some(order) = compare(self, left, right)
        {
            return Condition::of(order.is_eq());
        }
        Equality::ByValue.condition(self, left, right)
    }
}

/// Which values count as equal.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Equality {
    /// `=:=`.
    Exact,
    /// `==`.
    ByValue,
}

impl Equality {
    fn formula(self, left: NodeId, right: NodeId) -> Formula {
        match self {
            Self::Exact => Formula::Equal(left, right),
            Self::ByValue => Formula::Same(left, right),
        }
    }

    /// The same for the values of maps, which are perhaps not compared yet.
    fn of_values(self, graph: &mut Graph, left: NodeId, right: NodeId) -> Condition {
        match self {
            Self::Exact => graph.equal(left, right),
            Self::ByValue => graph.same(left, right),
        }
    }

    fn is_possible(self, graph: &Graph, left: NodeId, right: NodeId) -> bool {
        let (left_kinds, right_kinds) = (graph.kinds(left), graph.kinds(right));
        match self {
            // Different constants without parts are different values.
            Self::Exact => {
                left_kinds.intersects(right_kinds)
                    && !(graph.node(left).is_atomic() && graph.node(right).is_atomic())
            }
            Self::ByValue => left_kinds.can_be_same(right_kinds),
        }
    }

    fn condition(self, graph: &mut Graph, left: NodeId, right: NodeId) -> Condition {
        if left == right {
            return Condition::TRUE;
        }
        if !self.is_possible(graph, left, right) {
            return Condition::FALSE;
        }
        if let Some(condition) = self.of_parts(graph, left, right) {
            return condition;
        }
        if are_different_funs(graph, left, right) || are_different_funs(graph, right, left) {
            return Condition::FALSE;
        }
        if let Some(condition) = equal_bits(graph, left, right) {
            return condition;
        }
        let tells_zeros_apart = self == Self::Exact && graph.tells_zeros_apart();
        if let Some(condition) = equal_floats(graph, left, right, tells_zeros_apart) {
            return condition;
        }
        if let Some(condition) = self.of_maps(graph, left, right) {
            return condition;
        }
        for (node, other) in [(left, right), (right, left)] {
            if let Some(condition) = self.by_one_side(graph, node, other) {
                return condition;
            }
        }
        let (first, second) = (left.min(right), left.max(right));
        graph.intern_formula(self.formula(first, second))
    }

    /// The condition for a node that is computed from conditions or a text.
    fn by_one_side(self, graph: &mut Graph, node: NodeId, other: NodeId) -> Option<Condition> {
        if graph.is_choice(node) {
            let of_leaf = |graph: &mut Graph, leaf| self.condition(graph, leaf, other);
            return Some(graph.distribute_condition(node, of_leaf));
        }
        if let Node::Truth(condition) = *graph.node(node) {
            let yes = graph.equal(other, NodeId::TRUE);
            let no = graph.equal(other, NodeId::FALSE);
            return Some(graph.either(condition, yes, no));
        }
        if let Node::AtomOf(text) = *graph.node(node)
            && !matches!(graph.node(other), Node::Unknown(_))
        {
            let is_atom = graph.kind(Kinds::ATOM, other);
            let other = graph.text(other);
            let is_same = graph.equal(text, other);
            return Some(graph.all([is_atom, is_same]));
        }
        None
    }

    /// Two values of the same shape are equal if their parts are.
    fn of_parts(self, graph: &mut Graph, left: NodeId, right: NodeId) -> Option<Condition> {
        let pairs: Vec<Pair> = match (graph.node(left), graph.node(right)) {
            (Node::Cons(..), Node::Cons(..)) => return Some(self.of_lists(graph, left, right)),
            (Node::Tuple(left), Node::Tuple(right)) => {
                if left.len() != right.len() {
                    return Some(Condition::FALSE);
                }
                left.iter().copied().zip(right.iter().copied()).collect()
            }
            (Node::Closure(left), Node::Closure(right)) => {
                if (left.module, left.callable) != (right.module, right.callable) {
                    return Some(Condition::FALSE);
                }
                let pairs = left.captured.iter().zip(&right.captured);
                pairs.map(|(left, right)| (left.1, right.1)).collect()
            }
            _ => return None,
        };
        let parts: Vec<Condition> = pairs
            .into_iter()
            .map(|(left, right)| deep(|| self.condition(graph, left, right)))
            .collect();
        Some(graph.all(parts))
    }

    fn of_lists(self, graph: &mut Graph, left: NodeId, right: NodeId) -> Condition {
        let mut parts = Vec::new();
        let (mut left, mut right) = (left, right);
        while let (&Node::Cons(head, tail), &Node::Cons(other_head, other_tail)) =
            (graph.node(left), graph.node(right))
        {
            let heads = deep(|| self.condition(graph, head, other_head));
            if heads == Condition::FALSE {
                return heads;
            }
            parts.push(heads);
            (left, right) = (tail, other_tail);
        }
        parts.push(deep(|| self.condition(graph, left, right)));
        graph.all(parts)
    }

    /// The condition for two maps, if one has known keys or both come from the same map.
    fn of_maps(self, graph: &mut Graph, left: NodeId, right: NodeId) -> Option<Condition> {
        let is_changed = |node: &Node| matches!(node, Node::Put(..) | Node::Without(..));
        let is_made = |node: &Node| is_changed(node) || matches!(node, Node::Map(_));
        let nodes = (graph.node(left), graph.node(right));
        if is_made(nodes.0) && is_made(nodes.1) {
            for (closed, other) in [(left, right), (right, left)] {
                if let Node::Map(pairs) = graph.node(closed).clone() {
                    return Some(self.has_pairs(graph, other, &pairs));
                }
            }
        } else if !is_changed(nodes.0) && !is_changed(nodes.1) {
            return None;
        }
        let (root, mut keys) = changed_keys(graph, left);
        let (other_root, other_keys) = changed_keys(graph, right);
        if root != other_root {
            return None;
        }
        keys.extend(other_keys);
        Some(self.of_changed_maps(graph, [left, right], &keys))
    }

    /// The condition for two maps that differ in these keys at most.
    fn of_changed_maps(self, graph: &mut Graph, maps: [NodeId; 2], keys: &[NodeId]) -> Condition {
        let mut all = Vec::new();
        for key in keys {
            let [here, there] = maps.map(|map| graph.has_key(*key, map));
            let [own, other] = maps.map(|map| graph.value_at(*key, map));
            let values = deep(|| self.of_values(graph, own, other));
            let both = graph.all([there, values]);
            all.push(graph.either(here, both, !there));
        }
        graph.all(all)
    }

    /// A map has these pairs and no others.
    fn has_pairs(self, graph: &mut Graph, map: NodeId, pairs: &[Pair]) -> Condition {
        let size = graph.map_size(map);
        let count = graph.integer(i64::try_from(pairs.len()).unwrap_or(i64::MAX));
        let mut all = vec![graph.equal(size, count)];
        for (key, value) in pairs {
            all.push(graph.has_key(*key, map));
            if all.contains(&Condition::FALSE) {
                return Condition::FALSE;
            }
            let own = graph.value_at(*key, map);
            all.push(deep(|| self.of_values(graph, own, *value)));
        }
        graph.all(all)
    }
}

/// Whether one is a fun that the program made, and the other is not.
fn are_different_funs(graph: &Graph, made: NodeId, other: NodeId) -> bool {
    let other = graph.node(other);
    matches!(graph.node(made), Node::Closure(_)) && (other.is_part() || other.is_atomic())
}

/// The map that was changed, and the keys that were put or removed.
fn changed_keys(graph: &Graph, map: NodeId) -> (NodeId, Vec<NodeId>) {
    let mut keys = Vec::new();
    let mut root = map;
    while let Node::Put(base, key, _) | Node::Without(base, key) = *graph.node(root) {
        keys.push(key);
        root = base;
    }
    (root, keys)
}
