//! When bit strings are the same, and their order. Where the size of one of them is known, that is
//! said of their bits; otherwise it is left as it is until more is known.

use super::bits::constant_bits;
use super::{
    Bits, Condition, Formula, Graph, Kinds, MOST_INPUT_BYTES, Node, NodeId, Operator, Piece, Place,
};
use crate::types::LAST_CHARACTER;

impl Graph {
    /// The bit string that is put together from these values.
    pub(super) fn computed_bits(&mut self, bits: &Bits, values: &[NodeId]) -> Option<NodeId> {
        let mut pieces: Vec<Piece> = Vec::with_capacity(values.len());
        for (piece, value) in bits.pieces.iter().zip(values) {
            if self.kinds(*value) != Kinds::INTEGER {
                return None;
            }
            pieces.push(Piece {
                value: *value,
                width: piece.width,
            });
        }
        if let Some(rest) = bits.rest {
            let of = *values.last()?;
            let (bytes, unused) = constant_bits(self.node(of))?;
            let size = (bytes.len() as u64 * 8).checked_sub(u64::from(unused))?;
            let there = size.checked_sub(rest.skipped)?;
            pieces.extend(self.pieces_of(of, rest.skipped, there)?);
        }
        let rest = None;
        Some(self.bits(Bits { pieces, rest }))
    }

    /// Whether something is a bit string that has pieces or is a constant one.
    fn is_made_of_bits(&self, node: NodeId) -> bool {
        matches!(self.node(node), Node::Bits(_))
    }

    /// The pieces of a bit string whose size is known.
    pub fn closed_pieces(&mut self, node: NodeId) -> Option<Vec<Piece>> {
        if self.is_part(node) {
            return None;
        }
        let bits = self.pieces(node)?;
        bits.rest.is_none().then_some(bits.pieces)
    }

    /// When two values are equal of which one is a bit string that was put together; `None` for
    /// others, and if more must be known.
    pub(super) fn equal_bits(&mut self, left: NodeId, right: NodeId) -> Option<Condition> {
        if !self.is_made_of_bits(left) && !self.is_made_of_bits(right) {
            return None;
        }
        for (closed, other) in [(left, right), (right, left)] {
            if let Some(pieces) = self.closed_pieces(closed)
                && self.can_be_taken_apart(other)
            {
                return Some(self.is_sequence(&pieces, other));
            }
        }
        let (one, other) = (self.open_bits(left)?, self.open_bits(right)?);
        // The first bits of both, and what is left.
        let common = one.width().max(other.width());
        if common == 0 {
            return None;
        }
        let mut conditions = vec![self.kind(Kinds::BITS, left), self.kind(Kinds::BITS, right)];
        let sizes = [left, right].map(|it| self.bit_size(it));
        conditions.push(self.equal(sizes[0], sizes[1]));
        let width = i64::try_from(common).ok()?;
        let width = self.integer(width);
        conditions.push(!self.less(sizes[0], width));
        let longer = if one.width() >= other.width() {
            (left, right)
        } else {
            (right, left)
        };
        let pieces = self.pieces_of(longer.0, 0, common)?;
        conditions.extend(self.same_pieces(&pieces, longer.1)?);
        let rests = [left, right].map(|it| self.sliced(it, common, None));
        conditions.push(self.equal(rests[0], rests[1]));
        Some(self.all(conditions))
    }

    fn can_be_taken_apart(&self, node: NodeId) -> bool {
        self.is_part(node) || matches!(self.node(node), Node::Bits(_) | Node::Other(..))
    }

    fn open_bits(&mut self, node: NodeId) -> Option<Bits> {
        if self.can_be_taken_apart(node) {
            self.pieces(node)
        } else {
            None
        }
    }

    /// A value is a bit string of exactly these pieces.
    fn is_sequence(&mut self, pieces: &[Piece], other: NodeId) -> Condition {
        let is_bits = self.kind(Kinds::BITS, other);
        if is_bits == Condition::FALSE {
            return is_bits;
        }
        let width: u64 = pieces.iter().map(|it| u64::from(it.width)).sum();
        let has_size = self.has_bit_size(other, width);
        if has_size == Condition::FALSE {
            return has_size;
        }
        let Some(same) = self.same_pieces(pieces, other) else {
            return self.intern_unknown();
        };
        self.all([is_bits, has_size].into_iter().chain(same))
    }

    fn intern_unknown(&mut self) -> Condition {
        let (unknown, yes) = (self.unknown(), NodeId::TRUE);
        self.intern_formula(Formula::Equal(unknown.min(yes), unknown.max(yes)))
    }

