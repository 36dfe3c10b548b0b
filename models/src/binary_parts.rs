//! Sizes and parts of bit strings.

use solver::graph::{Graph, Kinds, Node, NodeId, Operator};

use crate::model::{Applied, Model, Rule, Walker};
use crate::pieces::{exact, require_natural, whole_bytes};
use crate::walk::{Stop, Walk, Walked};

pub(crate) const ENTRIES: &[Model] = &[
    Model::rule("erlang", "byte_size", Rule::One(byte_size)),
    Model::rule("erlang", "bit_size", Rule::One(bit_size)),
    Model::rule("erlang", "binary_part", Rule::Two(constant_part_of))
        .or_walk(Walker::Two(binary_part_of)),
    Model::rule("erlang", "binary_part", Rule::Three(constant_part))
        .or_walk(Walker::Three(binary_part)),
    Model::walk("erlang", "split_binary", Walker::Two(split_binary)),
    Model::walk("binary", "at", Walker::Two(byte_at)),
    Model::walk("binary", "first", Walker::One(first_byte)),
    Model::walk("binary", "last", Walker::One(last_byte)),
    Model::walk("binary", "part", Walker::Two(binary_part_of)),
    Model::walk("binary", "part", Walker::Three(binary_part)),
    Model::walk("binary", "copy", Walker::One(copied)),
];

/// `byte_size(Bits)`.
fn byte_size(graph: &mut Graph, bits: NodeId) -> Option<Applied> {
    Some(Applied {
        returns: graph.kind(Kinds::BITS, bits),
        value: graph.bytes(bits),
    })
}

/// `bit_size(Bits)`.
fn bit_size(graph: &mut Graph, bits: NodeId) -> Option<Applied> {
    Some(Applied {
        returns: graph.kind(Kinds::BITS, bits),
        value: graph.bit_size(bits),
    })
}

/// `binary_part(Binary, {Start, Length})` of constants.
fn constant_part_of(graph: &mut Graph, binary: NodeId, place: NodeId) -> Option<Applied> {
    let Node::Tuple(parts) = graph.node(place) else {
        return None;
    };
    let &[start, length] = parts.as_slice() else {
        return None;
    };
    constant_part(graph, binary, start, length)
}

/// `binary_part(Binary, Start, Length)` between constants.
fn constant_part(
    graph: &mut Graph,
    binary: NodeId,
    start: NodeId,
    length: NodeId,
) -> Option<Applied> {
    let (Node::Integer(start), Node::Integer(length)) = (graph.node(start), graph.node(length))
    else {
        return None;
    };
    let (start, length) = (start.to_i64()?, length.to_i64()?);
    let end = start.checked_add(length)?;
    let Ok(first) = u64::try_from(start.min(end)) else {
        return Some(Applied::never());
    };
    let is_binary = graph.kind(Kinds::BINARY, binary);
    let (size, last) = (graph.bytes(binary), graph.integer(start.max(end)));
    let is_short = graph.less(size, last);
    let width = length.unsigned_abs().checked_mul(8)?;
    let from = first.checked_mul(8)?;
    Some(Applied {
        returns: graph.all([is_binary, !is_short]),
        value: graph.sliced(binary, from, Some(width)),
    })
}

/// `binary_part(Binary, Start, Length)`; a negative length goes backwards.
pub(crate) fn binary_part(
    walk: &mut Walk<'_>,
    binary: NodeId,
    start: NodeId,
    length: NodeId,
) -> Walked {
    let is_binary = walk.graph.kind(Kinds::BINARY, binary);
    walk.require(is_binary)?;
    require_natural(walk, start)?;
    let is_integer = walk.graph.kind(Kinds::INTEGER, length);
    walk.require(is_integer)?;
    let zero = walk.graph.integer(0);
    let is_negative = walk.graph.less(length, zero);
    let end = walk.graph.arithmetic(Operator::Add, start, length);
    let (first, last) = if walk.holds(is_negative)? {
        (end, start)
    } else {
        (start, end)
    };
    let size = walk.graph.bytes(binary);
    let is_early = walk.graph.less(first, zero);
    let is_late = walk.graph.less(size, last);
    let is_inside = walk.graph.all([!is_early, !is_late]);
    walk.require(is_inside)?;
    let first = exact(walk, first)?;
    let last = exact(walk, last)?;
    let width = last.checked_sub(first).ok_or(Stop::Unknown)?;
    Ok(walk.graph.sliced(binary, first * 8, Some(width * 8)))
}

/// `binary_part(Binary, {Start, Length})`.
pub(crate) fn binary_part_of(walk: &mut Walk<'_>, binary: NodeId, place: NodeId) -> Walked {
    let is_pair = walk.graph.arity(2, place);
    walk.require(is_pair)?;
    let (start, length) = (walk.graph.element(0, place), walk.graph.element(1, place));
    binary_part(walk, binary, start, length)
}

/// `split_binary(Bits, Position)`.
pub(crate) fn split_binary(walk: &mut Walk<'_>, bits: NodeId, position: NodeId) -> Walked {
    let is_bits = walk.graph.kind(Kinds::BITS, bits);
    walk.require(is_bits)?;
    require_natural(walk, position)?;
    let whole = whole_bytes(walk, bits)?;
    let is_late = walk.graph.less(whole, position);
    walk.require(!is_late)?;
    let position = exact(walk, position)?;
    let first = walk.graph.sliced(bits, 0, Some(position * 8));
    let second = walk.graph.sliced(bits, position * 8, None);
    Ok(walk.graph.tuple([first, second]))
}

/// `binary:at(Binary, Position)`.
pub(crate) fn byte_at(walk: &mut Walk<'_>, binary: NodeId, position: NodeId) -> Walked {
    let is_binary = walk.graph.kind(Kinds::BINARY, binary);
    walk.require(is_binary)?;
    require_natural(walk, position)?;
    let size = walk.graph.bytes(binary);
    let is_inside = walk.graph.less(position, size);
    walk.require(is_inside)?;
    let position = exact(walk, position)?;
    Ok(walk.graph.field(binary, position * 8, 8))
}

/// `binary:first(Binary)`.
pub(crate) fn first_byte(walk: &mut Walk<'_>, binary: NodeId) -> Walked {
    let first = walk.graph.integer(0);
    byte_at(walk, binary, first)
}

/// `binary:last(Binary)`.
pub(crate) fn last_byte(walk: &mut Walk<'_>, binary: NodeId) -> Walked {
    let is_binary = walk.graph.kind(Kinds::BINARY, binary);
    walk.require(is_binary)?;
    let size = walk.graph.bytes(binary);
    let last = walk.graph.shifted(size, -1);
    byte_at(walk, binary, last)
}

/// `binary:copy(Binary)`.
pub(crate) fn copied(walk: &mut Walk<'_>, binary: NodeId) -> Walked {
    let is_binary = walk.graph.kind(Kinds::BINARY, binary);
    walk.require(is_binary)?;
    Ok(binary)
}
