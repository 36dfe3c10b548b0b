//! Putting bit strings together from segments.

use flattener::flat::{SegmentKind, SegmentType};

use super::super::{Stop, Walk, Walked};
use crate::matching::is_big;
use solver::graph::{Bits, Condition, Kinds, MOST_BYTES, Node, NodeId, Operator, Piece};

/// A segment that is put into a bit string.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Segment {
    pub(crate) value: NodeId,
    /// The size in units.
    pub(crate) size: NodeId,
    pub(crate) kind: SegmentType,
}

impl Walk<'_> {
    /// `<<Segments>>`.
    pub(crate) fn build(&mut self, segments: &[Segment]) -> Walked {
        let mut built = Bits::default();
        for (number, segment) in segments.iter().enumerate() {
            let is_last = number + 1 == segments.len();
            match segment.kind.kind {
                SegmentKind::Integer => self.build_integer(segment, &mut built)?,
                SegmentKind::Binary if self.is_all(segment) => {
                    self.build_all(segment, is_last, &mut built)?;
                }
                SegmentKind::Binary => self.build_part(segment, &mut built)?,
                SegmentKind::Float => self.build_float(segment, &mut built)?,
                SegmentKind::Utf8 | SegmentKind::Utf16 | SegmentKind::Utf32 => {
                    self.build_character(segment, &mut built)?;
                }
            }
            if built.width() > 8 * MOST_BYTES as u64 {
                return Err(Stop::Unknown);
            }
        }
        Ok(self.graph.bits(built))
    }

    fn is_all(&self, segment: &Segment) -> bool {
        matches!(self.graph.node(segment.size), Node::Atom(atom) if atom.as_str() == "all")
    }

    /// The size of a segment in bits.
    fn width(&mut self, segment: &Segment) -> Result<u64, Stop> {
        self.require_natural(segment.size)?;
        let size = self.exact(segment.size)?;
        let width = size.saturating_mul(segment.kind.unit.unwrap_or(1).into());
        if width > 8 * MOST_BYTES as u64 {
            return Err(Stop::Unknown);
        }
        Ok(width)
    }

    fn build_integer(&mut self, segment: &Segment, built: &mut Bits) -> Result<(), Stop> {
        let is_integer = self.graph.kind(Kinds::INTEGER, segment.value);
        self.require(is_integer)?;
        let width = self.width(segment)?;
        let value = self.graph.fitted(segment.value, width);
        self.put(value, width, is_big(segment.kind.endianness), built);
        Ok(())
    }

    /// Puts an integer that fits.
    fn put(&mut self, value: NodeId, width: u64, is_big: bool, built: &mut Bits) {
        let pieces = self.graph.written(value, width, is_big);
        built.pieces.extend(pieces);
    }

    /// A whole bit string.
    fn build_all(
        &mut self,
        segment: &Segment,
        is_last: bool,
        built: &mut Bits,
    ) -> Result<(), Stop> {
        let unit = segment.kind.unit.unwrap_or(1);
        let kinds = if unit.is_multiple_of(8) {
            Kinds::BINARY
        } else {
            Kinds::BITS
        };
        let is_bits = self.graph.kind(kinds, segment.value);
        self.require(is_bits)?;
        if unit != 1 && unit != 8 {
            let size = self.graph.bit_size(segment.value);
            let unit = self.graph.integer(unit.into());
            let left = self.graph.arithmetic(Operator::Modulo, size, unit);
            let zero = self.graph.integer(0);
            let is_whole = self.graph.equal(left, zero);
            self.require(is_whole)?;
        }
        let value = segment.value;
        let known = if self.is_taken_apart(value) {
            self.graph.pieces(value)
        } else {
            None
        };
        match known {
            Some(bits) if is_last || bits.rest.is_none() => {
                built.pieces.extend(bits.pieces);
                built.rest = bits.rest;
            }
            _ => built.pieces.extend(self.all_pieces(value)?),
        }
        Ok(())
    }

    fn is_taken_apart(&self, value: NodeId) -> bool {
        self.graph.is_part(value)
            || matches!(self.graph.node(value), Node::Bits(_) | Node::Other(..))
    }

    /// The first bits of a bit string.
    fn build_part(&mut self, segment: &Segment, built: &mut Bits) -> Result<(), Stop> {
        let is_bits = self.graph.kind(Kinds::BITS, segment.value);
        self.require(is_bits)?;
        self.require_natural(segment.size)?;
        let unit = self.graph.integer(segment.kind.unit.unwrap_or(1).into());
        let bits = self
            .graph
            .arithmetic(Operator::Multiply, segment.size, unit);
        let there = self.graph.bit_size(segment.value);
        let is_short = self.graph.less(there, bits);
        self.require(!is_short)?;
        let width = self.width(segment)?;
        built
            .pieces
            .extend(self.first_pieces(segment.value, width)?);
        Ok(())
    }

    /// A float that came out of a bit string goes back as it was; of others only constants are
    /// known.
    fn build_float(&mut self, segment: &Segment, built: &mut Bits) -> Result<(), Stop> {
        let is_number = self.graph.kind(Kinds::NUMBER, segment.value);
        self.require(is_number)?;
        let width = self.width(segment)?;
        let is_big = is_big(segment.kind.endianness);
        match *self.graph.node(segment.value) {
            Node::FloatOf(bits, own) if u64::from(own) == width => {
                self.put(bits, width, is_big, built);
                return Ok(());
            }
            _ => {}
        }
        let value = match self.graph.node(segment.value) {
            Node::Float(bits) => f64::from_bits(*bits),
            Node::Integer(value) => value.to_i64().map(|it| it as f64).ok_or(Stop::Unknown)?,
            _ => return Err(Stop::Unknown),
        };
        let bits = match width {
            64 => value.to_bits(),
            32 => {
                let single = value as f32;
                if single.is_infinite() {
                    return Err(Stop::Raises);
                }
                u64::from(single.to_bits())
            }
            16 => return Err(Stop::Unknown),
            _ => return Err(Stop::Raises),
        };
        let bits = self
            .graph
            .big_integer(num_bigint::BigInt::from(bits).into());
        self.put(bits, width, is_big, built);
        Ok(())
    }

    /// A character, if it is one.
    fn build_character(&mut self, segment: &Segment, built: &mut Bits) -> Result<(), Stop> {
        let code = segment.value;
        let is_big = is_big(segment.kind.endianness);
        let ends: &[i64] = match segment.kind.kind {
            SegmentKind::Utf8 => &[0x80, 0x800, 0x1_0000, 0x11_0000],
            SegmentKind::Utf16 => &[0x1_0000, 0x11_0000],
            _ => &[0x11_0000],
        };
        let is_character = self.is_code(code);
        let mut ways = vec![!is_character];
        for end in ends {
            let end = self.graph.integer(*end);
            ways.push(self.graph.less(code, end));
        }
        ways.push(Condition::TRUE);
        let form = self.choose(&ways)?;
        match (segment.kind.kind, form) {
            (_, 0) => return Err(Stop::Raises),
            (SegmentKind::Utf8, 1..=4) => self.put_utf8(code, form as u64 - 1, built),
            (SegmentKind::Utf16, 1) => self.put(code, 16, is_big, built),
            (SegmentKind::Utf16, 2) => {
                let offset = self.graph.shifted(code, -0x1_0000);
                let size = self.graph.integer(0x400);
                let high = self.graph.arithmetic(Operator::Divide, offset, size);
                let high = self.graph.shifted(high, 0xD800);
                let low = self.graph.arithmetic(Operator::Remainder, offset, size);
                let low = self.graph.shifted(low, 0xDC00);
                self.put(high, 16, is_big, built);
                self.put(low, 16, is_big, built);
            }
            (SegmentKind::Utf32, 1) => self.put(code, 32, is_big, built),
            _ => return Err(Stop::Unknown),
        }
        Ok(())
    }

    fn is_code(&mut self, code: NodeId) -> Condition {
        let ranges = [
            self.is_between(code, 0, 0xD7FF),
            self.is_between(code, 0xE000, 0x10_FFFF),
        ];
        self.graph.any(ranges)
    }

    fn put_utf8(&mut self, code: NodeId, more: u64, built: &mut Bits) {
        let lead = match more {
            0 => 0,
            1 => 0xC0,
            2 => 0xE0,
            _ => 0xF0,
        };
        for number in (0..=more).rev() {
            let mut value = code;
            if number > 0 {
                let factor = self.graph.power_of_two(6 * number);
                value = self.graph.arithmetic(Operator::Divide, value, factor);
            }
            if number < more {
                let size = self.graph.integer(64);
                value = self.graph.arithmetic(Operator::Remainder, value, size);
            }
            let mark = if number == more { lead } else { 0x80 };
            let value = self.graph.shifted(value, mark);
            built.pieces.push(Piece { value, width: 8 });
        }
    }
}
