//! Bounds on sums of integers, of which only the strongest count.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_traits::Zero;
use solver::graph::{Condition, Formula, Graph, Kinds, Node, NodeId, Operator};

/// Sums of more numbers are not looked at.
const MOST: usize = 50;

/// Numbers with their coefficients.
type Summands = BTreeMap<NodeId, BigInt>;

/// Numbers with their coefficients, and a constant.
#[derive(Clone, Debug, Default)]
struct LinearSum {
    summands: Summands,
    constant: BigInt,
}

impl LinearSum {
    fn add(
        &mut self,
        graph: &Graph,
        node: NodeId,
        factor: &BigInt,
        left: &mut usize,
    ) -> Option<()> {
        *left = left.checked_sub(1)?;
        let value = graph.node(node);
        if let Node::Integer(value) = value {
            self.constant += value.to_big() * factor;
        } else if let Node::Arithmetic(Operator::Add, one, other) = value {
            self.add(graph, *one, factor, left)?;
            self.add(graph, *other, factor, left)?;
        } else if let Node::Arithmetic(Operator::Subtract, one, other) = value {
            self.add(graph, *one, factor, left)?;
            self.add(graph, *other, &-factor, left)?;
        } else if let Some((times, of)) = multiple(graph, value) {
            self.add(graph, of, &(factor * times), left)?;
        } else {
            self.add_number(node, factor);
        }
        Some(())
    }

    fn add_number(&mut self, node: NodeId, factor: &BigInt) {
        let sum = self.summands.entry(node).or_default();
        *sum += factor;
        if sum.is_zero() {
            self.summands.remove(&node);
        }
    }
}

/// A constant times something.
fn multiple(graph: &Graph, product: &Node) -> Option<(BigInt, NodeId)> {
    let Node::Arithmetic(Operator::Multiply, one, other) = product else {
        return None;
    };
    if let Node::Integer(times) = graph.node(*one) {
        return Some((times.to_big(), *other));
    }
    if let Node::Integer(times) = graph.node(*other) {
        return Some((times.to_big(), *one));
    }
    None
}

/// What must be at least 0 if a condition is a bound on integers.
fn bound(graph: &Graph, condition: Condition) -> Option<LinearSum> {
    let Formula::Less(left, right) = graph.formula(condition) else {
        return None;
    };
    let mut sum = LinearSum::default();
    let mut effort = MOST;
    let sign = BigInt::from(if condition.is_negated() { -1 } else { 1 });
    sum.add(graph, *right, &sign, &mut effort)?;
    sum.add(graph, *left, &-sign, &mut effort)?;
    if !condition.is_negated() {
        sum.constant -= 1;
    }
    Some(sum)
}

/// Drops bounds that follow from others if all numbers in them are integers. Then it adds that they
/// are: what is left is at least as strong.
pub(super) fn without_weaker_bounds(graph: &mut Graph, conditions: &mut Vec<Condition>) {
    let mut strongest: BTreeMap<Vec<(NodeId, BigInt)>, (BigInt, usize, usize)> = BTreeMap::new();
    let mut keeps = vec![true; conditions.len()];
    for (number, condition) in conditions.iter().enumerate() {
        let Some(sum) = bound(graph, *condition) else {
            continue;
        };
        let summands: Vec<(NodeId, BigInt)> = sum.summands.into_iter().collect();
        match strongest.get_mut(&summands) {
            None => {
                strongest.insert(summands, (sum.constant, number, 1));
            }
            Some((constant, best, count)) => {
                *count += 1;
                let weaker = if sum.constant < *constant {
                    *constant = sum.constant;
                    std::mem::replace(best, number)
                } else {
                    number
                };
                if let Some(keep) = keeps.get_mut(weaker) {
                    *keep = false;
                }
            }
        }
    }
    let mut keeps = keeps.into_iter();
    conditions.retain(|_| keeps.next() == Some(true));
    let merged = strongest.into_iter().filter(|(_, (.., count))| *count > 1);
    let numbers: Vec<NodeId> = merged.flat_map(|it| it.0).map(|it| it.0).collect();
    for number in numbers {
        let is_integer = graph.kind(Kinds::INTEGER, number);
        if is_integer != Condition::TRUE && !conditions.contains(&is_integer) {
            conditions.push(is_integer);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sum and a constant are at most a limit.
    fn at_most(graph: &mut Graph, sum: NodeId, constant: i64, limit: i64) -> Condition {
        let sum = graph.shifted(sum, constant);
        let limit = graph.integer(limit);
        !graph.less(limit, sum)
    }

    #[test]
    fn the_strongest_bound_is_left_and_numbers_are_integers() {
        let mut graph = Graph::default();
        let sum = graph.input(0);
        let bounds = [0, 14, 27, 13];
        let mut conditions: Vec<Condition> =
            bounds.map(|it| at_most(&mut graph, sum, it, 105)).to_vec();
        let strongest = conditions[2];
        without_weaker_bounds(&mut graph, &mut conditions);
        let is_integer = graph.kind(Kinds::INTEGER, sum);
        assert_eq!(conditions, [strongest, is_integer]);
    }

    #[test]
    fn bounds_on_different_sums_stay_as_they_are() {
        let mut graph = Graph::default();
        let (one, other) = (graph.input(0), graph.input(1));
        let both = graph.arithmetic(Operator::Add, one, other);
        let lower = !at_most(&mut graph, one, 0, 3);
        let all = vec![
            at_most(&mut graph, one, 1, 7),
            lower,
            at_most(&mut graph, both, 0, 7),
            graph.equal(one, other),
        ];
        let mut conditions = all.clone();
        without_weaker_bounds(&mut graph, &mut conditions);
        assert_eq!(conditions, all);
    }
}
