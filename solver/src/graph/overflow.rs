//! Numbers that would be too large: arithmetic raises where no float can hold the result, and the
//! BEAM limits how far integers are shifted.

use erlang_term::Integer;
use num_traits::Signed;

use super::arena::Graph;
use super::arithmetic::has_value;
use super::formula::Formula;
use super::ids::{Condition, NodeId};
use super::node::Node;
use super::operator::Operator;
use crate::kinds::Kinds;

/// Numbers below two to this power change the largest float by less than half of its last digit.
const BITS_OF_LAST_DIGIT: u64 = 970;
/// Shifting an integer by at most this number of bits never makes it too large, as long as it was
/// not nearly as large before.
pub(crate) const SHORT_SHIFT: i64 = 1_000_000;

impl Graph {
    /// The result of an operation on two numbers would be too large: a float result or operand has
    /// no float, or an integer would be shifted too far. Values that are not numbers have no result
    /// for other reasons.
    pub fn too_large(&mut self, operator: Operator, left: NodeId, right: NodeId) -> Condition {
        if !may_be_too_large(operator, self.kinds(left), self.kinds(right))
            || is_small_left(operator, self.node(left))
            || is_small_right(operator, self.node(right))
        {
            return Condition::FALSE;
        }
        let (left_node, right_node) = (self.node(left), self.node(right));
        if left_node.is_atomic() && right_node.is_atomic() {
            let has_value = has_value(operator, left_node, right_node, self.rules.floats);
            return Condition::of(!has_value);
        }
        if self.is_choice(left) {
            return self
                .distribute_condition(left, |graph, leaf| graph.too_large(operator, leaf, right));
        }
        if self.is_choice(right) {
            return self
                .distribute_condition(right, |graph, leaf| graph.too_large(operator, left, leaf));
        }
        self.intern_formula(Formula::TooLarge(operator, left, right))
    }

    /// Whether a condition says that some result is too large.
    pub(crate) fn wants_too_large(&self, condition: Condition) -> bool {
        !condition.is_negated() && matches!(self.formula(condition), Formula::TooLarge(..))
    }
}

/// Whether the left side is an integer with which the result is never too large.
fn is_small_left(operator: Operator, left: &Node) -> bool {
    let Node::Integer(value) = left else {
        return false;
    };
    if operator.is_shift() {
        return *value == Integer::Small(0);
    }
    is_small(operator, value)
}

/// Whether the right side is an integer with which the result is never too large.
fn is_small_right(operator: Operator, right: &Node) -> bool {
    let Node::Integer(value) = right else {
        return false;
    };
    if operator == Operator::ShiftLeft {
        return *value <= Integer::from(SHORT_SHIFT);
    }
    if operator == Operator::ShiftRight {
        return *value >= Integer::from(-SHORT_SHIFT);
    }
    is_small(operator, value)
}

/// Whether the result of a sum, difference or product with an integer is never too large.
fn is_small(operator: Operator, value: &Integer) -> bool {
    if operator == Operator::Quotient {
        return false;
    }
    if operator == Operator::Multiply {
        return matches!(value, Integer::Small(-1..=1));
    }
    value.to_big().abs().bits() <= BITS_OF_LAST_DIGIT
}

/// Whether a result can be too large, by the kinds of both sides.
pub(crate) fn may_be_too_large(operator: Operator, left: Kinds, right: Kinds) -> bool {
    if operator.is_shift() {
        return left.intersects(Kinds::INTEGER) && right.intersects(Kinds::INTEGER);
    }
    let (left, right) = (left & Kinds::NUMBER, right & Kinds::NUMBER);
    let are_numbers = !left.is_empty() && !right.is_empty();
    let may_be_float = (left | right).intersects(Kinds::FLOAT) || operator == Operator::Quotient;
    are_numbers && !operator.is_integral() && may_be_float
}
