//! Bit strings from lists and numbers, and the other way round.

use super::super::{Stop, Walk, Walked};
use solver::graph::{Condition, Kinds, NodeId, Piece};

impl Walk<'_> {
    /// `binary_to_list(Binary)`.
    pub(in crate::models) fn binary_to_list(&mut self, binary: NodeId) -> Walked {
        let bytes = self.bytes_of(binary)?;
        Ok(self.list(&bytes))
    }

    /// `binary_to_list(Binary, First, Last)`, counted from 1.
    pub(in crate::models) fn part_to_list(
        &mut self,
        binary: NodeId,
        first: NodeId,
        last: NodeId,
    ) -> Walked {
        let is_binary = self.graph.kind(Kinds::BINARY, binary);
        self.require(is_binary)?;
        self.require_natural(first)?;
        self.require_natural(last)?;
        let (zero, size) = (self.graph.integer(0), self.graph.bytes(binary));
        let is_first = self.graph.less(zero, first);
        let is_ordered = !self.graph.less(last, first);
        let is_inside = !self.graph.less(size, last);
        let is_there = self.graph.all([is_first, is_ordered, is_inside]);
        self.require(is_there)?;
        let (first, last) = (self.exact(first)?, self.exact(last)?);
        let bytes: Vec<NodeId> = (first - 1..last)
            .map(|it| self.graph.field(binary, it * 8, 8))
            .collect();
        Ok(self.list(&bytes))
    }

    /// `bitstring_to_list(Bits)`: what is left over comes last.
    pub(in crate::models) fn bits_to_list(&mut self, bits: NodeId) -> Walked {
        let is_bits = self.graph.kind(Kinds::BITS, bits);
        self.require(is_bits)?;
        let (mut bytes, rest) = self.bytes_of_any(bits)?;
        bytes.extend(rest);
        Ok(self.list(&bytes))
    }

    /// `list_to_binary(List)` and its like: bytes and bit strings in lists in lists.
    pub(in crate::models) fn join(&mut self, list: NodeId, kinds: Kinds) -> Walked {
        let is_list = self.graph.kind(Kinds::LIST, list);
        self.require(is_list)?;
        let mut pieces = Vec::new();
        self.join_into(list, kinds, &mut pieces)?;
        Ok(self.bits_of(pieces))
    }

    /// `iolist_to_binary(Data)`, where a binary is data too.
    pub(in crate::models) fn join_data(&mut self, data: NodeId) -> Walked {
        let is_binary = self.graph.kind(Kinds::BINARY, data);
        if self.holds(is_binary)? {
            return Ok(data);
        }
        self.join(data, Kinds::BINARY)
    }

    /// `iolist_size(Data)`.
    pub(in crate::models) fn data_size(&mut self, data: NodeId) -> Walked {
        let joined = self.join_data(data)?;
        Ok(self.graph.bytes(joined))
    }

    /// A list goes on with bytes, bit strings and lists, and ends in nothing or in a bit string.
    fn join_into(
        &mut self,
        list: NodeId,
        kinds: Kinds,
        pieces: &mut Vec<Piece>,
    ) -> Result<(), Stop> {
        // What is left to do, the next last; whether it is an element and no tail.
        let mut open = vec![(list, false)];
        while let Some((data, is_element)) = open.pop() {
            let is_byte = if is_element {
                self.is_between(data, 0, 255)
            } else {
                Condition::FALSE
            };
            let ways = [
                self.graph.kind(Kinds::NIL, data),
                self.graph.kind(Kinds::CONS, data),
                self.graph.kind(kinds, data),
                is_byte,
                Condition::TRUE,
            ];
            match self.choose(&ways)? {
                0 => {}
                1 => {
                    let (head, tail) = (self.graph.head(data), self.graph.tail(data));
                    open.extend([(tail, false), (head, true)]);
                }
                2 => pieces.extend(self.all_pieces(data)?),
                3 => pieces.push(Piece {
                    value: data,
                    width: 8,
                }),
                _ => return Err(Stop::Raises),
            }
        }
        Ok(())
    }

    /// The characters of a binary as a list, for what is done with texts.
    fn text_of(&mut self, binary: NodeId) -> Walked {
        let bytes = self.bytes_of(binary)?;
        Ok(self.list(&bytes))
    }

    /// `binary_to_integer(Binary, Base)`.
    pub(in crate::models) fn binary_to_integer(&mut self, binary: NodeId, base: u8) -> Walked {
        let text = self.text_of(binary)?;
        self.list_to_integer(text, base)
    }

    /// `binary_to_float(Binary)`.
    pub(in crate::models) fn binary_to_float(&mut self, binary: NodeId) -> Walked {
        let text = self.text_of(binary)?;
        self.list_to_float(text)
    }

    /// `integer_to_binary(Integer, Base)`.
    pub(in crate::models) fn integer_to_binary(&mut self, integer: NodeId, base: u8) -> Walked {
        let text = self.integer_to_list(integer, base)?;
        self.join(text, Kinds::BINARY)
    }
}
