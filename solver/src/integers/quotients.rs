//! Quotients and remainders by constants, without division: for `Q = X div 16` with `X` not
//! negative it is said that `0 ≤ X - 16·Q ≤ 15`, and `X rem 16` is `X - 16·Q`.

use flattener::ast::deep;

use super::question::Draft;
use super::{Constraint, Linear, Relation};
use crate::Solver;
use crate::graph::{Node, NodeId, Operator, upper_bound};

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
        let Node::Arithmetic(operator, left, right) = *self.graph.node(node) else {
            return None;
        };
        let is_known = operator == Operator::Divide && draft.quotients.contains(&node);
        if !operator.is_division() || is_known {
            return None;
        }
        let divisor = self.linear(right)?;
        let divisor = divisor.terms.is_empty().then_some(divisor.constant)?;
        let dividend = self.linear(left)?;
        if divisor <= 0 || (operator != Operator::Modulo && !self.is_natural(left, &dividend)) {
            return None;
        }
        let dividend = deep(|| self.without_quotients(&dividend, draft))?;
        // What stands for the quotient in the question. For the last bits of a number that is
        // the number of these bits itself, which is not there otherwise.
        let quotient = match operator {
            Operator::Remainder => self.graph.arithmetic(Operator::Divide, left, right),
            _ => node,
        };
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

    /// Whether a number is never negative, by what it is or by what is known about its parts.
    fn is_natural(&self, node: NodeId, sum: &Linear) -> bool {
        if upper_bound(self.graph, node).is_some() {
            return true;
        }
        let mut least = sum.constant;
        for (part, coefficient) in &sum.terms {
            let bound = self.bound(*part, *coefficient > 0);
            let Some(term) = bound.and_then(|it| it.checked_mul(*coefficient)) else {
                return false;
            };
            least = least.saturating_add(term);
        }
        least >= 0
    }

    /// The least or the largest value of a part that a single constraint allows.
    fn bound(&self, part: NodeId, is_least: bool) -> Option<i128> {
        let constraints = self.store.constraints.iter();
        let bounds = constraints.filter_map(|constraint| {
            let Constraint { linear, relation } = constraint;
            let sign = if is_least { -1 } else { 1 };
            let slack = match relation {
                Relation::Less => 1,
                Relation::AtMost | Relation::Equal => 0,
                Relation::Different => return None,
            };
            match linear.terms.as_slice() {
                [(own, coefficient)] if *own == part && *coefficient == sign => {
                    Some(sign * (-linear.constant - slack))
                }
                _ => None,
            }
        });
        if is_least { bounds.max() } else { bounds.min() }
    }
}
