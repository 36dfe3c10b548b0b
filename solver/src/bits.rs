//! Bit strings of the input: their sizes and bytes are integers like others, from which they are
//! put together in the end.

use erlang_term::Term;

use super::model::Guess;
use super::{Conflict, Solver};
use crate::graph::{Bits, Condition, Kinds, MOST_BYTES, Node, NodeId, Piece, Place, to_term};
use crate::types::READABLE;

impl Solver<'_> {
    /// The value of a size or byte of a bit string that has a value already.
    pub(super) fn part_of_bits(
        &mut self,
        guess: &Guess,
        part: NodeId,
    ) -> Option<Result<NodeId, Conflict>> {
        let Node::Part(place @ (Place::Bytes | Place::Unused | Place::Byte(_)), of) =
            *self.graph.node(part)
        else {
            return None;
        };
        let whole = guess.values.get(&of).copied()?;
        Some(self.graph.known_at(place, whole).ok_or(Conflict))
    }

    /// A bit string with the sizes and bytes that were guessed. What nobody has looked at is as in
    /// the parent's input. `None` if there is none of this kind.
    pub(super) fn choose_bits(
        &mut self,
        guess: &mut Guess,
        part: NodeId,
        kind: Kinds,
        wanted: Option<NodeId>,
    ) -> Result<Option<NodeId>, Conflict> {
        let wanted = wanted.and_then(|it| match to_term(self.graph, it) {
            Some(Term::Bits(bytes, last)) => Some((bytes, last)),
            _ => None,
        });
        let unused = self.chosen_unused(guess, part, kind, wanted.as_ref().map(|it| it.1))?;
        if (unused == 0) != (kind == Kinds::BINARY) {
            return Ok(None);
        }
        let size = match self.graph.known_part(Place::Bytes, part) {
            Some(bytes) => self.small_value(guess, bytes)?,
            None => 0,
        };
        if size == 0 && unused > 0 {
            self.gave_up = true;
            return Err(Conflict);
        }
        let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or_default());
        for index in 0..u32::try_from(size).unwrap_or_default() {
            let known = wanted.as_ref().and_then(|it| it.0.get(index as usize));
            let mut byte = known.copied().unwrap_or(READABLE as u8);
            if let Some(looked_at) = self.graph.known_part(Place::Byte(index), part) {
                let value = self.small_value(guess, looked_at)?;
                byte = u8::try_from(value).map_err(|_| Conflict)?;
            }
            if i64::from(index) + 1 == size && byte.trailing_zeros() < unused.into() {
                byte = self.without_last_bits(guess, part, index, byte, unused)?;
            }
            bytes.push(byte);
        }
        let value = self.graph.constant(&Term::Bits(bytes, 8 - unused));
        if self.store.part(part).not.contains(&value) {
            self.gave_up = true;
            return Err(Conflict);
        }
        Ok(Some(value))
    }

    fn chosen_unused(
        &mut self,
        guess: &mut Guess,
        part: NodeId,
        kind: Kinds,
        wanted: Option<u8>,
    ) -> Result<u8, Conflict> {
        if let Some(unused) = self.graph.known_part(Place::Unused, part) {
            let value = self.small_value(guess, unused)?;
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
        guess: &mut Guess,
        part: NodeId,
        index: u32,
        byte: u8,
        unused: u8,
    ) -> Result<u8, Conflict> {
        let byte = byte >> unused << unused;
        let Some(looked_at) = self.graph.known_part(Place::Byte(index), part) else {
            return Ok(byte);
        };
        let looked_at = self.resolve(looked_at);
        if self.graph.is_part(looked_at) {
            let value = self.graph.integer(byte.into());
            guess.values.insert(looked_at, value);
            guess.integers.insert(looked_at, byte.into());
            if self.constraints_hold(guess).unwrap_or(false) {
                return Ok(byte);
            }
        }
        self.gave_up = true;
        Err(Conflict)
    }

    /// Whether numbers that were guessed fulfil what is known about integers.
    fn constraints_hold(&mut self, guess: &mut Guess) -> Result<bool, Conflict> {
        for index in 0..self.store.constraints.len() {
            let Some(constraint) = self.store.constraints.get(index).cloned() else {
                break;
            };
            let mut sum = constraint.linear.constant;
            for (node, coefficient) in &constraint.linear.terms {
                let value = i128::from(self.small_value(guess, *node)?);
                sum = sum.saturating_add(value.saturating_mul(*coefficient));
            }
            if !constraint.relation.holds(sum) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn small_value(&mut self, guess: &mut Guess, node: NodeId) -> Result<i64, Conflict> {
        let value = self.value(guess, node)?;
        match self.graph.node(value) {
            Node::Integer(value) => value.to_i64().ok_or(Conflict),
            _ => Err(Conflict),
        }
    }

    // ---- Sizes

    fn known_number(&mut self, node: NodeId) -> Option<u64> {
        let linear = self.linear(node)?;
        let constant = linear.terms.is_empty().then_some(linear.constant)?;
        u64::try_from(constant).ok()
    }

    /// The number of bits of a part, if it is known.
    fn known_width(&mut self, part: NodeId) -> Option<u64> {
        let kinds = self.store.part(part).kinds;
        if !kinds.is_within(Kinds::BITS) {
            return None;
        }
        let bytes = self.graph.bytes(part);
        let bytes = self.known_number(bytes)?;
        let unused = if kinds == Kinds::BINARY {
            0
        } else {
            let unused = self.graph.unused(part);
            self.known_number(unused)?
        };
        (bytes * 8).checked_sub(unused)
    }

    /// A bit string with its bits written out, if its size is known.
    pub(super) fn closed_bits(&mut self, node: NodeId) -> Option<NodeId> {
        if self.graph.is_part(node) {
            if !self.kinds(node).is_within(Kinds::BITS) {
                return None;
            }
            let width = self.known_width(node)?;
            return self.closed(node, 0, width);
        }
        let Node::Bits(bits) = self.graph.node(node) else {
            return None;
        };
        let (mut pieces, rest) = (bits.pieces.clone(), bits.rest?);
        let of = self.resolve(rest.of);
        let closed = if self.graph.is_part(of) {
            let width = self.known_width(of)?;
            self.closed(of, rest.skipped, width.checked_sub(rest.skipped)?)?
        } else {
            self.graph.sliced(of, rest.skipped, None)
        };
        pieces.extend(self.graph.closed_pieces(closed)?);
        Some(self.graph.bits(Bits { pieces, rest: None }))
    }

    fn closed(&mut self, of: NodeId, from: u64, width: u64) -> Option<NodeId> {
        if width > 8 * MOST_BYTES as u64 {
            return None;
        }
        let pieces: Vec<Piece> = self.graph.pieces_of(of, from, width)?;
        Some(self.graph.bits(Bits { pieces, rest: None }))
    }

    /// A bit string has the size that it is guessed to have, or another one.
    pub(super) fn split_size(&mut self, part: NodeId) -> Option<Vec<Condition>> {
        if self.known_width(part).is_some() {
            return None;
        }
        let bytes = self.graph.bytes(part);
        let open = if self.known_number(bytes).is_none() {
            bytes
        } else {
            self.graph.unused(part)
        };
        let open = self.resolve(open);
        let known = self.guess_integers().ok()?;
        let likely = known
            .get(&open)
            .copied()
            .and_then(|it| i64::try_from(it).ok());
        let likely = self.graph.integer(likely.unwrap_or(0));
        let is_likely = self.graph.equal(open, likely);
        Some(vec![is_likely, !is_likely])
    }
}
