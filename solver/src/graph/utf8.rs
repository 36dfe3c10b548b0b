//! Texts in UTF-8. That the bytes from one on are UTF-8 is a condition of its own. It is kept, and
//! written out character by character where a guess breaks it:
//!
//! ```text
//! utf8(3, X)  ⟶  X has 3 bytes
//!             or byte(3, X) < 128  and  utf8(4, X)
//!             or byte(3, X) in 194..223  and  byte(4, X) in 128..191  and  utf8(5, X)
//!             or …
//! ```

use super::arena::Graph;
use super::formula::Formula;
use super::ids::{Condition, NodeId};
use super::node::Node;
use crate::kinds::Kinds;

/// The bytes of a character: the bounds of each.
type Shape = &'static [(i64, i64)];

/// The shapes of characters. Three and four bytes have gaps: a character has only one shape, and
/// halves of pairs are no characters.
const SHAPES: [Shape; 9] = [
    &[(0, 127)],
    &[(194, 223), (128, 191)],
    &[(224, 224), (160, 191), (128, 191)],
    &[(225, 236), (128, 191), (128, 191)],
    &[(237, 237), (128, 159), (128, 191)],
    &[(238, 239), (128, 191), (128, 191)],
    &[(240, 240), (144, 191), (128, 191), (128, 191)],
    &[(241, 243), (128, 191), (128, 191), (128, 191)],
    &[(244, 244), (128, 143), (128, 191), (128, 191)],
];

impl Graph {
    /// The bytes of a binary from this one on are UTF-8.
    pub(crate) fn utf8(&mut self, from: u32, node: NodeId) -> Condition {
        if self.is_choice(node) {
            return self.distribute_condition(node, |graph, leaf| graph.utf8(from, leaf));
        }
        if self.is_part(node) {
            return self.intern_formula(Formula::Utf8(from, node));
        }
        match self.node(node).as_constant_bits() {
            Some((bytes, unused)) => Condition::of(unused == 0 && is_utf8(bytes, from)),
            None if matches!(self.node(node), Node::Bits(_)) => {
                self.intern_formula(Formula::Utf8(from, node))
            }
            None => Condition::FALSE,
        }
    }

    /// The cases of the same: one of them holds.
    pub(crate) fn utf8_cases(&mut self, from: u32, node: NodeId) -> Vec<Vec<Condition>> {
        let (ascii, others) = SHAPES.split_at(1);
        let mut cases: Vec<Vec<Condition>> = Vec::with_capacity(SHAPES.len() + 1);
        cases.extend(
            ascii
                .iter()
                .map(|shape| self.begins_with(shape, from, node)),
        );
        cases.push(self.ends_at(from, node));
        cases.extend(
            others
                .iter()
                .map(|shape| self.begins_with(shape, from, node)),
        );
        cases
    }

    fn ends_at(&mut self, from: u32, node: NodeId) -> Vec<Condition> {
        let is_whole = self.kind(Kinds::BINARY, node);
        let (bytes, end) = (self.bytes(node), self.integer(i64::from(from)));
        vec![is_whole, self.equal(bytes, end)]
    }

    /// A character of this shape stands there, and UTF-8 follows.
    fn begins_with(&mut self, shape: Shape, from: u32, node: NodeId) -> Vec<Condition> {
        let end = from.saturating_add(u32::try_from(shape.len()).unwrap_or(u32::MAX));
        let (bytes, least) = (self.bytes(node), self.integer(i64::from(end)));
        let is_short = self.less(bytes, least);
        let mut all = vec![self.kind(Kinds::BINARY, node), !is_short];
        for (index, (low, high)) in (from..).zip(shape) {
            let byte = self.byte(index, node);
            let (low, high) = (self.integer(*low), self.integer(*high));
            let (is_below, is_above) = (self.less(byte, low), self.less(high, byte));
            all.extend([!is_below, !is_above]);
        }
        all.push(self.utf8(end, node));
        all
    }
}

fn is_utf8(bytes: &[u8], from: u32) -> bool {
    let rest = bytes.get(from as usize..);
    rest.is_some_and(|rest| std::str::from_utf8(rest).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_those_of_utf8() {
        let has_shape = |bytes: &[u8]| {
            SHAPES.iter().any(|shape| {
                let mut pairs = shape.iter().zip(bytes);
                shape.len() == bytes.len()
                    && pairs.all(|((low, high), byte)| (*low..=*high).contains(&i64::from(*byte)))
            })
        };
        for code in 0..=u32::from(char::MAX) {
            if let Some(character) = char::from_u32(code) {
                assert!(has_shape(character.to_string().as_bytes()), "{code:x}");
            }
        }
        let all = 0..=u8::MAX;
        let pairs = all
            .clone()
            .flat_map(|first| all.clone().map(move |it| [first, it]));
        for pair in pairs.filter(|it| std::str::from_utf8(it).is_err()) {
            assert!(!has_shape(&pair), "{pair:?}");
        }
        for start in [[224, 159], [237, 160], [192, 128], [245, 128]] {
            assert!(!has_shape(&[start[0], start[1], 128]), "{start:?}");
        }
    }
}
