//! Bit strings from lists and numbers, and lists and numbers from bit strings.

use solver::graph::{Condition, Kinds, NodeId, Piece};

use crate::model::{Model, Walker};
use crate::numerals::{integer_to_list, known_base, list_to_float, list_to_integer};
use crate::pieces::{all_pieces, bits_of, bytes_of, bytes_of_any, exact, require_natural};
use crate::walk::{Stop, Walk, Walked};

pub(crate) const ENTRIES: &[Model] = &[
    Model::walk("erlang", "binary_to_list", Walker::One(binary_to_list)),
    Model::walk("erlang", "binary_to_list", Walker::Three(part_to_list)),
    Model::walk("erlang", "bitstring_to_list", Walker::One(bits_to_list)),
    Model::walk("erlang", "list_to_binary", Walker::One(list_to_binary)),
    Model::walk("erlang", "list_to_bitstring", Walker::One(list_to_bits)),
    Model::walk("erlang", "iolist_to_binary", Walker::One(join_data)),
    Model::walk("erlang", "iolist_size", Walker::One(data_size)),
    Model::walk(
        "erlang",
        "binary_to_integer",
        Walker::One(decimal_to_integer),
    ),
    Model::walk(
        "erlang",
        "binary_to_integer",
        Walker::Two(numeral_to_integer),
    ),
    Model::walk(
        "erlang",
        "integer_to_binary",
        Walker::One(integer_to_decimal),
    ),
    Model::walk(
        "erlang",
        "integer_to_binary",
        Walker::Two(integer_to_numeral),
    ),
    Model::walk("erlang", "binary_to_float", Walker::One(binary_to_float)),
    Model::walk("binary", "bin_to_list", Walker::One(binary_to_list)),
    Model::walk("binary", "list_to_bin", Walker::One(list_to_binary)),
];

/// `list_to_binary(List)`.
fn list_to_binary(walk: &mut Walk<'_>, list: NodeId) -> Walked {
    join(walk, list, Kinds::BINARY)
}

/// `list_to_bitstring(List)`.
fn list_to_bits(walk: &mut Walk<'_>, list: NodeId) -> Walked {
    join(walk, list, Kinds::BITS)
}

/// `binary_to_integer(Binary)`.
fn decimal_to_integer(walk: &mut Walk<'_>, binary: NodeId) -> Walked {
    let text = text_of(walk, binary)?;
    list_to_integer(walk, text, 10)
}

/// `binary_to_integer(Binary, Base)`.
fn numeral_to_integer(walk: &mut Walk<'_>, binary: NodeId, base: NodeId) -> Walked {
    let base = known_base(walk, base)?;
    let text = text_of(walk, binary)?;
    list_to_integer(walk, text, base)
}

/// `integer_to_binary(Integer)`.
fn integer_to_decimal(walk: &mut Walk<'_>, integer: NodeId) -> Walked {
    let text = integer_to_list(walk, integer, 10)?;
    list_to_binary(walk, text)
}

/// `integer_to_binary(Integer, Base)`.
fn integer_to_numeral(walk: &mut Walk<'_>, integer: NodeId, base: NodeId) -> Walked {
    let base = known_base(walk, base)?;
    let text = integer_to_list(walk, integer, base)?;
    list_to_binary(walk, text)
}

/// `binary_to_list(Binary)`.
pub(crate) fn binary_to_list(walk: &mut Walk<'_>, binary: NodeId) -> Walked {
    let bytes = bytes_of(walk, binary)?;
    Ok(walk.list(&bytes))
}

