//! Numbers that would be too large: arithmetic raises where there is no float for the result,
//! and integers are not shifted without bounds.

use erlang_term::Integer;
use num_traits::Signed;

use super::{Condition, Formula, Graph, Kinds, Node, NodeId, Operator};

/// Numbers below two to this power change the largest float by less than half of its last digit.
const BITS_OF_LAST_DIGIT: u64 = 970;
/// Integers are never too large if they are shifted by at most so many bits. That is so as long
/// as they are not as large before.
pub const SHORT_SHIFT: i64 = 1_000_000;

impl Graph {
    /// Two numbers, of which one is a float, have no sum, difference or product, or two numbers no
    /// quotient: it would be too large for a float, or one of them is. Or an integer would be
    /// shifted too far. Other values have no result for other reasons.
    pub fn too_large(&mut self, operator: Operator, left: NodeId, right: NodeId) -> Condition {
        if !may_be_too_large(operator, self.kinds(left), self.kinds(right))
            || self.is_small_left(operator, left)
            || self.is_small_right(operator, right)
        {
            return Condition::FALSE;
        }
        if self.is_atomic(left) && self.is_atomic(right) {
            return Condition::of(!self.has_value(operator, left, right));
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

    /// Whether a number on the left is an integer with which the result is never too large.
    fn is_small_left(&self, operator: Operator, node: NodeId) -> bool {
        match (operator, self.node(node)) {
            (Operator::Quotient, _) => false,
            (Operator::ShiftLeft | Operator::ShiftRight, node) => {
                *node == Node::Integer(Integer::Small(0))
            }
            (_, Node::Integer(value)) => is_small(operator, value),
            _ => false,
        }
    }

    /// The same of a number on the right.
    fn is_small_right(&self, operator: Operator, node: NodeId) -> bool {
        let Node::Integer(value) = self.node(node) else {
            return false;
        };
        let most = Integer::from(SHORT_SHIFT);
        match operator {
            Operator::Quotient => false,
            Operator::ShiftLeft => *value <= most,
            Operator::ShiftRight => *value >= Integer::from(-SHORT_SHIFT),
            _ => is_small(operator, value),
        }
    }
}

/// Whether the result of a sum, difference or product with an integer is never too large.
fn is_small(operator: Operator, value: &Integer) -> bool {
    match operator {
        Operator::Multiply => matches!(value, Integer::Small(-1..=1)),
        _ => value.to_big().abs().bits() <= BITS_OF_LAST_DIGIT,
    }
}

/// Whether a result can be too large, by the kinds of both sides.
pub fn may_be_too_large(operator: Operator, left: Kinds, right: Kinds) -> bool {
    if operator.is_shift() {
        return left.intersects(Kinds::INTEGER) && right.intersects(Kinds::INTEGER);
    }
    let (left, right) = (left & Kinds::NUMBER, right & Kinds::NUMBER);
    let are_numbers = !left.is_empty() && !right.is_empty();
    let may_be_float = (left | right).intersects(Kinds::FLOAT) || operator == Operator::Quotient;
    are_numbers && !operator.is_integral() && may_be_float
}
