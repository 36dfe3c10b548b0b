//! Unions of bits that are not in both sides are sums: `(High bsl 16) bor Low` is `High * 65536 + Low`
//! for every `Low` from 0 to 65535. Most words are put together in this way, and sums are easy.

use std::collections::HashMap;

use num_bigint::BigInt;
use num_traits::{One, Signed};

use super::intervals::{Interval, of_linear, of_product};
use super::linear::{Constraint, Linear};
use super::narrowing::bounds;
use super::problem::{Problem, Product};
use crate::graph::{NodeId, Operator};

/// The constraints and products of a problem in which such unions are sums; `None` if it has none.
pub(crate) fn with_sums(problem: &Problem<'_>) -> Option<(Vec<Constraint>, Vec<Product>)> {
    let mut joins = problem.products.iter().map(|it| it.operator);
    if !joins.any(|it| matches!(it, Operator::Or | Operator::Xor)) {
        return None;
    }
    let variables = problem.variables.iter().zip(bounds(problem)?);
    let intervals = variables.filter_map(|(variable, own)| Some((variable.0, own.interval()?)));
    let mut intervals: HashMap<NodeId, Interval> = intervals.collect();
    let mut sums: HashMap<NodeId, Linear> = HashMap::new();
    let mut products = Vec::with_capacity(problem.products.len());
    for product in problem.products {
        let product = Product {
            left: replaced(&product.left, &sums)?,
            right: replaced(&product.right, &sums)?,
            ..*product
        };
        if let Some(sum) = as_sum(&product, &intervals) {
            sums.insert(product.node, sum);
            continue;
        }
        if !product.operator.is_shift() {
            let interval = of_product(&product, &intervals, &Interval::of_bits(1));
            intervals.extend(interval.map(|it| (product.node, it)));
        }
        products.push(product);
    }
    if sums.is_empty() {
        return None;
    }
    let constraints = problem.constraints.iter().map(|it| {
        Some(Constraint {
            linear: replaced(&it.linear, &sums)?,
            relation: it.relation,
        })
    });
    Some((constraints.collect::<Option<_>>()?, products))
}

/// The sum that a union is, if no bit is in both sides.
fn as_sum(product: &Product, intervals: &HashMap<NodeId, Interval>) -> Option<Linear> {
    let Product {
        operator,
        left,
        right,
        ..
    } = product;
    if !matches!(operator, Operator::Or | Operator::Xor) {
        return None;
    }
    let are_apart = |high: &Linear, low: &Linear| {
        let low = of_linear(low, intervals);
        let limit = BigInt::one() << zeros_below(high);
        low.is_some_and(|it| !it.low.is_negative() && it.high < limit)
    };
    let is_sum = are_apart(left, right) || are_apart(right, left);
    is_sum.then(|| left.clone().plus(right)).flatten()
}

/// How many of the lowest bits of a sum are 0, whatever its parts are.
fn zeros_below(linear: &Linear) -> u32 {
    let coefficients = linear.terms.iter().map(|it| it.1);
    let numbers = coefficients.chain([linear.constant]);
    numbers.map(i128::trailing_zeros).min().unwrap_or(0)
}

/// A sum in which some nodes are replaced by sums.
fn replaced(linear: &Linear, sums: &HashMap<NodeId, Linear>) -> Option<Linear> {
    let mut all = Linear::constant(linear.constant);
    for (node, coefficient) in &linear.terms {
        let term = match sums.get(node) {
            Some(sum) => sum.clone(),
            None => Linear::node(*node),
        };
        all = all.plus(&term.scaled(*coefficient)?)?;
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Graph;
    use crate::integers::Relation;

    /// `(High bsl 4) bor Low =:= 700`, with these bounds of `Low`.
    fn joined(low: i128, high: i128) -> Option<(Vec<Constraint>, Vec<Product>)> {
        let mut graph = Graph::default();
        let (x, y) = (graph.input(0), graph.input(1));
        let node = graph.arithmetic(Operator::Or, x, y);
        let product = Product {
            node,
            operator: Operator::Or,
            left: Linear::node(x).scaled(16)?,
            right: Linear::node(y),
        };
        let at_most = |linear: Linear| Constraint {
            linear,
            relation: Relation::AtMost,
        };
        let constraints = [
            at_most(Linear::node(y).plus(&Linear::constant(-high))?),
            at_most(Linear::constant(low).minus(Linear::node(y))?),
            Constraint {
                linear: Linear::node(node).plus(&Linear::constant(-700))?,
                relation: Relation::Equal,
            },
        ];
        with_sums(&Problem {
            constraints: &constraints,
            variables: &[(x, 0), (y, 0)],
            products: &[product],
        })
    }

    #[test]
    fn bits_that_are_apart_are_added() {
        let (constraints, products) = joined(0, 15).expect("it is a sum");
        assert!(products.is_empty());
        let sum = constraints.last().expect("there are three");
        let coefficients: Vec<i128> = sum.linear.terms.iter().map(|it| it.1).collect();
        assert_eq!((coefficients, sum.linear.constant), (vec![16, 1], -700));
    }

    #[test]
    fn bits_that_may_be_in_both_are_not() {
        assert!(joined(0, 16).is_none());
        assert!(joined(-1, 15).is_none());
    }
}
