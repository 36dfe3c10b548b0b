//! Quotients and remainders by constants, without division: for `Q = X div 16` with `X` not
//! negative it is said that `0 ≤ X - 16·Q ≤ 15`, and `X rem 16` is `X - 16·Q`.

use flattener::ast::deep;

use super::question::Draft;
use super::{Constraint, Linear, Relation};
use crate::graph::{Node, NodeId, Operator};
use crate::solver::Solver;

impl Solver<'_> {
    /// The same sum without quotients and remainders of numbers that are never negative.
    pub(super) fn without_quotients(
        &mut self,
        linear: &Linear,
        draft: &mut Draft,
    ) -> Option<Linear> {
        let mut sum = Linear::constant(linear.constant);
        for (node, coefficient) in &linear.terms {
            let term = match self.quotient(*node, draft) {
                Some(term) => term,
                None => Linear::node(*node),
            };
            sum = sum.plus(&term.scaled(*coefficient)?)?;
        }
        Some(sum)
    }

    /// A quotient or remainder as a sum; `None` if it is something else.
    fn quotient(&mut self, node: NodeId, draft: &mut Draft) -> Option<Linear> {
        let Node::Arithmetic(operator @ (Operator::Divide | Operator::Remainder), left, right) =
            *self.graph.node(node)
        else {
            return None;
        };
        if draft.quotients.contains(&node) {
            return None;
        }
        let divisor = self.linear(right)?;
        let divisor = divisor.terms.is_empty().then_some(divisor.constant)?;
        if divisor <= 0 || self.graph.upper_bound(left).is_none() {
            return None;
        }
        let dividend = self.linear(left)?;
        let dividend = deep(|| self.without_quotients(&dividend, draft))?;
        let quotient = self.graph.arithmetic(Operator::Divide, left, right);
        let multiple = Linear::node(quotient).scaled(divisor)?;
        let left_over = dividend.minus(multiple)?;
        if draft.quotients.insert(quotient) {
            let at_least = left_over.clone().scaled(-1)?;
            let at_most = left_over.clone().minus(Linear::constant(divisor - 1))?;
            for linear in [at_least, at_most] {
                draft.constraints.push(Constraint {
                    linear,
                    relation: Relation::AtMost,
                });
            }
        }
        Some(match operator {
            Operator::Divide => Linear::node(quotient),
            _ => left_over,
        })
    }
}
