//! The pieces of a bit string, and numbers that must be known before a walk can go on.

use solver::graph::{Bits, Condition, Kinds, MOST_BYTES, Node, NodeId, Piece};

use crate::walk::{Stop, Walk, Walked};

/// Larger numbers are not told apart.
const LARGEST: i64 = 1 << 16;
/// These are told apart at once.
const SMALL: i64 = 4;

/// Which number an integer is that is not negative. All inputs that come here have
/// the same choices, so its magnitude is found first, and then the half it lies in, again and again.
///
/// # Errors
/// When it is too large, or the run does not tell.
pub fn exact(walk: &mut Walk<'_>, number: NodeId) -> Result<u64, Stop> {
    if let Node::Integer(known) = walk.graph.node(number) {
        let known = known.to_i64().and_then(|it| u64::try_from(it).ok());
        return known.ok_or(Stop::Unknown);
    }
    let mut ways = Vec::new();
    for small in 0..SMALL {
        let small = walk.graph.integer(small);
        ways.push(walk.graph.equal(number, small));
    }
    ways.push(Condition::TRUE);
    let chosen = i64::try_from(walk.choose(&ways)?).map_err(|_| Stop::Unknown)?;
    if chosen < SMALL {
        return u64::try_from(chosen).map_err(|_| Stop::Unknown);
    }
    // Small numbers come first in a search: each of these choices has two outcomes only.
    let mut low = SMALL;
    while low < LARGEST {
        let limit = walk.graph.integer(2 * low);
        let is_below = walk.graph.less(number, limit);
        if walk.holds(is_below)? {
            return bisect(walk, number, low, 2 * low);
        }
        low *= 2;
    }
    Err(Stop::Unknown)
}

/// Which number an integer is that lies between two, the second one excluded.
fn bisect(walk: &mut Walk<'_>, number: NodeId, low: i64, high: i64) -> Result<u64, Stop> {
    let (mut low, mut high) = (low, high);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        let limit = walk.graph.integer(middle);
        let is_below = walk.graph.less(number, limit);
        if walk.holds(is_below)? {
            high = middle;
        } else {
            low = middle;
        }
    }
    u64::try_from(low).map_err(|_| Stop::Unknown)
}

/// Raises unless a value is an integer that is not negative.
pub(crate) fn require_natural(walk: &mut Walk<'_>, number: NodeId) -> Result<(), Stop> {
    let is_integer = walk.graph.kind(Kinds::INTEGER, number);
    let zero = walk.graph.integer(0);
    let is_negative = walk.graph.less(number, zero);
    let is_natural = walk.graph.all([is_integer, !is_negative]);
    walk.require(is_natural)
}

/// The pieces of a bit string, however long it was in the run.
pub(crate) fn all_pieces(walk: &mut Walk<'_>, bits: NodeId) -> Result<Vec<Piece>, Stop> {
    if let Some(pieces) = walk.graph.closed_pieces(bits) {
        return Ok(pieces);
    }
    let is_whole = walk.graph.kind(Kinds::BINARY, bits);
    let is_whole = walk.holds(is_whole)?;
    let bytes = walk.graph.bytes(bits);
    let mut width = exact(walk, bytes)? * 8;
    if !is_whole {
        let unused = walk.graph.unused(bits);
        width = width.saturating_sub(exact(walk, unused)?);
    }
    first_pieces(walk, bits, width)
}

pub(crate) fn first_pieces(
    walk: &mut Walk<'_>,
    bits: NodeId,
    width: u64,
) -> Result<Vec<Piece>, Stop> {
    if width > 8 * MOST_BYTES as u64 {
        return Err(Stop::Unknown);
    }
    let pieces = walk.graph.pieces_of(bits, 0, width);
    pieces.ok_or(Stop::Unknown)
}

/// A bit string of pieces.
pub(crate) fn bits_of(walk: &mut Walk<'_>, pieces: Vec<Piece>) -> NodeId {
    walk.graph.bits(Bits { pieces, rest: None })
}

/// The bytes of a value that must be a bit string of whole ones.
pub(crate) fn bytes_of(walk: &mut Walk<'_>, bits: NodeId) -> Result<Vec<NodeId>, Stop> {
    let is_binary = walk.graph.kind(Kinds::BINARY, bits);
    walk.require(is_binary)?;
    bytes_of_any(walk, bits).map(|it| it.0)
}

/// The bytes of a bit string, and what is left at its end.
pub(crate) fn bytes_of_any(
    walk: &mut Walk<'_>,
    bits: NodeId,
) -> Result<(Vec<NodeId>, Option<NodeId>), Stop> {
    let pieces = all_pieces(walk, bits)?;
    let width: u64 = pieces.iter().map(|it| u64::from(it.width)).sum();
    let closed = bits_of(walk, pieces);
    let bytes = (0..width / 8).map(|it| walk.graph.field(closed, it * 8, 8));
    let bytes: Vec<NodeId> = bytes.collect();
    let left = width % 8;
    let rest = (left > 0).then(|| walk.graph.sliced(closed, width - left, Some(left)));
    Ok((bytes, rest))
}

/// How many whole bytes a bit string has.
pub(crate) fn whole_bytes(walk: &mut Walk<'_>, bits: NodeId) -> Walked {
    let bytes = walk.graph.bytes(bits);
    let less = walk.graph.shifted(bytes, -1);
    let is_whole = walk.graph.kind(Kinds::BINARY, bits);
    Ok(walk.graph.choice(is_whole, bytes, less))
}
