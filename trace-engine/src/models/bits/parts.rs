//! Parts of bit strings.

use super::super::{Stop, Walk, Walked};
use solver::graph::{Kinds, NodeId};

impl Walk<'_> {
    /// `binary_part(Binary, Start, Length)`; a negative length goes backwards.
    pub(in crate::models) fn binary_part(
        &mut self,
        binary: NodeId,
        start: NodeId,
        length: NodeId,
    ) -> Walked {
        let is_binary = self.graph.kind(Kinds::BINARY, binary);
        self.require(is_binary)?;
        self.require_natural(start)?;
        let is_integer = self.graph.kind(Kinds::INTEGER, length);
        self.require(is_integer)?;
        let zero = self.graph.integer(0);
        let is_negative = self.graph.less(length, zero);
        let end = self
            .graph
            .arithmetic(solver::graph::Operator::Add, start, length);
        let (first, last) = if self.holds(is_negative)? {
            (end, start)
        } else {
            (start, end)
        };
        let size = self.graph.bytes(binary);
        let is_early = self.graph.less(first, zero);
        let is_late = self.graph.less(size, last);
        let is_inside = self.graph.all([!is_early, !is_late]);
        self.require(is_inside)?;
        let first = self.exact(first)?;
        let last = self.exact(last)?;
        let width = last.checked_sub(first).ok_or(Stop::Unknown)?;
        Ok(self.graph.sliced(binary, first * 8, Some(width * 8)))
    }

    /// `binary_part(Binary, {Start, Length})`.
    pub(in crate::models) fn binary_part_of(&mut self, binary: NodeId, place: NodeId) -> Walked {
        let is_pair = self.graph.arity(2, place);
        self.require(is_pair)?;
        let (start, length) = (self.graph.element(0, place), self.graph.element(1, place));
        self.binary_part(binary, start, length)
    }

    /// `split_binary(Bits, Position)`.
    pub(in crate::models) fn split_binary(&mut self, bits: NodeId, position: NodeId) -> Walked {
        let is_bits = self.graph.kind(Kinds::BITS, bits);
        self.require(is_bits)?;
        self.require_natural(position)?;
        let whole = self.whole_bytes(bits)?;
        let is_late = self.graph.less(whole, position);
        self.require(!is_late)?;
        let position = self.exact(position)?;
        let first = self.graph.sliced(bits, 0, Some(position * 8));
        let second = self.graph.sliced(bits, position * 8, None);
        Ok(self.graph.tuple([first, second]))
    }

    /// How many whole bytes a bit string has.
    pub(in crate::models) fn whole_bytes(&mut self, bits: NodeId) -> Walked {
        let bytes = self.graph.bytes(bits);
        let less = self.graph.shifted(bytes, -1);
        let is_whole = self.graph.kind(Kinds::BINARY, bits);
        Ok(self.graph.choice(is_whole, bytes, less))
    }

    /// `binary:at(Binary, Position)`.
    pub(in crate::models) fn byte_at(&mut self, binary: NodeId, position: NodeId) -> Walked {
        let is_binary = self.graph.kind(Kinds::BINARY, binary);
        self.require(is_binary)?;
        self.require_natural(position)?;
        let size = self.graph.bytes(binary);
        let is_inside = self.graph.less(position, size);
        self.require(is_inside)?;
        let position = self.exact(position)?;
        Ok(self.graph.field(binary, position * 8, 8))
    }

    /// `binary:first(Binary)`.
    pub(in crate::models) fn first_byte(&mut self, binary: NodeId) -> Walked {
        let first = self.graph.integer(0);
        self.byte_at(binary, first)
    }

    /// `binary:last(Binary)`.
    pub(in crate::models) fn last_byte(&mut self, binary: NodeId) -> Walked {
        let is_binary = self.graph.kind(Kinds::BINARY, binary);
        self.require(is_binary)?;
        let size = self.graph.bytes(binary);
        let last = self.graph.shifted(size, -1);
        self.byte_at(binary, last)
    }

    /// `binary:copy(Binary)`.
    pub(in crate::models) fn copied(&mut self, binary: NodeId) -> Walked {
        let is_binary = self.graph.kind(Kinds::BINARY, binary);
        self.require(is_binary)?;
        Ok(binary)
    }
}
