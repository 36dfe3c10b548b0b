//! Quotients and remainders by constants, without division: for `Q = X div 16` with `X` not
//! negative, `0 ≤ X - 16·Q ≤ 15` is added, and `X rem 16` is `X - 16·Q`.

use std::collections::{HashMap, HashSet};

use flattener::ast::deep;

use crate::graph::{Node, NodeId, Operator, upper_bound};
use crate::integers::{Constraint, Linear, Relation};
use crate::known::Known;

/// Quotients that are variables of a question.
#[derive(Debug, Default)]
pub(super) struct Quotients {
    nodes: HashSet<NodeId>,
    /// What was found out about nodes. Sums share them.
    sums: HashMap<NodeId, Option<Linear>>,
    /// The new constraints that define them.
    pub(super) constraints: Vec<Constraint>,
}

impl Quotients {
    pub(super) fn contains(&self, node: NodeId) -> bool {
        self.nodes.contains(&node)
    }

    /// The same sum without quotients and remainders of numbers that are never negative.
    pub(super) fn write_out(&mut self, known: &mut Known<'_>, linear: &Linear) -> Option<Linear> {
        let mut sum = Linear::constant(linear.constant);
        for (node, coefficient) in &linear.terms {
            let term = match self.known_quotient(known, *node) {
                Some(term) => term,
                None => Linear::node(*node),
            };
            sum = sum.plus(&term.scaled(*coefficient)?)?;
        }
        Some(sum)
    }

    /// A quotient or remainder as a sum; `None` if it is something else.
    fn known_quotient(&mut self, known: &mut Known<'_>, node: NodeId) -> Option<Linear> {
        if let Some(sum) = self.sums.get(&node) {
            return sum.clone();
        }
        let sum = self.quotient(known, node);
        self.sums.insert(node, sum.clone());
        sum
    }

    fn quotient(&mut self, known: &mut Known<'_>, node: NodeId) -> Option<Linear> {
        let Node::Arithmetic(operator, left, right) = *known.graph.node(node) else {
            return None;
        };
        let is_known = operator == Operator::Divide && self.nodes.contains(&node);
        if !operator.is_division() || is_known {
            return None;
        }
        let divisor = known.linear(right)?;
        let divisor = divisor.terms.is_empty().then_some(divisor.constant)?;
        let dividend = known.linear(left)?;
        if divisor <= 0 || (operator != Operator::Modulo && !is_natural(known, left, &dividend)) {
            return None;
        }
        let dividend = deep(|| self.write_out(known, &dividend))?;
        // The node that stands for the quotient in the question. For the last bits of a number it
        // is the node of these bits, which is not used otherwise.
        let quotient = if operator == Operator::Remainder {
            known.graph.arithmetic(Operator::Divide, left, right)
        } else {
            node
        };
        let multiple = Linear::node(quotient).scaled(divisor)?;
        let left_over = dividend.minus(multiple)?;
        if self.nodes.insert(quotient) {
            let at_least = left_over.clone().scaled(-1)?;
            let at_most = left_over.clone().minus(Linear::constant(divisor - 1))?;
            for linear in [at_least, at_most] {
                self.constraints.push(Constraint {
                    linear,
                    relation: Relation::AtMost,
                });
            }
        }
        let is_quotient = operator == Operator::Divide;
        Some(if is_quotient {
            Linear::node(quotient)
        } else {
            left_over
        })
    }
}

/// Whether a number is never negative, judging by its node or by what is known about its parts.
fn is_natural(known: &Known<'_>, node: NodeId, sum: &Linear) -> bool {
    if upper_bound(known.graph, node).is_some() {
        return true;
    }
    let mut least = sum.constant;
    for (part, coefficient) in &sum.terms {
        let bound = single_bound(known, *part, *coefficient > 0);
        let Some(term) = bound.and_then(|it| it.checked_mul(*coefficient)) else {
            return false;
        };
        least = least.saturating_add(term);
    }
    least >= 0
}

/// The least or the largest value of a part that a single constraint allows.
fn single_bound(known: &Known<'_>, part: NodeId, is_least: bool) -> Option<i128> {
    let constraints = known.store.constraints.iter();
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
