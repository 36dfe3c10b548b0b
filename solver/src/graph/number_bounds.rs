//! Bounds of integers.

use std::collections::HashMap;

use flattener::ast::deep;
use num_bigint::BigUint;

use super::arena::Graph;
use super::ids::NodeId;
use super::node::{Node, Place};
use super::operator::Operator;
use crate::types::LAST_CHARACTER;

/// Inputs have no longer bit strings, in bytes.
pub(crate) const MOST_INPUT_BYTES: u32 = 1 << 16;

/// Larger bounds are of no use.
const MOST_BITS: u64 = 1 << 16;

/// The range of a part that is known to be an integer; `None` for others.
pub(crate) fn range_of_part(graph: &Graph, part: NodeId) -> Option<(i64, i64)> {
    let Node::Part(place, of) = *graph.node(part) else {
        return None;
    };
    match place {
        Place::Bytes => Some((0, MOST_INPUT_BYTES.into())),
        Place::Unused => Some((0, 7)),
        Place::Byte(_) => Some((0, 255)),
        Place::Head => graph.is_text(of).then_some((0, LAST_CHARACTER)),
        Place::Tail
        | Place::Element(_)
        | Place::Text
        | Place::Value(_)
        | Place::Key(_)
        | Place::Result(_)
        | Place::Default => None,
    }
}

/// The largest value of an integer that is not negative; `None` if it may be negative, or has no
/// bound or a huge one.
pub(crate) fn upper_bound(graph: &Graph, node: NodeId) -> Option<BigUint> {
    let known = HashMap::new();
    UpperBounds { graph, known }.of(node)
}

/// Bounds of results. They share parts, so each is computed once.
struct UpperBounds<'graph> {
    graph: &'graph Graph,
    known: HashMap<NodeId, Option<BigUint>>,
}

impl UpperBounds<'_> {
    fn of(&mut self, node: NodeId) -> Option<BigUint> {
        if let Some(known) = self.known.get(&node) {
            return known.clone();
        }
        let bound = deep(|| self.new_bound(node));
        let bound = bound.filter(|it| it.bits() <= MOST_BITS);
        self.known.insert(node, bound.clone());
        bound
    }

    fn new_bound(&mut self, node: NodeId) -> Option<BigUint> {
        let graph = self.graph;
        if graph.is_choice(node) {
            let leaves = graph.leaves(node).into_iter();
            let bounds = leaves.map(|leaf| self.of(leaf));
            return bounds.collect::<Option<Vec<_>>>()?.into_iter().max();
        }
        if let Node::Integer(value) = graph.node(node) {
            return value.to_big().to_biguint();
        }
        if let Node::Arithmetic(operator, left, right) = *graph.node(node) {
            return self.of_result(operator, left, right);
        }
        let (_, high) = range_of_part(graph, node)?;
        Some(high.unsigned_abs().into())
    }

    fn of_result(&mut self, operator: Operator, left: NodeId, right: NodeId) -> Option<BigUint> {
        match operator {
            Operator::Add => Some(self.of(left)? + self.of(right)?),
            Operator::Multiply => Some(self.of(left)? * self.of(right)?),
            Operator::Modulo => {
                let divisor = self.of(right)?;
                (divisor > BigUint::ZERO).then(|| divisor - 1_u32)
            }
            Operator::Divide => Some(self.of(left)? / constant_divisor(self.graph, right)?),
            Operator::Remainder => {
                let largest = constant_divisor(self.graph, right)? - 1_u32;
                Some(self.of(left)?.min(largest))
            }
            Operator::Subtract
            | Operator::Quotient
            | Operator::And
            | Operator::Or
            | Operator::Xor
            | Operator::ShiftLeft
            | Operator::ShiftRight => None,
        }
    }
}

/// A constant that is greater than 0.
fn constant_divisor(graph: &Graph, divisor: NodeId) -> Option<BigUint> {
    let Node::Integer(divisor) = graph.node(divisor) else {
        return None;
    };
    let divisor = divisor.to_big().to_biguint()?;
    (divisor > BigUint::ZERO).then_some(divisor)
}
