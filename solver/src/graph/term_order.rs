//! The order of constants.

use std::cmp::Ordering;

use erlang_term::{Integer, Term, decode};
use flattener::ast::deep;
use num_bigint::BigInt;
use num_traits::FromPrimitive;

use super::arena::Graph;
use super::ids::NodeId;
use super::node::{Node, Pair};
use crate::kinds::Kinds;

/// The order of two constants; `None` where it is not known.
pub(super) fn compare(graph: &Graph, left: NodeId, right: NodeId) -> Option<Ordering> {
    if left == right {
        return Some(Ordering::Equal);
    }
    let (left_kinds, right_kinds) = (graph.kinds(left), graph.kinds(right));
    if right_kinds.is_within(left_kinds.above()) {
        return Some(Ordering::Less);
    }
    if right_kinds.is_within(left_kinds.below()) {
        return Some(Ordering::Greater);
    }
    match (graph.node(left), graph.node(right)) {
        (Node::Integer(left), Node::Integer(right)) => Some(left.cmp(right)),
        (Node::Float(left), Node::Float(right)) => {
            f64::from_bits(*left).partial_cmp(&f64::from_bits(*right))
        }
        (Node::Integer(left), Node::Float(right)) => compare_mixed(left, f64::from_bits(*right)),
        (Node::Float(left), Node::Integer(right)) => {
            compare_mixed(right, f64::from_bits(*left)).map(Ordering::reverse)
        }
        (Node::Atom(left), Node::Atom(right)) => Some(left.as_str().cmp(right.as_str())),
        (Node::Tuple(left), Node::Tuple(right)) => compare_tuples(graph, left, right),
        (Node::Cons(..), Node::Cons(..)) => compare_lists(graph, left, right),
        (Node::Map(left), Node::Map(right)) => compare_maps(graph, left, right),
        (Node::Other(kinds, left), Node::Other(_, right)) if kinds.is_within(Kinds::BITS) => {
            compare_bits(left, right)
        }
        _ => None,
    }
}

fn compare_lists(graph: &Graph, mut left: NodeId, mut right: NodeId) -> Option<Ordering> {
    while let (&Node::Cons(head, tail), &Node::Cons(other_head, other_tail)) =
        (graph.node(left), graph.node(right))
    {
        let heads = deep(|| compare(graph, head, other_head))?;
        if heads.is_ne() {
            return Some(heads);
        }
        (left, right) = (tail, other_tail);
    }
    deep(|| compare(graph, left, right))
}

/// By size, then by elements.
fn compare_tuples(graph: &Graph, left: &[NodeId], right: &[NodeId]) -> Option<Ordering> {
    let sizes = left.len().cmp(&right.len());
    if sizes.is_ne() {
        return Some(sizes);
    }
    for (left, right) in left.iter().zip(right) {
        let order = deep(|| compare(graph, *left, *right))?;
        if order.is_ne() {
            return Some(order);
        }
    }
    Some(Ordering::Equal)
}

/// By size, then by keys, then by values.
fn compare_maps(graph: &Graph, left: &[Pair], right: &[Pair]) -> Option<Ordering> {
    let sizes = left.len().cmp(&right.len());
    if sizes.is_ne() {
        return Some(sizes);
    }
    for (left, right) in left.iter().zip(right) {
        let keys = compare_keys(graph, left.0, right.0);
        if keys.is_ne() {
            return Some(keys);
        }
    }
    for (left, right) in left.iter().zip(right) {
        let values = deep(|| compare(graph, left.1, right.1))?;
        if values.is_ne() {
            return Some(values);
        }
    }
    Some(Ordering::Equal)
}

/// The order in which maps compare their keys: that of terms, but all integers come before all
/// floats, and `-0.0` before `0.0`.
pub(super) fn compare_keys(graph: &Graph, left: NodeId, right: NodeId) -> Ordering {
    if left == right {
        return Ordering::Equal;
    }
    let numbers = [left, right].map(|it| graph.kinds(it));
    let inner = |left: NodeId, right: NodeId| deep(|| compare_keys(graph, left, right));
    let order = match (graph.node(left), graph.node(right)) {
        _ if numbers == [Kinds::INTEGER, Kinds::FLOAT] => Ordering::Less,
        _ if numbers == [Kinds::FLOAT, Kinds::INTEGER] => Ordering::Greater,
        (Node::Float(left), Node::Float(right)) => {
            f64::from_bits(*left).total_cmp(&f64::from_bits(*right))
        }
        (&Node::Cons(head, tail), &Node::Cons(other_head, other_tail)) => {
            inner(head, other_head).then_with(|| inner(tail, other_tail))
        }
        (Node::Tuple(left), Node::Tuple(right)) if left.len() == right.len() => {
            let mut pairs = left.iter().zip(right);
            let different = pairs.find(|(left, right)| left != right);
            different.map_or(Ordering::Equal, |(left, right)| inner(*left, *right))
        }
        _ => compare(graph, left, right).unwrap_or(Ordering::Equal),
    };
    order.then_with(|| left.cmp(&right))
}

/// Compares by value, exactly.
fn compare_mixed(integer: &Integer, float: f64) -> Option<Ordering> {
    let floor = BigInt::from_f64(float.floor())?;
    let order = integer.to_big().cmp(&floor);
    Some(if order.is_eq() && float.floor() < float {
        Ordering::Less
    } else {
        order
    })
}

fn compare_bits(left: &[u8], right: &[u8]) -> Option<Ordering> {
    let (Ok(Term::Bits(left, left_bits)), Ok(Term::Bits(right, right_bits))) =
        (decode(left), decode(right))
    else {
        return None;
    };
    // An incomplete byte is padded with zeros.
    Some(left.cmp(&right).then(left_bits.cmp(&right_bits)))
}