/// `binary_to_list(Binary, First, Last)`, counted from 1.
pub(crate) fn part_to_list(
    walk: &mut Walk<'_>,
    binary: NodeId,
    first: NodeId,
    last: NodeId,
) -> Walked {
    let is_binary = walk.graph.kind(Kinds::BINARY, binary);
    walk.require(is_binary)?;
    require_natural(walk, first)?;
    require_natural(walk, last)?;
    let (zero, size) = (walk.graph.integer(0), walk.graph.bytes(binary));
    let is_first = walk.graph.less(zero, first);
    let is_ordered = !walk.graph.less(last, first);
    let is_inside = !walk.graph.less(size, last);
    let is_there = walk.graph.all([is_first, is_ordered, is_inside]);
    walk.require(is_there)?;
    let (first, last) = (exact(walk, first)?, exact(walk, last)?);
    let bytes: Vec<NodeId> = (first - 1..last)
        .map(|it| walk.graph.field(binary, it * 8, 8))
        .collect();
    Ok(walk.list(&bytes))
}

/// `bitstring_to_list(Bits)`: bits after the last whole byte come last.
pub(crate) fn bits_to_list(walk: &mut Walk<'_>, bits: NodeId) -> Walked {
    let is_bits = walk.graph.kind(Kinds::BITS, bits);
    walk.require(is_bits)?;
    let (mut bytes, rest) = bytes_of_any(walk, bits)?;
    bytes.extend(rest);
    Ok(walk.list(&bytes))
}

/// `list_to_binary(List)` and `list_to_bitstring(List)`: bytes and bit strings in lists in lists.
pub(crate) fn join(walk: &mut Walk<'_>, list: NodeId, kinds: Kinds) -> Walked {
    let is_list = walk.graph.kind(Kinds::LIST, list);
    walk.require(is_list)?;
    let mut pieces = Vec::new();
    join_into(walk, list, kinds, &mut pieces)?;
    Ok(bits_of(walk, pieces))
}

/// `iolist_to_binary(Data)`, where a binary is data too.
pub(crate) fn join_data(walk: &mut Walk<'_>, data: NodeId) -> Walked {
    let is_binary = walk.graph.kind(Kinds::BINARY, data);
    if walk.holds(is_binary)? {
        return Ok(data);
    }
    join(walk, data, Kinds::BINARY)
}

/// `iolist_size(Data)`.
pub(crate) fn data_size(walk: &mut Walk<'_>, data: NodeId) -> Walked {
    let joined = join_data(walk, data)?;
    Ok(walk.graph.bytes(joined))
}

/// A list holds bytes, bit strings and lists, and ends in `[]` or a bit string.
fn join_into(
    walk: &mut Walk<'_>,
    list: NodeId,
    kinds: Kinds,
    pieces: &mut Vec<Piece>,
) -> Result<(), Stop> {
    // Data that is left, the next last, and whether it is an element or a tail.
    let mut open = vec![(list, false)];
    while let Some((data, is_element)) = open.pop() {
        let is_byte = if is_element {
            walk.is_between(data, 0, 255)
        } else {
            Condition::FALSE
        };
        let ways = [
            walk.graph.kind(Kinds::NIL, data),
            walk.graph.kind(Kinds::CONS, data),
            walk.graph.kind(kinds, data),
            is_byte,
            Condition::TRUE,
        ];
        match walk.choose(&ways)? {
            0 => {}
            1 => {
                let (head, tail) = (walk.graph.head(data), walk.graph.tail(data));
                open.extend([(tail, false), (head, true)]);
            }
            2 => pieces.extend(all_pieces(walk, data)?),
            3 => pieces.push(Piece {
                value: data,
                width: 8,
            }),
            _ => return Err(Stop::Raises),
        }
    }
    Ok(())
}

/// The characters of a binary as a list.
fn text_of(walk: &mut Walk<'_>, binary: NodeId) -> Walked {
    let bytes = bytes_of(walk, binary)?;
    Ok(walk.list(&bytes))
}

/// `binary_to_float(Binary)`.
pub(crate) fn binary_to_float(walk: &mut Walk<'_>, binary: NodeId) -> Walked {
    let text = text_of(walk, binary)?;
    list_to_float(walk, text)
}
