//! Guesses for bit strings: their sizes and bytes are integers like others, from which they are put
//! together in the end.

use erlang_term::Term;

use super::Guess;
use crate::conflict::Conflict;
use crate::graph::{Kinds, Node, NodeId, Place};
use crate::types::READABLE;

impl Guess<'_, '_> {
    /// The value of a size or byte of a bit string that has a value already.
    pub(super) fn part_of_bits(&mut self, part: NodeId) -> Option<Result<NodeId, Conflict>> {
        let Node::Part(place @ (Place::Bytes | Place::Unused | Place::Byte(_)), of) =
            *self.known.graph.node(part)
        else {
            return None;
        };
        let whole = self.values.get(&of).copied()?;
        Some(self.known.graph.known_at(place, whole).ok_or(Conflict))
    }

    /// A bit string with the sizes and bytes that were guessed. What nobody has looked at is as in
    /// the parent's input. `None` if there is none of this kind.
    pub(super) fn choose_bits(
        &mut self,
        part: NodeId,
        kind: Kinds,
        wanted: Option<NodeId>,
    ) -> Result<Option<NodeId>, Conflict> {
        let wanted = wanted.and_then(|it| match self.known.graph.to_term(it) {
            Some(Term::Bits(bytes, last)) => Some((bytes, last)),
            _ => None,
        });
        let unused = self.chosen_unused(part, kind, wanted.as_ref().map(|it| it.1))?;
        if (unused == 0) != (kind == Kinds::BINARY) {
            return Ok(None);
        }
        let size = match self.known.graph.known_bytes(part) {
            Some(bytes) => self.small_value(bytes)?,
            None => 0,
        };
        if size == 0 && unused > 0 {
            return Err(self.known.give_up());
        }
        let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or_default());
        for index in 0..u32::try_from(size).unwrap_or_default() {
            let known = wanted.as_ref().and_then(|it| it.0.get(index as usize));
            let mut byte = known.copied().unwrap_or(READABLE as u8);
            if let Some(looked_at) = self.known.graph.known_byte(index, part) {
                let value = self.small_value(looked_at)?;
                byte = u8::try_from(value).map_err(|_| Conflict)?;
            }
            if i64::from(index) + 1 == size && byte.trailing_zeros() < unused.into() {
                byte = self.without_last_bits(part, index, byte, unused)?;
            }
            bytes.push(byte);
        }
        let value = self.known.graph.constant(&Term::Bits(bytes, 8 - unused));
        if self.known.store.part(part).not.contains(&value) {
            return Err(self.known.give_up());
        }
        Ok(Some(value))
    }

    fn chosen_unused(
        &mut self,
        part: NodeId,
        kind: Kinds,
        wanted: Option<u8>,
    ) -> Result<u8, Conflict> {
        if let Some(unused) = self.known.graph.known_unused(part) {
            let value = self.small_value(unused)?;
            return u8::try_from(value).map_err(|_| Conflict);
        }
        Ok(match (kind, wanted) {
            (Kinds::BINARY, _) => 0,
            (_, Some(last)) if last < 8 => 8 - last,
            _ => 7,
        })
    }

    /// The bits of the last byte that are not its own are zeros. Nothing that is asked of the
    /// string is about them, but that is checked.
    fn without_last_bits(
        &mut self,
        part: NodeId,
        index: u32,
        byte: u8,
        unused: u8,
    ) -> Result<u8, Conflict> {
        let byte = byte >> unused << unused;
        let Some(looked_at) = self.known.graph.known_byte(index, part) else {
            return Ok(byte);
        };
        let looked_at = self.known.resolve(looked_at);
        if self.known.graph.is_part(looked_at) {
            let value = self.known.graph.integer(byte.into());
            self.values.insert(looked_at, value);
            self.integers.insert(looked_at, byte.into());
            if self.constraints_hold().unwrap_or(false) {
                return Ok(byte);
            }
        }
        Err(self.known.give_up())
    }

    /// Whether numbers that were guessed fulfil what is known about integers.
    fn constraints_hold(&mut self) -> Result<bool, Conflict> {
        for index in 0..self.known.store.constraints.len() {
            let Some(constraint) = self.known.store.constraints.get(index).cloned() else {
                break;
            };
            let mut sum = constraint.linear.constant;
            for (node, coefficient) in &constraint.linear.terms {
                let value = i128::from(self.small_value(*node)?);
                sum = sum.saturating_add(value.saturating_mul(*coefficient));
            }
            if !constraint.relation.holds(sum) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn small_value(&mut self, node: NodeId) -> Result<i64, Conflict> {
        let value = self.value(node)?;
        let Node::Integer(value) = self.known.graph.node(value) else {
            return Err(Conflict);
        };
        value.to_i64().ok_or(Conflict)
    }
}
