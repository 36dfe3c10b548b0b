//! Characters in UTF-8 and UTF-16: how many bytes one has is asked first.

use flattener::flat::{Endianness, PatternSegment, SegmentKind};

use super::Matching;
use crate::matching::{Need, Question};
use solver::graph::{Condition, NodeId, Operator};

impl Matching<'_> {
    /// A character from a first one on that is no half of a pair.
    pub(super) fn is_character(&mut self, code: NodeId, first: i64) -> Condition {
        let is_late = !self.is_below(code, first);
        let is_early = self.is_below(code, 0xD800);
        let is_behind = !self.is_below(code, 0xE000);
        let is_single = self.graph.any([is_early, is_behind]);
        let is_one = self.is_below(code, 0x11_0000);
        self.graph.all([is_late, is_single, is_one])
    }

    fn is_below(&mut self, number: NodeId, limit: i64) -> Condition {
        let limit = self.graph.integer(limit);
        self.graph.less(number, limit)
    }

    fn is_between(&mut self, number: NodeId, first: i64, last: i64) -> Condition {
        let parts = [
            !self.is_below(number, first),
            self.is_below(number, last + 1),
        ];
        self.graph.all(parts)
    }

    pub(super) fn encoded(&mut self, segment: &PatternSegment) -> Result<(), Box<Need>> {
        let forms = match segment.kind.kind {
            SegmentKind::Utf8 => self.utf8_forms(),
            _ => self.utf16_forms(segment.kind.endianness),
        };
        let ways = forms.iter().map(|it| it.0).chain([Condition::TRUE]);
        let ways: Vec<Condition> = ways.collect();
        let open = ways.iter().position(|it| *it != Condition::FALSE);
        let chosen = match open {
            Some(first) if ways.get(first) == Some(&Condition::TRUE) => first,
            _ => {
                let question = Question::Ways(ways);
                let mut answers = self.answers.iter();
                match answers.find(|it| it.0 == question) {
                    Some((_, chosen)) => usize::try_from(*chosen).unwrap_or(usize::MAX),
                    None => {
                        let prefix = self.graph.all(self.conditions.iter().copied());
                        return Err(Box::new(Need { prefix, question }));
                    }
                }
            }
        };
        let Some((_, code, width)) = forms.get(chosen).copied() else {
            self.conditions.push(Condition::FALSE);
            return Ok(());
        };
        self.at += width;
        self.room = self.room.max(self.at);
        self.match_value(&segment.value, code)
    }

    /// For each number of bytes when they are a character, which one, and how many bits it has.
    fn utf8_forms(&mut self) -> Vec<(Condition, NodeId, u64)> {
        // What leads, how many values that has, and the first character.
        let kinds = [
            (0, 128, 0),
            (0xC0, 32, 0x80),
            (0xE0, 16, 0x800),
            (0xF0, 8, 0x1_0000),
        ];
        let mut forms = Vec::new();
        for (more, (lead, count, first)) in (0_u64..).zip(kinds) {
            let width = 8 + 8 * more;
            let mut conditions = vec![self.has_room(self.at + width)];
            let byte = self.graph.field(self.value, self.at, 8);
            conditions.push(self.is_between(byte, lead, lead + count - 1));
            let mut code = self.graph.shifted(byte, -lead);
            for number in 1..=more {
                let byte = self.graph.field(self.value, self.at + 8 * number, 8);
                conditions.push(self.is_between(byte, 0x80, 0xBF));
                let factor = self.graph.integer(64);
                let before = self.graph.arithmetic(Operator::Multiply, code, factor);
                let own = self.graph.shifted(byte, -0x80);
                code = self.graph.arithmetic(Operator::Add, before, own);
            }
            if more > 0 {
                conditions.push(self.is_character(code, first));
            }
            forms.push((self.graph.all(conditions), code, width));
        }
        forms
    }

    fn utf16_forms(&mut self, endianness: Endianness) -> Vec<(Condition, NodeId, u64)> {
        let at = self.at;
        let first = self.unsigned(at, 16, endianness);
        let has_room = self.has_room(at + 16);
        let is_early = self.is_below(first, 0xD800);
        let is_behind = !self.is_below(first, 0xE000);
        let is_single = self.graph.any([is_early, is_behind]);
        let single = self.graph.all([has_room, is_single]);
        let second = self.unsigned(at + 16, 16, endianness);
        let has_room = self.has_room(at + 32);
        let halves = [
            has_room,
            self.is_between(first, 0xD800, 0xDBFF),
            self.is_between(second, 0xDC00, 0xDFFF),
        ];
        let pair = self.graph.all(halves);
        let high = self.graph.shifted(first, -0xD800);
        let factor = self.graph.integer(0x400);
        let high = self.graph.arithmetic(Operator::Multiply, high, factor);
        let low = self.graph.shifted(second, 0x1_0000 - 0xDC00);
        let code = self.graph.arithmetic(Operator::Add, high, low);
        vec![(single, first, 16), (pair, code, 32)]
    }
}
