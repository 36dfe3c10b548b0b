//! Bounds of integers.

use flattener::ast::deep;
use num_bigint::BigUint;

use super::arena::Graph;
use super::ids::NodeId;
use super::node::{Node, Place};
use super::operator::Operator;
use crate::types::LAST_CHARACTER;

/// Inputs have no longer bit strings, in bytes.
pub(crate) const MOST_INPUT_BYTES: u32 = 1 << 16;

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

/// The largest value of an integer that is not negative; `None` if it may be negative or has no
/// bound.
pub(crate) fn upper_bound(graph: &Graph, node: NodeId) -> Option<BigUint> {
    if graph.is_choice(node) {
        let leaves = graph.leaves(node).into_iter();
        let bounds = leaves.map(|leaf| deep(|| upper_bound(graph, leaf)));
        return bounds.collect::<Option<Vec<_>>>()?.into_iter().max();
    }
    if let Node::Integer(value) = graph.node(node) {
        return value.to_big().to_biguint();
    }
    if let Node::Arithmetic(operator, left, right) = *graph.node(node) {
        return bound_of_result(graph, operator, left, right);
    }
    let (_, high) = range_of_part(graph, node)?;
    Some(high.unsigned_abs().into())
}

fn bound_of_result(
    graph: &Graph,
    operator: Operator,
    left: NodeId,
    right: NodeId,
) -> Option<BigUint> {
    let bound = |side| deep(|| upper_bound(graph, side));
    match operator {
        Operator::Add => Some(bound(left)? + bound(right)?),
        Operator::Multiply => Some(bound(left)? * bound(right)?),
        Operator::Modulo => {
            let divisor = bound(right)?;
            (divisor > BigUint::ZERO).then(|| divisor - 1_u32)
        }
        Operator::Divide => Some(bound(left)? / constant_divisor(graph, right)?),
        Operator::Remainder => {
            let largest = constant_divisor(graph, right)? - 1_u32;
            Some(bound(left)?.min(largest))
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

/// A constant that is greater than 0.
fn constant_divisor(graph: &Graph, divisor: NodeId) -> Option<BigUint> {
    let Node::Integer(divisor) = graph.node(divisor) else {
        return None;
    };
    let divisor = divisor.to_big().to_biguint()?;
    (divisor > BigUint::ZERO).then_some(divisor)
}
