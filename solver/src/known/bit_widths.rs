//! How many bits a bit string has, if that is known.

use super::Known;
use crate::graph::{Bits, Kinds, MOST_BYTES, Node, NodeId, Piece};

impl Known<'_> {
    pub(crate) fn known_number(&mut self, node: NodeId) -> Option<u64> {
        let linear = self.linear(node)?;
        let constant = linear.terms.is_empty().then_some(linear.constant)?;
        u64::try_from(constant).ok()
    }

    /// The number of bits of a part, if it is known.
    pub(crate) fn known_width(&mut self, part: NodeId) -> Option<u64> {
        let kinds = self.store.part(part).kinds;
        if !kinds.is_within(Kinds::BITS) {
            return None;
        }
        let bytes = self.graph.bytes(part);
        let bytes = self.known_number(bytes)?;
        let unused = if kinds == Kinds::BINARY {
            0
        } else {
            let unused = self.graph.unused(part);
            self.known_number(unused)?
        };
        (bytes * 8).checked_sub(unused)
    }

    /// A bit string with its bits written out, if its size is known.
    pub(crate) fn closed_bits(&mut self, node: NodeId) -> Option<NodeId> {
        if self.graph.is_part(node) {
            if !self.kinds(node).is_within(Kinds::BITS) {
                return None;
            }
            let width = self.known_width(node)?;
            return self.closed(node, 0, width);
        }
        let Node::Bits(bits) = self.graph.node(node) else {
            return None;
        };
        let (mut pieces, rest) = (bits.pieces.clone(), bits.rest?);
        let of = self.resolve(rest.of);
        let closed = if self.graph.is_part(of) {
            let width = self.known_width(of)?;
            self.closed(of, rest.skipped, width.checked_sub(rest.skipped)?)?
        } else {
            self.graph.sliced(of, rest.skipped, None)
        };
        pieces.extend(self.graph.closed_pieces(closed)?);
        Some(self.graph.bits(Bits { pieces, rest: None }))
    }

    fn closed(&mut self, of: NodeId, from: u64, width: u64) -> Option<NodeId> {
        if width > 8 * MOST_BYTES as u64 {
            return None;
        }
        let pieces: Vec<Piece> = self.graph.pieces_of(of, from, width)?;
        Some(self.graph.bits(Bits { pieces, rest: None }))
    }
}
