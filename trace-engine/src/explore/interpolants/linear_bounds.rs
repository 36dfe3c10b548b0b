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
        match graph.node(node) {
            Node::Integer(value) => self.constant += value.to_big() * factor,
            Node::Arithmetic(Operator::Add, one, other) => {
                self.add(graph, *one, factor, left)?;
                self.add(graph, *other, factor, left)?;
            }
            Node::Arithmetic(Operator::Subtract, one, other) => {
                self.add(graph, *one, factor, left)?;
                self.add(graph, *other, &-factor, left)?;
            }
            Node::Arithmetic(Operator::Multiply, one, other) => {
                match (graph.node(*one), graph.node(*other)) {
                    (Node::Integer(value), _) => {
                        self.add(graph, *other, &(factor * value.to_big()), left)?;
                    }
                    (_, Node::Integer(value)) => {
                        self.add(graph, *one, &(factor * value.to_big()), left)?;
                    }
                    _ => self.add_number(node, factor),
                }
            }
            _ => self.add_number(node, factor),
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
