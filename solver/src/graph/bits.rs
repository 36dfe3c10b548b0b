//! Bit strings. Those of the input have parts like other values: the number of their bytes, the
//! number of bits of the last byte that are not theirs, and their bytes. Those that a program puts
//! together are sequences of integers with widths, and perhaps what is left of one of the input.

use erlang_term::Term;
use num_bigint::BigInt;
use num_traits::ToPrimitive;

use super::{Condition, Graph, Kinds, Node, NodeId, Operator, Place};

/// Longer bit strings are not taken apart, in bytes.
pub const MOST_BYTES: usize = 4096;

/// So many pieces are looked at for one run; what comes behind is not taken apart. A loop over a
/// long bit string looks at all that is left of it in each round.
const MOST_PIECES_IN_ALL: usize = 20_000_000;

/// An integer and the number of bits it is written with, which it fits into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Piece {
    /// The integer, not negative.
    pub value: NodeId,
    /// How many bits it has.
    pub width: u32,
}

/// A bit string of the input without its first bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rest {
    /// A part of the input.
    pub of: NodeId,
    /// How many bits are left out.
    pub skipped: u64,
}

/// A bit string that was put together.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Bits {
    /// What it begins with.
    pub pieces: Vec<Piece>,
    /// What it ends with.
    pub rest: Option<Rest>,
}

impl Bits {
    /// How many bits there are before the rest.
    pub fn width(&self) -> u64 {
        let widths = self.pieces.iter().map(|it| u64::from(it.width));
        widths.sum()
    }
}

/// The bytes of a constant, and how many bits of the last one are not its own.
pub(super) fn constant_bits(node: &Node) -> Option<(&[u8], u8)> {
    let Node::Other(kinds, bytes) = node else {
        return None;
    };
    match (*kinds, &**bytes) {
        (Kinds::BINARY, [131, 109, _, _, _, _, bytes @ ..]) => Some((bytes, 0)),
        (Kinds::PARTIAL_BINARY, [131, 77, _, _, _, _, used, bytes @ ..]) => {
            Some((bytes, 8_u8.checked_sub(*used)?))
        }
        _ => None,
    }
}

