//! Atoms from bit strings, and bit strings from atoms.

use flattener::flat::{Endianness, SegmentKind, SegmentType};
use solver::graph::{Bits, Condition, Kinds, NodeId, Piece};

use crate::atoms::{list_to_atom, list_to_existing_atom};
use crate::building::{BuiltSegment, build};
use crate::model::{Model, Walker};
use crate::pieces::bytes_of;
use crate::walk::{Stop, Walk, Walked};

pub(crate) const ENTRIES: &[Model] = &[
    Model::walk("erlang", "binary_to_atom", Walker::One(utf8_to_atom)),
    Model::walk("erlang", "binary_to_atom", Walker::Two(encoded_to_atom)),
    Model::walk(
        "erlang",
        "binary_to_existing_atom",
        Walker::One(utf8_to_existing_atom),
    ),
    Model::walk(
        "erlang",
        "binary_to_existing_atom",
        Walker::Two(encoded_to_existing_atom),
    ),
    Model::walk("erlang", "atom_to_binary", Walker::One(atom_to_utf8)),
    Model::walk("erlang", "atom_to_binary", Walker::Two(atom_to_encoded)),
];

/// `binary_to_atom(Binary)`.
fn utf8_to_atom(walk: &mut Walk<'_>, binary: NodeId) -> Walked {
    let text = characters_of(walk, binary, Characters::Utf8)?;
    list_to_atom(walk, text)
}

/// `binary_to_atom(Binary, Encoding)`.
fn encoded_to_atom(walk: &mut Walk<'_>, binary: NodeId, encoding: NodeId) -> Walked {
    let written = known_encoding(walk, encoding)?;
    let text = characters_of(walk, binary, written)?;
    list_to_atom(walk, text)
}

/// `binary_to_existing_atom(Binary)`.
fn utf8_to_existing_atom(walk: &mut Walk<'_>, binary: NodeId) -> Walked {
    let text = characters_of(walk, binary, Characters::Utf8)?;
    list_to_existing_atom(walk, text)
}

/// `binary_to_existing_atom(Binary, Encoding)`.
fn encoded_to_existing_atom(walk: &mut Walk<'_>, binary: NodeId, encoding: NodeId) -> Walked {
    let written = known_encoding(walk, encoding)?;
    let text = characters_of(walk, binary, written)?;
    list_to_existing_atom(walk, text)
}

/// `atom_to_binary(Atom)`.
fn atom_to_utf8(walk: &mut Walk<'_>, atom: NodeId) -> Walked {
    atom_to_binary(walk, atom, Characters::Utf8)
}

/// `atom_to_binary(Atom, Encoding)`.
fn atom_to_encoded(walk: &mut Walk<'_>, atom: NodeId, encoding: NodeId) -> Walked {
    let written = known_encoding(walk, encoding)?;
    atom_to_binary(walk, atom, written)
}

/// How characters are encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Characters {
    /// In one byte each.
    Latin1,
    Utf8,
}

/// The encoding that an argument names.
fn known_encoding(walk: &mut Walk<'_>, name: NodeId) -> Result<Characters, Stop> {
    let mut ways: Vec<Condition> = Vec::new();
    for known in ["latin1", "utf8", "unicode"] {
        let known = walk.graph.atom(known);
        ways.push(walk.graph.equal(name, known));
    }
    ways.push(Condition::TRUE);
    match walk.choose(&ways)? {
        0 => Ok(Characters::Latin1),
        1 | 2 => Ok(Characters::Utf8),
        _ => Err(Stop::Raises),
    }
}

/// The text of a binary. In UTF-8 only characters of one byte are understood.
fn characters_of(walk: &mut Walk<'_>, binary: NodeId, written: Characters) -> Walked {
    let bytes = bytes_of(walk, binary)?;
    if written == Characters::Utf8 {
        for byte in &bytes {
            let is_plain = walk.is_between(*byte, 0, 127);
            if !walk.holds(is_plain)? {
                return Err(Stop::Unknown);
            }
        }
    }
    Ok(walk.list(&bytes))
}

/// The text of an atom.
fn atom_to_binary(walk: &mut Walk<'_>, atom: NodeId, written: Characters) -> Walked {
    let is_atom = walk.graph.kind(Kinds::ATOM, atom);
    walk.require(is_atom)?;
    let text = walk.graph.text(atom);
    let characters = walk.elements(text)?;
    if written == Characters::Utf8 {
        let kind = SegmentType {
            unit: None,
            kind: SegmentKind::Utf8,
            signed: false,
            endianness: Endianness::Big,
        };
        let size = walk.graph.atom("undefined");
        let segments: Vec<BuiltSegment> = characters
            .into_iter()
            .map(|value| BuiltSegment { value, size, kind })
            .collect();
        return build(walk, &segments);
    }
    let mut pieces = Vec::with_capacity(characters.len());
    for value in characters {
        let is_byte = walk.is_between(value, 0, 255);
        walk.require(is_byte)?;
        pieces.push(Piece { value, width: 8 });
    }
    let rest = None;
    Ok(walk.graph.bits(Bits { pieces, rest }))
}
