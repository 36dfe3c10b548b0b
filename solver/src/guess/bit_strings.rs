//! Guesses for bit strings. Their sizes and bytes are integers like others; the bit strings are
//! built from them.

use erlang_term::Term;

use super::Guess;
use crate::conflict::Conflict;
use crate::graph::{Kinds, Node, NodeId, Place, to_term};
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
}

/// Guesses a bit string.
pub(super) struct BitStringGuess<'guess, 'known, 'run> {
    pub(super) guess: &'guess mut Guess<'known, 'run>,
    pub(super) part: NodeId,
}

impl BitStringGuess<'_, '_, '_> {
    /// A bit string with the sizes and bytes that were guessed. Bytes that no condition is about
    /// are as in the parent's input. `None` if there is no such bit string of this kind.
    pub(super) fn choose(
        mut self,
        kind: Kinds,
        wanted: Option<NodeId>,
    ) -> Result<Option<NodeId>, Conflict> {
        let wanted = wanted.and_then(|it| {
            let Term::Bits(bytes, last) = to_term(self.guess.known.graph, it)? else {
                return None;
            };
            Some((bytes, last))
        });
        let unused = self.chosen_unused(kind, wanted.as_ref().map(|it| it.1))?;
        if (unused == 0) != (kind == Kinds::BINARY) {
            return Ok(None);
        }
        let size = match self.guess.known.graph.known_part(Place::Bytes, self.part) {
            Some(bytes) => self.small_value(bytes)?,
            None => 0,
        };
        if size == 0 && unused > 0 {
            return Err(self.guess.known.give_up());
        }
        let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or_default());
        for index in 0..u32::try_from(size).unwrap_or_default() {
            let known = wanted.as_ref().and_then(|it| it.0.get(index as usize));
            let mut byte = known.copied().unwrap_or(READABLE as u8);
            if let Some(looked_at) = self
                .guess
                .known
                .graph
                .known_part(Place::Byte(index), self.part)
            {
                let value = self.small_value(looked_at)?;
                byte = u8::try_from(value).map_err(|_| Conflict)?;
            }
            if i64::from(index) + 1 == size && byte.trailing_zeros() < unused.into() {
                byte = self.without_last_bits(index, byte, unused)?;
            }
            bytes.push(byte);
        }
        let value = self
            .guess
            .known
            .graph
            .constant(&Term::Bits(bytes, 8 - unused));
        if self.guess.known.store.part(self.part).not.contains(&value) {
            return Err(self.guess.known.give_up());
        }
        Ok(Some(value))
    }

    fn chosen_unused(&mut self, kind: Kinds, wanted: Option<u8>) -> Result<u8, Conflict> {
        if let Some(unused) = self.guess.known.graph.known_part(Place::Unused, self.part) {
            let value = self.small_value(unused)?;
            return u8::try_from(value).map_err(|_| Conflict);
        }
        Ok(match (kind, wanted) {
            (Kinds::BINARY, _) => 0,
            (_, Some(last)) if last < 8 => 8 - last,
            _ => 7,
        })
    }

    /// Sets the unused bits of the last byte to zero. No condition should be about them, but that
    /// is checked.
    fn without_last_bits(&mut self, index: u32, byte: u8, unused: u8) -> Result<u8, Conflict> {
        let byte = byte >> unused << unused;
        let Some(looked_at) = self
            .guess
            .known
            .graph
            .known_part(Place::Byte(index), self.part)
        else {
            return Ok(byte);
        };
        let looked_at = self.guess.known.resolve(looked_at);
        if self.guess.known.graph.is_part(looked_at) {
            let value = self.guess.known.graph.integer(byte.into());
            self.guess.values.insert(looked_at, value);
            self.guess.integers.insert(looked_at, byte.into());
            if self.constraints_hold().unwrap_or(false) {
                return Ok(byte);
            }
        }
        Err(self.guess.known.give_up())
    }

    /// Whether numbers that were guessed fulfil what is known about integers.
    fn constraints_hold(&mut self) -> Result<bool, Conflict> {
        for index in 0..self.guess.known.store.constraints.len() {
            let Some(constraint) = self.guess.known.store.constraints.get(index).cloned() else {
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
        let value = self.guess.value(node)?;
        let Node::Integer(value) = self.guess.known.graph.node(value) else {
            return Err(Conflict);
        };
        value.to_i64().ok_or(Conflict)
    }
}
