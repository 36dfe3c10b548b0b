//! Rough ranges of numbers, good enough to tell that a float is not too large.

use std::collections::HashMap;

use erlang_term::Integer;
use flattener::ast::deep;
use num_traits::ToPrimitive;

use super::Known;
use crate::graph::{Formula, Node, NodeId, Operator};
use crate::integers::Relation;

/// Ranges of results are widened by this factor, which is more than rounding can do.
const SLACK: f64 = 1.001;
/// More than any list or tuple has elements.
const MOST_ELEMENTS: f64 = 1e15;

/// All numbers from one to another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Range {
    low: f64,
    high: f64,
}

impl Range {
    const ALL: Self = Self {
        low: f64::NEG_INFINITY,
        high: f64::INFINITY,
    };

    fn from_to(low: f64, high: f64) -> Self {
        if low.is_nan() || high.is_nan() {
            return Self::ALL;
        }
        let slack = low.abs().max(high.abs()) * (SLACK - 1.0);
        Self {
            low: low - slack,
            high: high + slack,
        }
    }

    /// No number in it is farther from 0 than this.
    pub(crate) fn is_within(self, limit: f64) -> bool {
        self.low >= -limit && self.high <= limit
    }

    pub(crate) fn hull(self, other: Self) -> Self {
        Self {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
        }
    }

    pub(crate) fn farthest(self) -> f64 {
        self.low.abs().max(self.high.abs())
    }

    /// If it is a range of integers other than 0: a range that comes as near to 0, but does not
    /// contain it.
    pub(super) fn not_near_zero(self, is_integer: bool) -> Self {
        if is_integer && self.nearest() < 1.0 {
            return Self {
                low: 1.0,
                high: self.farthest().max(1.0),
            };
        }
        self
    }

    pub(crate) fn nearest(self) -> f64 {
        if self.low > 0.0 || self.high < 0.0 {
            self.low.abs().min(self.high.abs())
        } else {
            0.0
        }
    }

    /// The range of all results.
    pub(crate) fn of(operator: Operator, left: Self, right: Self) -> Self {
        match operator {
            Operator::Add => Self::from_to(left.low + right.low, left.high + right.high),
            Operator::Subtract => Self::from_to(left.low - right.high, left.high - right.low),
            Operator::Multiply => {
                let most = left.farthest() * right.farthest();
                Self::from_to(-most, most)
            }
            Operator::Modulo => Self::from_to(0.0, right.farthest()),
            Operator::Divide | Operator::Remainder => {
                Self::from_to(-left.farthest(), left.farthest())
            }
            Operator::Quotient => {
                let most = left.farthest() / right.nearest();
                Self::from_to(-most, most)
            }
            // The result has no higher bit than both sides.
            Operator::And | Operator::Or | Operator::Xor => {
                let most = 2.0 * left.farthest().max(right.farthest()) + 1.0;
                Self::from_to(-most, most)
            }
            Operator::ShiftLeft | Operator::ShiftRight => {
                let most = left.farthest() * right.farthest().exp2();
                Self::from_to(-most, most)
            }
        }
    }
}

impl Known<'_> {
    /// The range of a value if it is a number.
    pub(super) fn range(&mut self, node: NodeId) -> Range {
        self.range_of(node, &mut HashMap::new())
    }

    /// The same. Values share parts, so the range of each is computed once.
    fn range_of(&mut self, node: NodeId, known: &mut HashMap<NodeId, Range>) -> Range {
        let node = self.resolve(node);
        if let Some(range) = known.get(&node) {
            return *range;
        }
        let range = deep(|| self.new_range(node, known));
        known.insert(node, range);
        range
    }

    fn new_range(&mut self, node: NodeId, known: &mut HashMap<NodeId, Range>) -> Range {
        match *self.graph.node(node) {
            Node::Integer(ref value) => integer_range(value),
            Node::Float(bits) => Range::from_to(f64::from_bits(bits), f64::from_bits(bits)),
            Node::Arithmetic(operator, left, right) => {
                let left = self.range_of(left, known);
                let right = self.range_of(right, known);
                Range::of(operator, left, right)
            }
            Node::Rounded(_, number) => {
                let range = self.range_of(number, known);
                Range::from_to(range.low - 1.0, range.high + 1.0)
            }
            Node::Length(_) | Node::TupleSize(_) => Range::from_to(0.0, MOST_ELEMENTS),
            Node::Choice(_, yes, no) => {
                let yes = self.range_of(yes, known);
                yes.hull(self.range_of(no, known))
            }
            Node::Input(_) | Node::Part(..) => self.part_range(node),
            Node::Atom(_)
            | Node::Nil
            | Node::Other(..)
            | Node::Cons(..)
            | Node::Tuple(_)
            | Node::Map(_)
            | Node::Put(..)
            | Node::Without(..)
            | Node::MapSize(_)
            | Node::AtomOf(_)
            | Node::Bits(_)
            | Node::FloatOf(..)
            | Node::Truth(_)
            | Node::Closure(_)
            | Node::Table(_)
            | Node::Unknown(_) => Range::ALL,
        }
    }

    /// The range of a part, from comparisons with constants.
    fn part_range(&mut self, part: NodeId) -> Range {
        let mut range = Range::ALL;
        for index in 0..self.store.kept.len() {
            let kept = self.store.kept.get(index).copied();
            let Some(condition) = kept else { break };
            let Formula::Less(left, right) = *self.graph.formula(condition) else {
                continue;
            };
            let (low, high) = if condition.is_negated() {
                (right, left)
            } else {
                (left, right)
            };
            let (low, high) = (self.resolve(low), self.resolve(high));
            if low == part
                && let Some(bound) = self.constant_range(high)
            {
                range.high = range.high.min(bound.high);
            } else if high == part
                && let Some(bound) = self.constant_range(low)
            {
                range.low = range.low.max(bound.low);
            }
        }
        for constraint in &self.store.constraints {
            let [(node, coefficient)] = constraint.linear.terms.as_slice() else {
                continue;
            };
            if *node != part || constraint.relation == Relation::Different {
                continue;
            }
            let bound = -(constraint.linear.constant as f64) / *coefficient as f64;
            let bound = Range::from_to(bound, bound);
            let is_equal = constraint.relation == Relation::Equal;
            if is_equal || *coefficient > 0 {
                range.high = range.high.min(bound.high);
            }
            if is_equal || *coefficient < 0 {
                range.low = range.low.max(bound.low);
            }
        }
        range
    }

    fn constant_range(&self, node: NodeId) -> Option<Range> {
        if let Node::Integer(value) = self.graph.node(node) {
            return Some(integer_range(value));
        }
        let Node::Float(bits) = self.graph.node(node) else {
            return None;
        };
        let value = f64::from_bits(*bits);
        Some(Range::from_to(value, value))
    }
}

fn integer_range(value: &Integer) -> Range {
    match value.to_big().to_f64() {
        Some(value) if value.is_finite() => Range::from_to(value, value),
        _ => Range::ALL,
    }
}
