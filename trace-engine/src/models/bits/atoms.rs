//! Atoms from bit strings, and the other way round.

use flattener::flat::{Endianness, SegmentKind, SegmentType};

use super::super::{Stop, Walk, Walked};
use super::Segment;
use solver::graph::{Bits, Condition, Kinds, NodeId, Piece};

/// How characters are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::models) enum Characters {
    /// In one byte each.
    Latin1,
    Utf8,
}

impl Walk<'_> {
    /// Which of these an argument names.
    pub(in crate::models) fn characters(&mut self, name: NodeId) -> Result<Characters, Stop> {
        let mut ways: Vec<Condition> = Vec::new();
        for known in ["latin1", "utf8", "unicode"] {
            let known = self.graph.atom(known);
            ways.push(self.graph.equal(name, known));
        }
        ways.push(Condition::TRUE);
        match self.choose(&ways)? {
            0 => Ok(Characters::Latin1),
            1 | 2 => Ok(Characters::Utf8),
            _ => Err(Stop::Raises),
        }
    }

    /// The text of a binary. Of UTF-8 only characters that are one byte are understood.
    fn characters_of(&mut self, binary: NodeId, written: Characters) -> Walked {
        let bytes = self.bytes_of(binary)?;
        if written == Characters::Utf8 {
            for byte in &bytes {
                let is_plain = self.is_between(*byte, 0, 127);
                if !self.holds(is_plain)? {
                    return Err(Stop::Unknown);
                }
            }
        }
        Ok(self.list(&bytes))
    }

    /// `binary_to_atom(Binary, Characters)`.
    pub(in crate::models) fn binary_to_atom(
        &mut self,
        binary: NodeId,
        written: Characters,
    ) -> Walked {
        let text = self.characters_of(binary, written)?;
        self.list_to_atom(text)
    }

    /// `binary_to_existing_atom(Binary, Characters)`.
    pub(in crate::models) fn binary_to_existing_atom(
        &mut self,
        binary: NodeId,
        written: Characters,
    ) -> Walked {
        let text = self.characters_of(binary, written)?;
        self.list_to_existing_atom(text, self.known_atoms)
    }

    /// `atom_to_binary(Atom, Characters)`.
    pub(in crate::models) fn atom_to_binary(
        &mut self,
        atom: NodeId,
        written: Characters,
    ) -> Walked {
        let is_atom = self.graph.kind(Kinds::ATOM, atom);
        self.require(is_atom)?;
        let text = self.graph.text(atom);
        let characters = self.elements(text)?;
        if written == Characters::Utf8 {
            let kind = SegmentType {
                unit: None,
                kind: SegmentKind::Utf8,
                signed: false,
                endianness: Endianness::Big,
            };
            let size = self.graph.atom("undefined");
            let segments: Vec<Segment> = characters
                .into_iter()
                .map(|value| Segment { value, size, kind })
                .collect();
            return self.build(&segments);
        }
        let mut pieces = Vec::with_capacity(characters.len());
        for value in characters {
            let is_byte = self.is_between(value, 0, 255);
            self.require(is_byte)?;
            pieces.push(Piece { value, width: 8 });
        }
        let rest = None;
        Ok(self.graph.bits(Bits { pieces, rest }))
    }
}
