//! Equality and order of bit strings. Where the size of one of them is known, these are conditions
//! on their bits; otherwise they stay as they are until more is known.

use super::arena::Graph;
use super::bit_pieces::{Bits, Piece, total_width};
use super::formula::Formula;
use super::ids::{Condition, NodeId};
use super::node::Node;
use crate::kinds::Kinds;

impl Graph {
    /// Some bits of a bit string are those of an integer. The pieces of a constant are compared
    /// one by one.
    pub fn same_field(
        &mut self,
        of: NodeId,
        from: u64,
        width: u64,
        value: NodeId,
    ) -> Option<Condition> {
        let pieces = self.pieces_of(of, from, width)?;
        if !matches!(self.node(value), Node::Integer(_)) {
            let field = self.joined(&pieces);
            return Some(self.equal(field, value));
        }
        let whole = Piece {
            value,
            width: u32::try_from(width).ok()?,
        };
        let mut conditions = Vec::new();
        let mut at = 0;
        for piece in pieces {
            let end = at + u64::from(piece.width);
            let expected = self.cut_out(whole, at, end)?;
            conditions.push(self.equal(piece.value, expected));
            at = end;
        }
        Some(self.all(conditions))
    }

    /// A part equals a constant bit string, as a condition on its bytes; `None` for other
    /// constants.
    pub(crate) fn same_constant_bits(&mut self, part: NodeId, value: NodeId) -> Option<Condition> {
        if !self.kinds(value).is_within(Kinds::BITS) {
            return None;
        }
        let pieces = self.closed_pieces(value)?;
        Some(is_sequence(self, &pieces, part))
    }
}

/// The condition that two values are equal, if one of them is a bit string that the program built;
/// `None` for others, and if more must be known.
pub(super) fn equal_bits(graph: &mut Graph, left: NodeId, right: NodeId) -> Option<Condition> {
    if !is_built(graph, left) && !is_built(graph, right) {
        return None;
    }
    for (closed, other) in [(left, right), (right, left)] {
        if let Some(pieces) = graph.closed_pieces(closed)
            && has_pieces(graph, other)
        {
            return Some(is_sequence(graph, &pieces, other));
        }
    }
    equal_open_bits(graph, left, right)
}

/// The first bits are equal, and so are the rests.
fn equal_open_bits(graph: &mut Graph, left: NodeId, right: NodeId) -> Option<Condition> {
    let (one, other) = (open_bits(graph, left)?, open_bits(graph, right)?);
    let common = one.width().max(other.width());
    if common == 0 {
        return None;
    }
    let mut conditions = vec![
        graph.kind(Kinds::BITS, left),
        graph.kind(Kinds::BITS, right),
    ];
    let sizes = [left, right].map(|it| graph.bit_size(it));
    conditions.push(graph.equal(sizes[0], sizes[1]));
    let width = i64::try_from(common).ok()?;
    let width = graph.integer(width);
    conditions.push(!graph.less(sizes[0], width));
    let (longer, shorter) = if one.width() >= other.width() {
        (left, right)
    } else {
        (right, left)
    };
    let pieces = graph.pieces_of(longer, 0, common)?;
    conditions.extend(same_pieces(graph, &pieces, shorter)?);
    let rests = [left, right].map(|it| graph.sliced(it, common, None));
    conditions.push(graph.equal(rests[0], rests[1]));
    Some(graph.all(conditions))
}

fn is_built(graph: &Graph, node: NodeId) -> bool {
    matches!(graph.node(node), Node::Bits(_))
}

fn has_pieces(graph: &Graph, node: NodeId) -> bool {
    graph.is_part(node) || matches!(graph.node(node), Node::Bits(_) | Node::Other(..))
}

fn open_bits(graph: &mut Graph, node: NodeId) -> Option<Bits> {
    if has_pieces(graph, node) {
        graph.pieces(node)
    } else {
        None
    }
}

/// A value is a bit string of exactly these pieces.
fn is_sequence(graph: &mut Graph, pieces: &[Piece], other: NodeId) -> Condition {
    let is_bits = graph.kind(Kinds::BITS, other);
    if is_bits == Condition::FALSE {
        return is_bits;
    }
    let has_size = graph.has_bit_size(other, total_width(pieces));
    if has_size == Condition::FALSE {
        return has_size;
    }
    let Some(same) = same_pieces(graph, pieces, other) else {
        return unknown_condition(graph);
    };
    graph.all([is_bits, has_size].into_iter().chain(same))
}

fn unknown_condition(graph: &mut Graph) -> Condition {
    let (unknown, yes) = (graph.unknown(), NodeId::TRUE);
    graph.intern_formula(Formula::Equal(unknown.min(yes), unknown.max(yes)))
}

/// The first bits of a bit string are these pieces, as conditions.
fn same_pieces(graph: &mut Graph, pieces: &[Piece], other: NodeId) -> Option<Vec<Condition>> {
    let mut conditions = Vec::new();
    let mut at = 0;
    for piece in pieces {
        let width = u64::from(piece.width);
        let same = graph.same_field(other, at, width, piece.value)?;
        conditions.push(same);
        at += width;
    }
    Some(conditions)
}

/// The first bit string comes before the other, if both sizes are known.
pub(super) fn less_bits(graph: &mut Graph, left: NodeId, right: NodeId) -> Option<Condition> {
    if !is_built(graph, left) && !is_built(graph, right) {
        return None;
    }
    let closed = [graph.closed_pieces(left)?, graph.closed_pieces(right)?];
    let widths = closed.map(|pieces| total_width(&pieces));
    let common = widths[0].min(widths[1]);
    let mut less = Condition::of(widths[0] < widths[1]);
    let last = common / 8;
    for index in (0..=last).rev() {
        let from = index * 8;
        let width = (common - from).min(8);
        if width == 0 {
            continue;
        }
        let [one, other] = [left, right].map(|it| graph.field(it, from, width));
        let here = graph.less(one, other);
        let same = graph.equal(one, other);
        let later = graph.all([same, less]);
        less = graph.any([here, later]);
    }
    Some(less)
}
