//! Nodes computed again with constant operands.

use super::arena::Graph;
use super::bit_pieces::{Bits, Piece};
use super::ids::NodeId;
use super::node::{Node, Pair};
use crate::kinds::Kinds;

/// The constant that a node is if its operands are these constants; `None` if there is none.
pub(crate) fn computed(graph: &mut Graph, node: NodeId, values: &[NodeId]) -> Option<NodeId> {
    let computed = match (graph.node(node), values) {
        (Node::Tuple(_), _) => graph.tuple(values.iter().copied()),
        (Node::Cons(..), &[head, tail]) => graph.cons(head, tail),
        (&Node::Arithmetic(operator, ..), &[left, right]) => {
            graph.arithmetic(operator, left, right)
        }
        (&Node::Rounded(rounding, _), &[number]) => graph.rounded(rounding, number),
        (Node::Length(_), &[of]) => graph.length(of),
        (Node::TupleSize(_), &[of]) => graph.tuple_size(of),
        (Node::MapSize(_), &[of]) => graph.map_size(of),
        (Node::Map(_), _) => {
            let (pairs, _) = values.as_chunks::<2>();
            let pairs: Vec<Pair> = pairs.iter().map(|[key, value]| (*key, *value)).collect();
            graph.map(pairs)
        }
        (Node::Put(..), &[map, key, value]) => graph.put(map, key, value),
        (Node::Without(..), &[map, key]) => graph.without(map, key),
        (Node::AtomOf(_), &[text]) => graph.atom_of(text),
        (&Node::FloatOf(_, width), &[of]) => graph.float_of(of, width),
        (Node::Bits(bits), values) => {
            let bits = bits.clone();
            computed_bits(graph, &bits, values)?
        }
        _ => return None,
    };
    is_value(graph.node(computed)).then_some(computed)
}

/// Whether a node that was computed from constants is a constant.
fn is_value(node: &Node) -> bool {
    node.is_atomic() || matches!(node, Node::Cons(..) | Node::Tuple(_) | Node::Map(_))
}

fn computed_bits(graph: &mut Graph, bits: &Bits, values: &[NodeId]) -> Option<NodeId> {
    let mut pieces: Vec<Piece> = Vec::with_capacity(values.len());
    for (piece, value) in bits.pieces.iter().zip(values) {
        if graph.kinds(*value) != Kinds::INTEGER {
            return None;
        }
        pieces.push(Piece {
            value: *value,
            width: piece.width,
        });
    }
    if let Some(rest) = bits.rest {
        let of = *values.last()?;
        let (bytes, unused) = graph.node(of).as_constant_bits()?;
        let size = (bytes.len() as u64 * 8).checked_sub(u64::from(unused))?;
        let there = size.checked_sub(rest.skipped)?;
        pieces.extend(graph.pieces_of(of, rest.skipped, there)?);
    }
    let rest = None;
    Some(graph.bits(Bits { pieces, rest }))
}
