//! Bit strings that are built from segments.

use flattener::flat::{Endianness, SegmentKind, SegmentType};
use num_bigint::BigInt;
use solver::graph::{Bits, Condition, Kinds, MOST_BYTES, Node, NodeId, Operator, Piece};

use crate::pieces::{all_pieces, exact, first_pieces, require_natural};
use crate::walk::{Stop, Walk, Walked};

/// A segment of a bit string that is built.
#[derive(Clone, Copy, Debug)]
pub struct BuiltSegment {
    /// What is put there.
    pub value: NodeId,
    /// The size in units.
    pub size: NodeId,
    /// How it is written.
    pub kind: SegmentType,
}

/// `<<Segments>>`.
///
/// # Errors
/// When it is not built, or the run does not tell.
pub fn build(walk: &mut Walk<'_>, segments: &[BuiltSegment]) -> Walked {
    let mut built = Bits::default();
    for (number, segment) in segments.iter().enumerate() {
        let is_last = number + 1 == segments.len();
        match segment.kind.kind {
            SegmentKind::Integer => build_integer(walk, segment, &mut built)?,
            SegmentKind::Binary if is_all(walk, segment) => {
                build_all(walk, segment, is_last, &mut built)?;
            }
            SegmentKind::Binary => build_part(walk, segment, &mut built)?,
            SegmentKind::Float => build_float(walk, segment, &mut built)?,
            SegmentKind::Utf8 | SegmentKind::Utf16 | SegmentKind::Utf32 => {
                build_character(walk, segment, &mut built)?;
            }
        }
        if built.width() > 8 * MOST_BYTES as u64 {
            return Err(Stop::Unknown);
        }
    }
    Ok(walk.graph.bits(built))
}

fn is_all(walk: &Walk<'_>, segment: &BuiltSegment) -> bool {
    matches!(walk.graph.node(segment.size), Node::Atom(atom) if atom.as_str() == "all")
}

/// The size of a segment in bits.
fn width(walk: &mut Walk<'_>, segment: &BuiltSegment) -> Result<u64, Stop> {
    require_natural(walk, segment.size)?;
    let size = exact(walk, segment.size)?;
    let width = size.saturating_mul(segment.kind.unit.unwrap_or(1).into());
    if width > 8 * MOST_BYTES as u64 {
        return Err(Stop::Unknown);
    }
    Ok(width)
}

fn build_integer(
    walk: &mut Walk<'_>,
    segment: &BuiltSegment,
    built: &mut Bits,
) -> Result<(), Stop> {
    let is_integer = walk.graph.kind(Kinds::INTEGER, segment.value);
    walk.require(is_integer)?;
    let width = width(walk, segment)?;
    let value = walk.graph.fitted(segment.value, width);
    put(walk, value, width, is_big(segment.kind.endianness), built);
    Ok(())
}

/// Puts an integer that fits.
fn put(walk: &mut Walk<'_>, value: NodeId, width: u64, is_big: bool, built: &mut Bits) {
    let pieces = walk.graph.written(value, width, is_big);
    built.pieces.extend(pieces);
}

/// A whole bit string.
fn build_all(
    walk: &mut Walk<'_>,
    segment: &BuiltSegment,
    is_last: bool,
    built: &mut Bits,
) -> Result<(), Stop> {
    let unit = segment.kind.unit.unwrap_or(1);
    let kinds = if unit.is_multiple_of(8) {
        Kinds::BINARY
    } else {
        Kinds::BITS
    };
    let is_bits = walk.graph.kind(kinds, segment.value);
    walk.require(is_bits)?;
    if unit != 1 && unit != 8 {
        let size = walk.graph.bit_size(segment.value);
        let unit = walk.graph.integer(unit.into());
        let left = walk.graph.arithmetic(Operator::Modulo, size, unit);
        let zero = walk.graph.integer(0);
        let is_whole = walk.graph.equal(left, zero);
        walk.require(is_whole)?;
    }
    let value = segment.value;
    let known = if is_taken_apart(walk, value) {
        walk.graph.pieces(value)
    } else {
        None
    };
    match known {
        Some(bits) if is_last || bits.rest.is_none() => {
            built.pieces.extend(bits.pieces);
            built.rest = bits.rest;
        }
        _ => built.pieces.extend(all_pieces(walk, value)?),
    }
    Ok(())
}

fn is_taken_apart(walk: &Walk<'_>, value: NodeId) -> bool {
    walk.graph.is_part(value) || matches!(walk.graph.node(value), Node::Bits(_) | Node::Other(..))
}

