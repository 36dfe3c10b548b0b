//! Floats that would be too large: arithmetic raises where there is no float for the result.

use erlang_term::Integer;
use num_traits::Signed;

use super::{Condition, Formula, Graph, Kinds, Node, NodeId, Operator};

/// Numbers below two to this power change the largest float by less than half of its last digit.
const BITS_OF_LAST_DIGIT: u64 = 970;

impl Graph {
    /// Two numbers, of which one is a float, have no sum, difference or product: it would be too
    /// large for a float, or one of them is. Other values have none for other reasons.
    pub fn too_large(&mut self, operator: Operator, left: NodeId, right: NodeId) -> Condition {
        if !may_be_too_large(operator, self.kinds(left), self.kinds(right))
            || self.is_small(operator, left)
            || self.is_small(operator, right)
        {
            return Condition::FALSE;
        }
        if self.is_atomic(left) && self.is_atomic(right) {
            return Condition::of(!self.has_value(operator, left, right));
        }
        if let Node::Choice(condition, yes, no) = *self.node(left) {
            let yes = self.too_large(operator, yes, right);
            let no = self.too_large(operator, no, right);
            return self.either(condition, yes, no);
        }
        if let Node::Choice(condition, yes, no) = *self.node(right) {
            let yes = self.too_large(operator, left, yes);
            let no = self.too_large(operator, left, no);
            return self.either(condition, yes, no);
        }
        self.intern_formula(Formula::TooLarge(operator, left, right))
    }

    /// Whether a number is an integer with which the result is never too large.
    fn is_small(&self, operator: Operator, node: NodeId) -> bool {
        let Node::Integer(value) = self.node(node) else {
            return false;
        };
        match operator {
            Operator::Multiply => matches!(value, Integer::Small(-1..=1)),
            _ => value.to_big().abs().bits() <= BITS_OF_LAST_DIGIT,
        }
    }
}

/// Whether a result can be too large, by the kinds of both sides.
pub(crate) fn may_be_too_large(operator: Operator, left: Kinds, right: Kinds) -> bool {
    let (left, right) = (left & Kinds::NUMBER, right & Kinds::NUMBER);
    let are_numbers = !left.is_empty() && !right.is_empty();
    are_numbers && !operator.is_integral() && (left | right).intersects(Kinds::FLOAT)
}
