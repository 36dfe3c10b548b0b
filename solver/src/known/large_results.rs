//! Whether a result may be too large for a float, or an integer shifted too far.

use super::Known;
use super::decided::constant;
use super::ranges::Range;
use crate::graph::{Kinds, NodeId, Operator, SHORT_SHIFT, may_be_too_large};

/// Numbers up to this are certainly not too large.
const HARMLESS: f64 = 1e300;

impl Known<'_> {
    pub(super) fn status_of_too_large(
        &mut self,
        operator: Operator,
        left: NodeId,
        right: NodeId,
    ) -> Option<bool> {
        let (left, right) = (self.resolve(left), self.resolve(right));
        if !self.may_be_too_large(operator, left, right) {
            return Some(false);
        }
        constant(self.graph.too_large(operator, left, right))
    }

    pub(crate) fn may_be_too_large(
        &mut self,
        operator: Operator,
        left: NodeId,
        right: NodeId,
    ) -> bool {
        if !may_be_too_large(operator, self.kinds(left), self.kinds(right)) {
            return false;
        }
        if operator.is_shift() {
            return !self.range(right).is_within(SHORT_SHIFT as f64);
        }
        // In a sum of many parts one side is often a single part, which mostly is enough to decide.
        let (first, second) = if self.graph.is_part(left) {
            (left, right)
        } else {
            (right, left)
        };
        let first = self.range(first);
        if !first.is_within(HARMLESS) {
            return true;
        }
        let second = self.range(second);
        // Except for quotients, the order of the sides does not change how far results are from 0.
        let results = if operator == Operator::Quotient {
            // A divisor is not 0, so an integer is at least 1 away from 0.
            let is_integer = self.kinds(right) == Kinds::INTEGER;
            let (left, right) = (self.range(left), self.range(right));
            Range::of(operator, left, right.not_near_zero(is_integer))
        } else {
            Range::of(operator, first, second)
        };
        !(second.is_within(HARMLESS) && results.is_within(HARMLESS))
    }
}
