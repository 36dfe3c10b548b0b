//! The order of the keys of small maps, in which functions like `maps:to_list/1` go through them.
//! From OTP 26 on, two atoms are in the order of the BEAM's table of atoms. All other keys, also
//! those with atoms inside, are in the order in which maps compare their keys.

use std::cmp::Ordering;

use super::arena::Graph;
use super::formula::Formula;
use super::ids::{Condition, NodeId};
use super::node::{Node, Pair};
use super::term_order::compare_keys;
use crate::atom_table::AtomOrder;
use crate::kinds::Kinds;

impl Graph {
    /// A value comes before another as a key of a small map.
    pub fn before(&mut self, left: NodeId, right: NodeId) -> Condition {
        if left == right {
            return Condition::FALSE;
        }
        if self.is_ground(left) && self.is_ground(right) {
            return Condition::of(self.compare_map_keys(left, right).is_lt());
        }
        let has_table = !matches!(self.rules.atoms, AtomOrder::ByText);
        if !has_table || !(self.kinds(left) & self.kinds(right)).intersects(Kinds::ATOM) {
            return self.before_without_atoms(left, right);
        }
        if self.is_choice(left) {
            return self.distribute_condition(left, |graph, leaf| graph.before(leaf, right));
        }
        if self.is_choice(right) {
            return self.distribute_condition(right, |graph, leaf| graph.before(left, leaf));
        }
        self.intern_formula(Formula::Before(left, right))
    }

    /// The same for values that are not both atoms, or if atoms are in the order of their texts.
    pub(crate) fn before_without_atoms(&mut self, left: NodeId, right: NodeId) -> Condition {
        let mixed = |graph: &mut Self, integer, float| {
            let is_integer = graph.kind(Kinds::INTEGER, integer);
            let is_float = graph.kind(Kinds::FLOAT, float);
            graph.all([is_integer, is_float])
        };
        let (is_first, is_second) = (mixed(self, left, right), mixed(self, right, left));
        let less = self.less(left, right);
        let less = self.all([!is_second, less]);
        self.any([is_first, less])
    }

    /// The pairs of a small map in the order of their keys.
    pub fn in_order(&self, pairs: &[Pair]) -> Vec<Pair> {
        let mut pairs = pairs.to_vec();
        if !matches!(self.rules.atoms, AtomOrder::ByText) {
            pairs.sort_by(|left, right| self.compare_map_keys(left.0, right.0));
        }
        pairs
    }

    fn compare_map_keys(&self, left: NodeId, right: NodeId) -> Ordering {
        match (self.node(left), self.node(right)) {
            (Node::Atom(left), Node::Atom(right)) => self.rules.atoms.compare(left, right),
            _ => compare_keys(self, left, right),
        }
    }
}
