//! Characters in UTF-8 and UTF-16, in each number of bytes.

use flattener::flat::{Endianness, SegmentKind};
use solver::graph::{Condition, Graph, NodeId, Operator};

use super::bit_fields::{has_room, unsigned};

/// A character that is written in a certain number of bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct CharacterForm {
    /// When the bytes are such a character.
    pub(super) condition: Condition,
    /// Which one it is.
    pub(super) code: NodeId,
    /// How many bits it has.
    pub(super) width: u64,
}

/// The forms of a character that begins at a place.
pub(super) fn character_forms(
    graph: &mut Graph,
    bits: NodeId,
    at: u64,
    (kind, endianness): (SegmentKind, Endianness),
) -> Vec<CharacterForm> {
    match kind {
        SegmentKind::Utf8 => utf8_forms(graph, bits, at),
        SegmentKind::Utf16
        | SegmentKind::Utf32
        | SegmentKind::Integer
        | SegmentKind::Float
        | SegmentKind::Binary => utf16_forms(graph, bits, at, endianness),
    }
}

/// The condition on which a code from a first one on is a character, and not half of a pair.
pub(super) fn is_character(graph: &mut Graph, code: NodeId, first: i64) -> Condition {
    let is_late = !is_below(graph, code, first);
    let is_early = is_below(graph, code, 0xD800);
    let is_after = !is_below(graph, code, 0xE000);
    let is_single = graph.any([is_early, is_after]);
    let is_one = is_below(graph, code, 0x11_0000);
    graph.all([is_late, is_single, is_one])
}

fn is_below(graph: &mut Graph, number: NodeId, limit: i64) -> Condition {
    let limit = graph.integer(limit);
    graph.less(number, limit)
}

fn is_between(graph: &mut Graph, number: NodeId, first: i64, last: i64) -> Condition {
    let parts = [
        !is_below(graph, number, first),
        is_below(graph, number, last + 1),
    ];
    graph.all(parts)
}

fn utf8_forms(graph: &mut Graph, bits: NodeId, at: u64) -> Vec<CharacterForm> {
    // The first value of the first byte, how many values it has, and the first character.
    let kinds = [
        (0, 128, 0),
        (0xC0, 32, 0x80),
        (0xE0, 16, 0x800),
        (0xF0, 8, 0x1_0000),
    ];
    let mut forms = Vec::new();
    for (more, (lead, count, first)) in (0_u64..).zip(kinds) {
        let width = 8 + 8 * more;
        let mut conditions = vec![has_room(graph, bits, at + width)];
        let byte = graph.field(bits, at, 8);
        conditions.push(is_between(graph, byte, lead, lead + count - 1));
        let mut code = graph.shifted(byte, -lead);
        for number in 1..=more {
            let byte = graph.field(bits, at + 8 * number, 8);
            conditions.push(is_between(graph, byte, 0x80, 0xBF));
            let factor = graph.integer(64);
            let before = graph.arithmetic(Operator::Multiply, code, factor);
            let own = graph.shifted(byte, -0x80);
            code = graph.arithmetic(Operator::Add, before, own);
        }
        if more > 0 {
            conditions.push(is_character(graph, code, first));
        }
        let condition = graph.all(conditions);
        forms.push(CharacterForm {
            condition,
            code,
            width,
        });
    }
    forms
}

fn utf16_forms(
    graph: &mut Graph,
    bits: NodeId,
    at: u64,
    endianness: Endianness,
) -> Vec<CharacterForm> {
    let first = unsigned(graph, bits, at, 16, endianness);
    let has_one = has_room(graph, bits, at + 16);
    let is_early = is_below(graph, first, 0xD800);
    let is_after = !is_below(graph, first, 0xE000);
    let is_single = graph.any([is_early, is_after]);
    let single = graph.all([has_one, is_single]);
    let second = unsigned(graph, bits, at + 16, 16, endianness);
    let halves = [
        has_room(graph, bits, at + 32),
        is_between(graph, first, 0xD800, 0xDBFF),
        is_between(graph, second, 0xDC00, 0xDFFF),
    ];
    let pair = graph.all(halves);
    let high = graph.shifted(first, -0xD800);
    let factor = graph.integer(0x400);
    let high = graph.arithmetic(Operator::Multiply, high, factor);
    let low = graph.shifted(second, 0x1_0000 - 0xDC00);
    let code = graph.arithmetic(Operator::Add, high, low);
    vec![
        CharacterForm {
            condition: single,
            code: first,
            width: 16,
        },
        CharacterForm {
            condition: pair,
            code,
            width: 32,
        },
    ]
}
