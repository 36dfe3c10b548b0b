//! Sizes of bit strings.

use super::arena::Graph;
use super::bit_pieces::Rest;
use super::ids::{Condition, NodeId};
use super::node::{Node, Place};
use super::operator::Operator;
use crate::kinds::Kinds;

impl Graph {
    /// The number of bytes of a value that is a bit string, including an incomplete last byte.
    pub fn bytes(&mut self, of: NodeId) -> NodeId {
        self.distribute(of, |graph, leaf| size_of_leaf(graph, leaf, Size::Bytes))
    }

    /// The number of unused bits in the last byte of a value that is a bit string.
    pub fn unused(&mut self, of: NodeId) -> NodeId {
        self.distribute(of, |graph, leaf| size_of_leaf(graph, leaf, Size::Unused))
    }

    /// The number of bits of a value that is a bit string.
    pub fn bit_size(&mut self, of: NodeId) -> NodeId {
        self.distribute(of, |graph, leaf| graph.bit_size_of_leaf(leaf))
    }

    fn bit_size_of_leaf(&mut self, of: NodeId) -> NodeId {
        if let Node::Bits(bits) = self.node(of) {
            let width = i64::try_from(bits.width()).unwrap_or(i64::MAX);
            let Some(rest) = bits.rest else {
                return self.integer(width);
            };
            let of_rest = self.bit_size(rest.of);
            let skipped = i64::try_from(rest.skipped).unwrap_or(i64::MAX);
            return self.shifted(of_rest, width - skipped);
        }
        let (bytes, unused) = (self.bytes(of), self.unused(of));
        let eight = self.integer(8);
        let bits = self.arithmetic(Operator::Multiply, bytes, eight);
        self.arithmetic(Operator::Subtract, bits, unused)
    }

    /// A bit string has this number of bits.
    pub fn has_bit_size(&mut self, of: NodeId, width: u64) -> Condition {
        if self.is_part(of) {
            return self.part_has_bit_size(of, width);
        }
        let size = self.bit_size(of);
        let width = i64::try_from(width).unwrap_or(i64::MAX);
        let width = self.integer(width);
        self.equal(size, width)
    }

    fn part_has_bit_size(&mut self, of: NodeId, width: u64) -> Condition {
        let kind = if width.is_multiple_of(8) {
            Kinds::BINARY
        } else {
            Kinds::PARTIAL_BINARY
        };
        let is_kind = self.kind(kind, of);
        let number = i64::try_from(width.div_ceil(8)).unwrap_or(i64::MAX);
        let number = self.integer(number);
        let bytes = self.bytes(of);
        let has_bytes = self.equal(bytes, number);
        if width.is_multiple_of(8) {
            return self.all([is_kind, has_bytes]);
        }
        let missing = i64::try_from(8 - width % 8).unwrap_or_default();
        let missing = self.integer(missing);
        let unused = self.unused(of);
        let is_missing = self.equal(unused, missing);
        self.all([is_kind, has_bytes, is_missing])
    }

    /// A bit string has `base` bits plus any multiple of `unit` bits.
    pub(super) fn has_form_of_bits(&mut self, base: u64, unit: u64, node: NodeId) -> Condition {
        if unit == 0 {
            return self.has_bit_size(node, base);
        }
        let Ok(least) = i64::try_from(base) else {
            return Condition::FALSE;
        };
        let (size, zero, least) = (self.bit_size(node), self.integer(0), self.integer(least));
        let is_short = self.less(size, least);
        if base.is_multiple_of(8) && unit == 8 {
            let is_whole = self.kind(Kinds::BINARY, node);
            return self.all([is_whole, !is_short]);
        }
        let unit = self.integer(i64::try_from(unit).unwrap_or(1));
        let more = self.arithmetic(Operator::Subtract, size, least);
        let left = self.arithmetic(Operator::Modulo, more, unit);
        let is_whole = self.equal(left, zero);
        self.all([!is_short, is_whole])
    }
}

/// One of the two numbers that make up the size of a bit string.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Size {
    Bytes,
    Unused,
}

impl Size {
    fn place(self) -> Place {
        match self {
            Self::Bytes => Place::Bytes,
            Self::Unused => Place::Unused,
        }
    }

    /// The size of a bit string that ends in a rest with these bytes, of whose last bits some are
    /// unused, after some bits more.
    fn after(self, graph: &mut Graph, bytes: NodeId, width: i64, unused: i64) -> NodeId {
        match self {
            Self::Bytes => {
                let bits = width - unused;
                let more = bits.div_euclid(8) + i64::from(bits.rem_euclid(8) != 0);
                graph.shifted(bytes, more)
            }
            Self::Unused => graph.integer((unused - width).rem_euclid(8)),
        }
    }
}

fn size_of_leaf(graph: &mut Graph, of: NodeId, size: Size) -> NodeId {
    if let Some((bytes, unused)) = graph.node(of).as_constant_bits() {
        let number = match size {
            Size::Bytes => i64::try_from(bytes.len()).unwrap_or(i64::MAX),
            Size::Unused => i64::from(unused),
        };
        return graph.integer(number);
    }
    let Node::Bits(bits) = graph.node(of) else {
        return graph.part(size.place(), of);
    };
    let (width, rest) = (bits.width(), bits.rest);
    size_of_pieces(graph, width, rest, size)
}

fn size_of_pieces(graph: &mut Graph, width: u64, rest: Option<Rest>, size: Size) -> NodeId {
    let width = i64::try_from(width).unwrap_or(i64::MAX);
    let Some(rest) = rest else {
        let zero = graph.integer(0);
        return size.after(graph, zero, width, 0);
    };
    let width = width - i64::try_from(rest.skipped).unwrap_or(i64::MAX);
    let bytes = graph.bytes(rest.of);
    if width % 8 == 0 && size == Size::Unused {
        return graph.unused(rest.of);
    }
    let mut result = size.after(graph, bytes, width, 0);
    if width % 8 != 0 {
        let own = graph.unused(rest.of);
        for unused in 1..8 {
            let here = graph.integer(unused);
            let is_here = graph.equal(own, here);
            let value = size.after(graph, bytes, width, unused);
            result = graph.choice(is_here, value, result);
        }
    }
    result
}
