//! Bit strings. Those of the input have parts like other values: the number of their bytes, the
//! number of unused bits in the last byte, and the bytes. Those that a program builds are
//! sequences of integers with widths, and perhaps the rest of a bit string of the input.

use erlang_term::Term;
use num_bigint::BigInt;
use num_traits::ToPrimitive;

use super::arena::Graph;
use super::bit_pieces::{Bits, Piece, Rest};
use super::ids::{Condition, NodeId};
use super::node::{Node, Place};
use super::operator::Operator;
use crate::kinds::Kinds;

/// Longer bit strings are not split into pieces, in bytes.
pub const MOST_BYTES: usize = 4096;

/// After this number of pieces in one run, bit strings are not split any more. A loop over a long
/// bit string looks at all of its rest in each round.
const MOST_PIECES_IN_ALL: usize = 20_000_000;

impl Graph {
    /// A bit string of pieces and a rest.
    pub fn bits(&mut self, bits: Bits) -> NodeId {
        if let Some(Rest { of, skipped }) = bits.rest {
            return match (bits.pieces.as_slice(), skipped) {
                ([], 0) => of,
                _ => self.intern(Node::Bits(Box::new(bits))),
            };
        }
        match self.constant_pieces(&bits.pieces) {
            Some(constants) => self.constant(&bit_string(&constants)),
            None => self.intern(Node::Bits(Box::new(bits))),
        }
    }

    fn constant_pieces(&self, pieces: &[Piece]) -> Option<Vec<(BigInt, u32)>> {
        let constant = |piece: &Piece| {
            let Node::Integer(value) = self.node(piece.value) else {
                return None;
            };
            Some((value.to_big(), piece.width))
        };
        pieces.iter().map(constant).collect()
    }

    /// The pieces of a value that is a bit string; `None` if it is not known or too long.
    pub fn pieces(&mut self, of: NodeId) -> Option<Bits> {
        if self.pieces_seen > MOST_PIECES_IN_ALL {
            return None;
        }
        let pieces = self.all_pieces(of)?;
        self.pieces_seen += pieces.pieces.len();
        Some(pieces)
    }

    fn all_pieces(&mut self, of: NodeId) -> Option<Bits> {
        if let Node::Bits(bits) = self.node(of) {
            return Some((**bits).clone());
        }
        if self.is_part(of) {
            let rest = Some(Rest { of, skipped: 0 });
            return Some(Bits {
                pieces: Vec::new(),
                rest,
            });
        }
        let (bytes, unused) = self.node(of).as_constant_bits()?;
        if bytes.len() > MOST_BYTES {
            return None;
        }
        let bytes = bytes.to_vec();
        let last = bytes.len().wrapping_sub(1);
        let pieces = bytes.into_iter().enumerate().map(|(index, byte)| {
            let unused = if index == last { unused } else { 0 };
            Piece {
                value: self.integer(i64::from(byte >> unused)),
                width: 8 - u32::from(unused),
            }
        });
        Some(Bits {
            pieces: pieces.collect(),
            rest: None,
        })
    }

    /// The pieces of a bit string whose size is known.
    pub fn closed_pieces(&mut self, node: NodeId) -> Option<Vec<Piece>> {
        if self.is_part(node) {
            return None;
        }
        let bits = self.pieces(node)?;
        bits.rest.is_none().then_some(bits.pieces)
    }

    /// A byte of a value that is a bit string with more bytes. An incomplete byte is padded with
    /// zeros.
    pub(super) fn byte(&mut self, index: u32, of: NodeId) -> NodeId {
        self.distribute(of, |graph, leaf| graph.byte_of_leaf(index, leaf))
    }

    fn byte_of_leaf(&mut self, index: u32, of: NodeId) -> NodeId {
        let from = u64::from(index) * 8;
        if let Node::Bits(bits) = self.node(of)
            && bits.rest.is_none()
        {
            let there = bits.width().saturating_sub(from).min(8);
            let value = self.field(of, from, there);
            let filled = self.integer(1 << (8 - there));
            return self.arithmetic(Operator::Multiply, value, filled);
        }
        if !matches!(self.node(of), Node::Bits(_) | Node::Other(..)) {
            return self.part(Place::Byte(index), of);
        }
        match self.known_at(Place::Byte(index), of) {
            Some(byte) => byte,
            None => self.field(of, from, 8),
        }
    }