impl Graph {
    /// A bit string of pieces and a rest.
    pub fn bits(&mut self, bits: Bits) -> NodeId {
        if let Some(Rest { of, skipped }) = bits.rest {
            return match (bits.pieces.as_slice(), skipped) {
                ([], 0) => of,
                _ => self.intern(Node::Bits(Box::new(bits))),
            };
        }
        let constants = bits
            .pieces
            .iter()
            .map(|piece| match self.node(piece.value) {
                Node::Integer(value) => Some((value.to_big(), piece.width)),
                _ => None,
            });
        match constants.collect::<Option<Vec<(BigInt, u32)>>>() {
            Some(constants) => self.constant(&put_together(&constants)),
            None => self.intern(Node::Bits(Box::new(bits))),
        }
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
        let (bytes, unused) = constant_bits(self.node(of))?;
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

    // ---- Sizes

    /// The number of bytes of a value that is a bit string, the last one perhaps not whole.
    pub fn bytes(&mut self, of: NodeId) -> NodeId {
        self.by_unused(of, Place::Bytes, |graph, bytes, width, unused| {
            let more =
                (width - unused).div_euclid(8) + i64::from((width - unused).rem_euclid(8) != 0);
            graph.shifted(bytes, more)
        })
    }

    /// How many bits of the last byte of a bit string are not its own.
    pub fn unused(&mut self, of: NodeId) -> NodeId {
        self.by_unused(of, Place::Unused, |graph, _, width, unused| {
            graph.integer((unused - width).rem_euclid(8))
        })
    }

    /// Something about the size of a bit string, which depends on the bytes of the rest, the bits
    /// that are there in front of it and how many of the rest's last bits are not its own.
    fn by_unused(
        &mut self,
        of: NodeId,
        place: Place,
        compute: impl Fn(&mut Self, NodeId, i64, i64) -> NodeId + Copy,
    ) -> NodeId {
        if self.is_choice(of) {
            return self.distribute(of, |graph, leaf| graph.by_unused(leaf, place, compute));
        }
        if let Some((bytes, unused)) = constant_bits(self.node(of)) {
            let number = match place {
                Place::Bytes => i64::try_from(bytes.len()).unwrap_or(i64::MAX),
                _ => i64::from(unused),
            };
            return self.integer(number);
        }
        let Node::Bits(bits) = self.node(of) else {
            return self.part(place, of);
        };
        let width = i64::try_from(bits.width()).unwrap_or(i64::MAX);
        let Some(rest) = bits.rest else {
            let zero = self.integer(0);
            return compute(self, zero, width, 0);
        };
        let width = width - i64::try_from(rest.skipped).unwrap_or(i64::MAX);
        let bytes = self.bytes(rest.of);
        if width % 8 == 0 && place == Place::Unused {
            return self.unused(rest.of);
        }
        let mut result = compute(self, bytes, width, 0);
        if width % 8 != 0 {
            let own = self.unused(rest.of);
            for unused in 1..8 {
                let here = self.integer(unused);
                let is_here = self.equal(own, here);
                let value = compute(self, bytes, width, unused);
                result = self.choice(is_here, value, result);
            }
        }
        result
    }

    /// The number of bits of a value that is a bit string.
    pub fn bit_size(&mut self, of: NodeId) -> NodeId {
        if self.is_choice(of) {
            return self.distribute(of, Self::bit_size);
        }
        if let Node::Bits(bits) = self.node(of) {
            let width = i64::try_from(bits.width()).unwrap_or(i64::MAX);
            let Some(rest) = bits.rest else {
                return self.integer(width);
            };
            let of_rest = self.bit_size(rest.of);
            let skipped = i64::try_from(rest.skipped).unwrap_or(i64::MAX);
            return self.shifted(of_rest, width - skipped);
        }
        let (bytes, unused) = (self.bytes(of), self.unused(of));
        let eight = self.integer(8);
        let bits = self.arithmetic(Operator::Multiply, bytes, eight);
        self.arithmetic(Operator::Subtract, bits, unused)
    }

    /// An integer and a constant.
    pub fn shifted(&mut self, number: NodeId, by: i64) -> NodeId {
        let by = self.integer(by);
        self.arithmetic(Operator::Add, number, by)
    }

    /// A bit string has whole bytes.
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

    /// The kinds of a bit string that was put together, as far as it tells.
    pub(super) fn kinds_of_bits(&self, bits: &Bits) -> Kinds {
        match bits.rest {
            None if bits.width().is_multiple_of(8) => Kinds::BINARY,
            None => Kinds::PARTIAL_BINARY,
            Some(_) => Kinds::BITS,
        }
    }

    // ---- Contents

    /// A byte of a value that is a bit string with more bytes. One that is not whole is filled up
    /// with zeros.
    pub fn byte(&mut self, index: u32, of: NodeId) -> NodeId {
        match self.node(of) {
            Node::Bits(bits) if bits.rest.is_none() => {
                let from = u64::from(index) * 8;
                let there = bits.width().saturating_sub(from).min(8);
                let value = self.field(of, from, there);
                let filled = self.integer(1 << (8 - there));
                self.arithmetic(Operator::Multiply, value, filled)
            }
            Node::Choice(..) => self.distribute(of, |graph, leaf| graph.byte(index, leaf)),
            Node::Bits(_) | Node::Other(..) => match self.known_at(Place::Byte(index), of) {
                Some(byte) => byte,
                None => self.field(of, u64::from(index) * 8, 8),
            },
            _ => self.part(Place::Byte(index), of),
        }
    }

    /// A byte of a constant, if it has so many.
    pub(super) fn constant_byte(&mut self, index: u32, of: NodeId) -> Option<NodeId> {
        let (bytes, _) = constant_bits(self.node(of))?;
        let byte = *bytes.get(index as usize)?;
        Some(self.integer(i64::from(byte)))
    }

    /// The pieces that some bits of a bit string are made of; `None` if that is not known.
    pub fn pieces_of(&mut self, of: NodeId, from: u64, width: u64) -> Option<Vec<Piece>> {
        if width > 8 * MOST_BYTES as u64 {
            return None;
        }
        let bits = self.pieces(of)?;
        let mut pieces = Vec::new();
        let mut at = 0;
        for piece in &bits.pieces {
            let end = at + u64::from(piece.width);
            self.cut(*piece, at, (from, from + width), &mut pieces);
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
                self.cut(byte, index * 8, (first, end), &mut pieces);
            }
        }
        Some(pieces)
    }