    /// A bit string has so many bits.
    pub fn has_bit_size(&mut self, of: NodeId, width: u64) -> Condition {
        if self.is_part(of) {
            let kind = if width.is_multiple_of(8) {
                Kinds::BINARY
            } else {
                Kinds::PARTIAL_BINARY
            };
            let is_kind = self.kind(kind, of);
            let number = i64::try_from(width.div_ceil(8)).unwrap_or(i64::MAX);
            let number = self.integer(number);
            let bytes = self.bytes(of);
            let has_bytes = self.equal(bytes, number);
            if width.is_multiple_of(8) {
                return self.all([is_kind, has_bytes]);
            }
            let missing = i64::try_from(8 - width % 8).unwrap_or_default();
            let missing = self.integer(missing);
            let unused = self.unused(of);
            let is_missing = self.equal(unused, missing);
            return self.all([is_kind, has_bytes, is_missing]);
        }
        let size = self.bit_size(of);
        let width = i64::try_from(width).unwrap_or(i64::MAX);
        let width = self.integer(width);
        self.equal(size, width)
    }

    /// The first bits of a bit string are these pieces, as conditions.
    fn same_pieces(&mut self, pieces: &[Piece], other: NodeId) -> Option<Vec<Condition>> {
        let mut conditions = Vec::new();
        let mut at = 0;
        for piece in pieces {
            let width = u64::from(piece.width);
            let same = self.same_field(other, at, width, piece.value)?;
            conditions.push(same);
            at += width;
        }
        Some(conditions)
    }

    /// Some bits of a bit string are those of an integer. Of a constant each piece is compared by
    /// itself.
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

    /// The first bit strings comes before the other, if both sizes are known.
    pub(super) fn less_bits(&mut self, left: NodeId, right: NodeId) -> Option<Condition> {
        if !self.is_made_of_bits(left) && !self.is_made_of_bits(right) {
            return None;
        }
        let closed = [self.closed_pieces(left)?, self.closed_pieces(right)?];
        let widths = closed.map(|pieces| pieces.iter().map(|it| u64::from(it.width)).sum::<u64>());
        let common = widths[0].min(widths[1]);
        let mut less = Condition::of(widths[0] < widths[1]);
        let last = common / 8;
        for index in (0..=last).rev() {
            let from = index * 8;
            let width = (common - from).min(8);
            if width == 0 {
                continue;
            }
            let [one, other] = [left, right].map(|it| self.field(it, from, width));
            let here = self.less(one, other);
            let same = self.equal(one, other);
            let later = self.all([same, less]);
            less = self.any([here, later]);
        }
        Some(less)
    }

    // ---- Parts of the input

    /// A part is the same bit string as a constant, said of its bytes; `None` for other constants.
    pub fn same_constant_bits(&mut self, part: NodeId, value: NodeId) -> Option<Condition> {
        if !self.kinds(value).is_within(Kinds::BITS) {
            return None;
        }
        let pieces = self.closed_pieces(value)?;
        Some(self.is_sequence(&pieces, part))
    }

    /// A bit string has some bits, and any number of times some more.
    pub(super) fn has_form_of_bits(&mut self, base: u64, unit: u64, node: NodeId) -> Condition {
        if unit == 0 {
            return self.has_bit_size(node, base);
        }
        let Ok(least) = i64::try_from(base) else {
            return Condition::FALSE;
        };
        let (size, zero, least) = (self.bit_size(node), self.integer(0), self.integer(least));
        let is_short = self.less(size, least);
        if base.is_multiple_of(8) && unit == 8 {
            let is_whole = self.kind(Kinds::BINARY, node);
            return self.all([is_whole, !is_short]);
        }
        let unit = self.integer(i64::try_from(unit).unwrap_or(1));
        let more = self.arithmetic(Operator::Subtract, size, least);
        let left = self.arithmetic(Operator::Modulo, more, unit);
        let is_whole = self.equal(left, zero);
        self.all([!is_short, is_whole])
    }

    fn known_part(&self, place: Place, of: NodeId) -> Option<NodeId> {
        let index = self.nodes.index_of(&Node::Part(place, of))?;
        Some(NodeId::of_index(index))
    }

    /// The number of bytes of a part, if somebody has looked at it.
    pub fn known_bytes(&self, of: NodeId) -> Option<NodeId> {
        self.known_part(Place::Bytes, of)
    }

    /// A byte of a part, if somebody has looked at it.
    pub fn known_byte(&self, index: u32, of: NodeId) -> Option<NodeId> {
        self.known_part(Place::Byte(index), of)
    }

    /// How many bits of the last byte are not a part's own, if somebody has looked at it.
    pub fn known_unused(&self, of: NodeId) -> Option<NodeId> {
        self.known_part(Place::Unused, of)
    }

    /// Whether a part says how large a bit string is.
    pub fn is_size(&self, part: NodeId) -> bool {
        matches!(self.node(part), Node::Part(Place::Bytes | Place::Unused, _))
    }

    /// Whether a part is a byte.
    pub fn is_byte(&self, part: NodeId) -> bool {
        matches!(self.node(part), Node::Part(Place::Byte(_), _))
    }

    /// The least and the largest number that a part can be which is known to be an integer.
    pub fn range_of_part(&self, part: NodeId) -> (i64, i64) {
        match self.node(part) {
            Node::Part(Place::Bytes, _) => (0, MOST_INPUT_BYTES.into()),
            Node::Part(Place::Unused, _) => (0, 7),
            Node::Part(Place::Byte(_), _) => (0, 255),
            _ => (0, LAST_CHARACTER),
        }
    }
}