    /// A byte of a constant, if it has one at this index.
    pub(super) fn constant_byte(&mut self, index: u32, of: NodeId) -> Option<NodeId> {
        let (bytes, _) = self.node(of).as_constant_bits()?;
        let byte = *bytes.get(index as usize)?;
        Some(self.integer(i64::from(byte)))
    }

    /// The pieces of some bits of a bit string; `None` if that is not known.
    pub fn pieces_of(&mut self, of: NodeId, from: u64, width: u64) -> Option<Vec<Piece>> {
        if width > 8 * MOST_BYTES as u64 {
            return None;
        }
        let bits = self.pieces(of)?;
        let mut pieces = Vec::new();
        let mut at = 0;
        for piece in &bits.pieces {
            let end = at + u64::from(piece.width);
            pieces.extend(self.cut(*piece, at, (from, from + width)));
            at = end;
        }
        if let Some(rest) = bits.rest
            && from + width > at
        {
            let first = from.max(at) - at + rest.skipped;
            let end = from + width - at + rest.skipped;
            for index in first / 8..end.div_ceil(8) {
                let value = self.byte(u32::try_from(index).ok()?, rest.of);
                let byte = Piece { value, width: 8 };
                pieces.extend(self.cut(byte, index * 8, (first, end)));
            }
        }
        Some(pieces)
    }

    /// Some bits of a bit string as an integer, the most significant first.
    pub fn field(&mut self, of: NodeId, from: u64, width: u64) -> NodeId {
        self.distribute(of, |graph, leaf| match graph.pieces_of(leaf, from, width) {
            Some(pieces) => graph.joined(&pieces),
            None => graph.unknown(),
        })
    }

    /// Some bits of a bit string as a bit string; up to its end if there is no width.
    pub fn sliced(&mut self, of: NodeId, from: u64, width: Option<u64>) -> NodeId {
        self.distribute(of, |graph, leaf| {
            let slice = graph.slice_of_leaf(leaf, from, width);
            slice.unwrap_or_else(|| graph.unknown())
        })
    }

    fn slice_of_leaf(&mut self, of: NodeId, from: u64, width: Option<u64>) -> Option<NodeId> {
        let bits = self.pieces(of)?;
        let before = bits.width();
        let there = width.unwrap_or_else(|| before.saturating_sub(from));
        let pieces = self.pieces_of(of, from, there)?;
        let rest = bits.rest.filter(|_| width.is_none()).map(|rest| Rest {
            of: rest.of,
            skipped: rest.skipped + from.saturating_sub(before),
        });
        Some(self.bits(Bits { pieces, rest }))
    }

    /// A bit string has whole bytes only.
    pub(super) fn is_whole(&mut self, of: NodeId) -> Condition {
        let Node::Bits(bits) = self.node(of) else {
            return self.kind(Kinds::BINARY, of);
        };
        let width = bits.width();
        let Some(rest) = bits.rest else {
            return Condition::of(width % 8 == 0);
        };
        let missing = (width + 8 - rest.skipped % 8) % 8;
        if missing == 0 {
            return self.kind(Kinds::BINARY, rest.of);
        }
        let unused = self.unused(rest.of);
        let missing = i64::try_from(missing).unwrap_or_default();
        let missing = self.integer(missing);
        self.equal(unused, missing)
    }
}

/// The constant bit string of integers with widths.
fn bit_string(pieces: &[(BigInt, u32)]) -> Term {
    if pieces.iter().all(|it| it.1 == 8) {
        let bytes = pieces.iter().map(|it| it.0.to_u8().unwrap_or_default());
        return Term::Bits(bytes.collect(), 8);
    }
    let mut bytes = Vec::new();
    let mut open = 0_u32;
    for (value, width) in pieces {
        for bit in (0..*width).rev() {
            if open == 0 {
                bytes.push(0);
                open = 8;
            }
            open -= 1;
            if value.bit(bit.into())
                && let Some(last) = bytes.last_mut()
            {
                *last |= 1_u8 << open;
            }
        }
    }
    let used = 8 - open.to_u8().unwrap_or_default();
    Term::Bits(bytes, used)
}
