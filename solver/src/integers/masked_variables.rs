//! Variables of which only the low bits matter. Their other bits can be 0, which gives them bounds.

use super::bounds::Bounds;
use super::linear::Linear;
use super::problem::Problem;
use crate::graph::{NodeId, Operator};

/// Bounds for the variables that are only ever masked, and the known bounds for all others.
pub(super) fn bounded(problem: &Problem<'_>, mut bounds: Vec<Bounds>) -> Vec<Bounds> {
    for ((node, _), own) in problem.variables.iter().zip(&mut bounds) {
        if own.interval().is_none()
            && let Some(mask) = all_masks(problem, *node)
        {
            *own = Bounds { low: 0, high: mask };
        }
    }
    bounds
}

/// A mask that covers all masks of a variable; `None` if the variable is also used otherwise.
fn all_masks(problem: &Problem<'_>, node: NodeId) -> Option<i128> {
    let is_in = |linear: &Linear| linear.terms.iter().any(|it| it.0 == node);
    if problem.constraints.iter().any(|it| is_in(&it.linear)) {
        return None;
    }
    let mut all = 0;
    for product in problem.products {
        let mask = match (is_in(&product.left), is_in(&product.right)) {
            (false, false) => continue,
            (true, false) if product.left == Linear::node(node) => &product.right,
            (false, true) if product.right == Linear::node(node) => &product.left,
            _ => return None,
        };
        let is_mask = product.operator == Operator::And && mask.terms.is_empty();
        if !is_mask || mask.constant < 0 {
            return None;
        }
        all |= mask.constant;
    }
    let bits = i128::BITS - all.leading_zeros();
    (bits < i128::BITS - 8).then(|| (1 << bits) - 1)
}
