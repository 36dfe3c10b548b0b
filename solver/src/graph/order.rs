//! The order of terms as a condition.

use super::arena::Graph;
use super::bit_equality::less_bits;
use super::float_bits::less_floats;
use super::formula::Formula;
use super::ids::{Condition, NodeId};
use super::node::Node;
use super::term_order::compare;
use crate::kinds::Kinds;

impl Graph {
    /// A value comes before another in the order of terms.
    pub fn less(&mut self, left: NodeId, right: NodeId) -> Condition {
        if left == right {
            return Condition::FALSE;
        }
        if let Some(is_less) = self.kinds(left).all_before(self.kinds(right)) {
            return Condition::of(is_less);
        }
        if self.is_ground(left)
            && self.is_ground(right)
            && let Some(order) = compare(self, left, right)
        {
            return Condition::of(order.is_lt());
        }
        if self.is_choice(left) {
            return self.distribute_condition(left, |graph, leaf| graph.less(leaf, right));
        }
        if self.is_choice(right) {
            return self.distribute_condition(right, |graph, leaf| graph.less(left, leaf));
        }
        let is_atom = |it| self.kinds(it) == Kinds::ATOM;
        let is_made = |it| matches!(self.node(it), Node::AtomOf(_));
        if is_atom(left) && is_atom(right) && (is_made(left) || is_made(right)) {
            let (left, right) = (self.text(left), self.text(right));
            return self.less(left, right);
        }
        if let Some(condition) = less_bits(self, left, right) {
            return condition;
        }
        if let Some(condition) = less_floats(self, left, right) {
            return condition;
        }
        self.intern_formula(Formula::Less(left, right))
    }
}
