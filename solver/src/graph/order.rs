//! The order of terms.

use std::cmp::Ordering;

use erlang_term::{Integer, Term, decode};
use flattener::ast::deep;
use num_bigint::BigInt;
use num_traits::FromPrimitive;

use super::{Condition, Formula, Graph, Kinds, Node, NodeId};

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
            && let Some(order) = self.compare(left, right)
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
        if let Some(condition) = self.less_bits(left, right) {
            return condition;
        }
        if let Some(condition) = self.less_floats(left, right) {
            return condition;
        }
        self.intern_formula(Formula::Less(left, right))
    }

    /// The order of two constants; `None` where it is not known.
    pub fn compare(&self, left: NodeId, right: NodeId) -> Option<Ordering> {
        if left == right {
            return Some(Ordering::Equal);
        }
        let (left_kinds, right_kinds) = (self.kinds(left), self.kinds(right));
        if right_kinds.is_within(left_kinds.above()) {
            return Some(Ordering::Less);
        }
        if right_kinds.is_within(left_kinds.below()) {
            return Some(Ordering::Greater);
        }
        match (self.node(left), self.node(right)) {
            (Node::Integer(left), Node::Integer(right)) => Some(left.cmp(right)),
            (Node::Float(left), Node::Float(right)) => {
                f64::from_bits(*left).partial_cmp(&f64::from_bits(*right))
            }
            (Node::Integer(left), Node::Float(right)) => {
                compare_mixed(left, f64::from_bits(*right))
            }
            (Node::Float(left), Node::Integer(right)) => {
                compare_mixed(right, f64::from_bits(*left)).map(Ordering::reverse)
            }
            (Node::Atom(left), Node::Atom(right)) => Some(left.as_str().cmp(right.as_str())),
            (Node::Tuple(left), Node::Tuple(right)) => {
                let sizes = left.len().cmp(&right.len());
                if sizes.is_ne() {
                    return Some(sizes);
                }
                let pairs = left.iter().zip(right);
                self.compare_pairs(pairs.map(|(left, right)| (*left, *right)))
            }
            (Node::Cons(..), Node::Cons(..)) => self.compare_lists(left, right),
            (Node::Map(left), Node::Map(right)) => self.compare_maps(left, right),
            (Node::Other(kinds, left), Node::Other(_, right)) if kinds.is_within(Kinds::BITS) => {
                compare_bits(left, right)
            }
            _ => None,
        }
    }

    fn compare_lists(&self, mut left: NodeId, mut right: NodeId) -> Option<Ordering> {
        while let (&Node::Cons(head, tail), &Node::Cons(other_head, other_tail)) =
            (self.node(left), self.node(right))
        {
            let heads = deep(|| self.compare(head, other_head))?;
            if heads.is_ne() {
                return Some(heads);
            }
            (left, right) = (tail, other_tail);
        }
        deep(|| self.compare(left, right))
    }

    fn compare_pairs(&self, pairs: impl Iterator<Item = (NodeId, NodeId)>) -> Option<Ordering> {
        for (left, right) in pairs {
            let order = deep(|| self.compare(left, right))?;
            if order.is_ne() {
                return Some(order);
            }
        }
        Some(Ordering::Equal)
    }
}

/// Compares by value, exactly.
fn compare_mixed(integer: &Integer, float: f64) -> Option<Ordering> {
    let floor = BigInt::from_f64(float.floor())?;
    let order = integer.to_big().cmp(&floor);
    Some(if order.is_eq() && float.floor() < float {
        Ordering::Less
    } else {
        order
    })
}

fn compare_bits(left: &[u8], right: &[u8]) -> Option<Ordering> {
    let (Ok(Term::Bits(left, left_bits)), Ok(Term::Bits(right, right_bits))) =
        (decode(left), decode(right))
    else {
        return None;
    };
    // A byte that is not whole is filled up with zeros.
    Some(left.cmp(&right).then(left_bits.cmp(&right_bits)))
}