/// The first bits of a bit string.
fn build_part(walk: &mut Walk<'_>, segment: &BuiltSegment, built: &mut Bits) -> Result<(), Stop> {
    let is_bits = walk.graph.kind(Kinds::BITS, segment.value);
    walk.require(is_bits)?;
    require_natural(walk, segment.size)?;
    let unit = walk.graph.integer(segment.kind.unit.unwrap_or(1).into());
    let bits = walk
        .graph
        .arithmetic(Operator::Multiply, segment.size, unit);
    let there = walk.graph.bit_size(segment.value);
    let is_short = walk.graph.less(there, bits);
    walk.require(!is_short)?;
    let width = width(walk, segment)?;
    built
        .pieces
        .extend(first_pieces(walk, segment.value, width)?);
    Ok(())
}

/// A float that came out of a bit string goes back as it was; other floats must be constants.
fn build_float(walk: &mut Walk<'_>, segment: &BuiltSegment, built: &mut Bits) -> Result<(), Stop> {
    let is_number = walk.graph.kind(Kinds::NUMBER, segment.value);
    walk.require(is_number)?;
    let width = width(walk, segment)?;
    let is_big = is_big(segment.kind.endianness);
    if let Node::FloatOf(bits, own) = *walk.graph.node(segment.value)
        && u64::from(own) == width
    {
        put(walk, bits, width, is_big, built);
        return Ok(());
    }
    let value = constant_number(walk, segment.value).ok_or(Stop::Unknown)?;
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
    let bits = walk.graph.big_integer(BigInt::from(bits).into());
    put(walk, bits, width, is_big, built);
    Ok(())
}

fn constant_number(walk: &Walk<'_>, value: NodeId) -> Option<f64> {
    if let Node::Float(bits) = walk.graph.node(value) {
        return Some(f64::from_bits(*bits));
    }
    let Node::Integer(value) = walk.graph.node(value) else {
        return None;
    };
    value.to_i64().map(|it| it as f64)
}

/// A character, if it is one.
fn build_character(
    walk: &mut Walk<'_>,
    segment: &BuiltSegment,
    built: &mut Bits,
) -> Result<(), Stop> {
    let code = segment.value;
    let is_big = is_big(segment.kind.endianness);
    let ends: &[i64] = match segment.kind.kind {
        SegmentKind::Utf8 => &[0x80, 0x800, 0x1_0000, 0x11_0000],
        SegmentKind::Utf16 => &[0x1_0000, 0x11_0000],
        SegmentKind::Utf32 | SegmentKind::Integer | SegmentKind::Float | SegmentKind::Binary => {
            &[0x11_0000]
        }
    };
    let is_character = is_code(walk, code);
    let mut ways = vec![!is_character];
    for end in ends {
        let end = walk.graph.integer(*end);
        ways.push(walk.graph.less(code, end));
    }
    ways.push(Condition::TRUE);
    let form = walk.choose(&ways)?;
    match (segment.kind.kind, form) {
        (_, 0) => return Err(Stop::Raises),
        (SegmentKind::Utf8, 1..=4) => put_utf8(walk, code, form as u64 - 1, built),
        (SegmentKind::Utf16, 1) => put(walk, code, 16, is_big, built),
        (SegmentKind::Utf16, 2) => {
            let offset = walk.graph.shifted(code, -0x1_0000);
            let size = walk.graph.integer(0x400);
            let high = walk.graph.arithmetic(Operator::Divide, offset, size);
            let high = walk.graph.shifted(high, 0xD800);
            let low = walk.graph.arithmetic(Operator::Remainder, offset, size);
            let low = walk.graph.shifted(low, 0xDC00);
            put(walk, high, 16, is_big, built);
            put(walk, low, 16, is_big, built);
        }
        (SegmentKind::Utf32, 1) => put(walk, code, 32, is_big, built),
        _ => return Err(Stop::Unknown),
    }
    Ok(())
}

fn is_code(walk: &mut Walk<'_>, code: NodeId) -> Condition {
    let ranges = [
        walk.is_between(code, 0, 0xD7FF),
        walk.is_between(code, 0xE000, 0x10_FFFF),
    ];
    walk.graph.any(ranges)
}

fn put_utf8(walk: &mut Walk<'_>, code: NodeId, more: u64, built: &mut Bits) {
    let lead = match more {
        0 => 0,
        1 => 0xC0,
        2 => 0xE0,
        _ => 0xF0,
    };
    for number in (0..=more).rev() {
        let mut value = code;
        if number > 0 {
            let factor = walk.graph.power_of_two(6 * number);
            value = walk.graph.arithmetic(Operator::Divide, value, factor);
        }
        if number < more {
            let size = walk.graph.integer(64);
            value = walk.graph.arithmetic(Operator::Remainder, value, size);
        }
        let mark = if number == more { lead } else { 0x80 };
        let value = walk.graph.shifted(value, mark);
        built.pieces.push(Piece { value, width: 8 });
    }
}

/// Whether the most significant byte comes first.
pub fn is_big(endianness: Endianness) -> bool {
    match endianness {
        Endianness::Big => true,
        Endianness::Little => false,
        Endianness::Native => cfg!(target_endian = "big"),
    }
}
