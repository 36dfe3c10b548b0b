//! Results that are too large for a float, and integers that are shifted too far.

use flattener::ast::deep;

use super::{Asserting, require};
use crate::conflict::Step;
use crate::graph::{Condition, Formula, Kinds, NodeId, Operator};

impl Asserting<'_, '_> {
    pub(super) fn assert_too_large(
        &mut self,
        condition: Condition,
        operator: Operator,
        left: NodeId,
        right: NodeId,
    ) -> Step {
        let (left, right) = (self.known.resolve(left), self.known.resolve(right));
        let holds = !condition.is_negated();
        if !self.known.may_be_too_large(operator, left, right) {
            return require(!holds);
        }
        let now = self.known.graph.too_large(operator, left, right);
        if *self.known.graph.formula(now) != Formula::TooLarge(operator, left, right) {
            return deep(|| self.assert(now.signed_as(condition)));
        }
        for side in [left, right] {
            if holds && self.known.graph.is_part(side) {
                self.known.narrow(side, Kinds::NUMBER)?;
            }
        }
        self.keep(now.signed_as(condition))
    }
}