    /// The bits of a piece that begins at some place and lie between two others.
    fn cut(&mut self, piece: Piece, at: u64, (from, to): (u64, u64), pieces: &mut Vec<Piece>) {
        let end = at + u64::from(piece.width);
        let (first, last) = (from.max(at), to.min(end));
        if first >= last {
            return;
        }
        let mut value = piece.value;
        if last < end {
            let behind = self.power_of_two(end - last);
            value = self.arithmetic(Operator::Divide, value, behind);
        }
        if first > at {
            let size = self.power_of_two(last - first);
            value = self.arithmetic(Operator::Remainder, value, size);
        }
        let width = u32::try_from(last - first).unwrap_or(piece.width);
        pieces.push(Piece { value, width });
    }

    /// The bits of a piece from one place to another.
    pub(super) fn cut_out(&mut self, piece: Piece, from: u64, to: u64) -> Option<NodeId> {
        let mut pieces = Vec::new();
        self.cut(piece, 0, (from, to), &mut pieces);
        pieces.pop().map(|it| it.value)
    }

    /// Some bits of a bit string as an integer, the most significant first.
    pub fn field(&mut self, of: NodeId, from: u64, width: u64) -> NodeId {
        if self.is_choice(of) {
            return self.distribute(of, |graph, leaf| graph.field(leaf, from, width));
        }
        match self.pieces_of(of, from, width) {
            Some(pieces) => self.joined(&pieces),
            None => self.unknown(),
        }
    }

    /// The integer that pieces are written one behind the other.
    pub fn joined(&mut self, pieces: &[Piece]) -> NodeId {
        let mut sum = self.integer(0);
        let mut behind = 0;
        for piece in pieces.iter().rev() {
            let factor = self.power_of_two(behind);
            let value = self.arithmetic(Operator::Multiply, piece.value, factor);
            sum = self.arithmetic(Operator::Add, value, sum);
            behind += u64::from(piece.width);
        }
        sum
    }

    /// Some bits of a bit string as one; up to its end if there is no width.
    pub fn sliced(&mut self, of: NodeId, from: u64, width: Option<u64>) -> NodeId {
        if self.is_choice(of) {
            return self.distribute(of, |graph, leaf| graph.sliced(leaf, from, width));
        }
        let Some(bits) = self.pieces(of) else {
            return self.unknown();
        };
        let before = bits.width();
        let there = width.unwrap_or_else(|| before.saturating_sub(from));
        let Some(pieces) = self.pieces_of(of, from, there) else {
            return self.unknown();
        };
        let rest = match (bits.rest, width) {
            (Some(rest), None) => Some(Rest {
                of: rest.of,
                skipped: rest.skipped + from.saturating_sub(before),
            }),
            _ => None,
        };
        self.bits(Bits { pieces, rest })
    }
}

/// No longer bit string is made as an input, in bytes.
pub const MOST_INPUT_BYTES: u32 = 1 << 16;

/// The constant that is put together from integers with widths.
fn put_together(pieces: &[(BigInt, u32)]) -> Term {
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
