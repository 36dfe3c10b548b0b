//! Patterns of bits. Each segment is some bits at a place that is known: where the size of a
//! segment depends on the input, the run tells which number it is.

use flattener::ast::deep;
use flattener::flat::{Endianness, Pattern, PatternSegment, SegmentKind, SegmentType};
use models::is_big;
use num_bigint::BigInt;
use num_traits::One;
use solver::graph::{Condition, Graph, Kinds, MOST_BYTES, Node, NodeId, Operator};

use super::bit_fields::{has_room, unsigned};
use super::character_patterns::{character_forms, is_character};
use super::environment::Environment;
use super::facts::{Fact, KnownFacts, Matches, Need, unknown_condition};
use super::values::evaluate_without_funs;

/// Matches a pattern inside of a segment.
type MatchInner = fn(&mut Graph, &mut Environment, &Pattern, NodeId, &KnownFacts) -> Matches;

/// The condition on which a value is a bit string of these segments.
pub(super) fn match_segments(
    graph: &mut Graph,
    environment: &mut Environment,
    segments: &[PatternSegment],
    value: NodeId,
    facts: &KnownFacts,
    match_inner: MatchInner,
) -> Matches {
    let is_bits = graph.kind(Kinds::BITS, value);
    if is_bits == Condition::FALSE {
        return Ok(is_bits);
    }
    let mut matching = SegmentMatcher {
        graph,
        environment,
        facts,
        match_inner,
        value,
        conditions: vec![is_bits],
        at: 0,
        room: 0,
    };
    for (number, segment) in segments.iter().enumerate() {
        if matching.at >= matching.room {
            let coming = segments.get(number..).unwrap_or_default();
            matching.make_room(coming);
        }
        matching.segment(segment)?;
        if matching.conditions.contains(&Condition::FALSE) {
            return Ok(Condition::FALSE);
        }
    }
    let is_whole = matches!(segments.last(), Some(last) if matching.is_tail(last));
    if !is_whole {
        let ends = matching.graph.has_bit_size(value, matching.at);
        matching.conditions.push(ends);
    }
    let SegmentMatcher {
        graph, conditions, ..
    } = matching;
    Ok(graph.all(conditions))
}

/// How large a segment is.
enum Width {
    /// This number of bits.
    Bits(u64),
    /// The rest.
    All,
    /// It matches nothing.
    Never,
    /// Units, and how many bits each has.
    Open(NodeId, u64),
    /// A character in UTF-8 or UTF-16.
    Encoded,
    Unknown,
}

struct SegmentMatcher<'run> {
    graph: &'run mut Graph,
    environment: &'run mut Environment,
    facts: &'run KnownFacts,
    match_inner: MatchInner,
    value: NodeId,
    conditions: Vec<Condition>,
    /// Where the next segment begins.
    at: u64,
    /// How many bits there are at least.
    room: u64,
}

impl SegmentMatcher<'_> {
    fn width(&mut self, segment: &PatternSegment) -> Width {
        match segment.kind.kind {
            SegmentKind::Utf8 | SegmentKind::Utf16 => return Width::Encoded,
            SegmentKind::Utf32 => return Width::Bits(32),
            SegmentKind::Integer | SegmentKind::Float | SegmentKind::Binary => {}
        }
        let size = evaluate_without_funs(self.graph, self.environment, &segment.size);
        let unit = u64::from(segment.kind.unit.unwrap_or(1));
        if let Node::Integer(size) = self.graph.node(size) {
            let size = size.to_i64().and_then(|it| u64::try_from(it).ok());
            return size.map_or(Width::Never, |it| Width::Bits(it.saturating_mul(unit)));
        }
        if matches!(self.graph.node(size), Node::Atom(atom) if atom.as_str() == "all") {
            return Width::All;
        }
        if matches!(self.graph.node(size), Node::Unknown(_)) {
            return Width::Unknown;
        }
        if !self.graph.kinds(size).intersects(Kinds::INTEGER) {
            return Width::Never;
        }
        let mut facts = self.facts.iter();
        match facts.find(|it| it.0 == Fact::Number(size)) {
            Some((_, number)) => Width::Bits(number.saturating_mul(unit)),
            None => Width::Open(size, unit),
        }
    }

    fn is_tail(&mut self, segment: &PatternSegment) -> bool {
        matches!(self.width(segment), Width::All)
    }

    /// States once that there is room for all segments of known sizes, up to the first one of
    /// unknown size.
    fn make_room(&mut self, coming: &[PatternSegment]) {
        let mut room = self.at;
        for segment in coming {
            // A size may be bound by one of these segments.
            let is_bound = segment.size.as_literal().is_some();
            let Width::Bits(width) = self.width(segment) else {
                break;
            };
            if !is_bound && self.at != room {
                break;
            }
            room = room.saturating_add(width);
        }
        self.need_room(room);
    }

    fn need_room(&mut self, room: u64) {
        if room > self.room {
            let has_room = has_room(self.graph, self.value, room);
            self.conditions.push(has_room);
            self.room = room;
        }
    }

    fn segment(&mut self, segment: &PatternSegment) -> Result<(), Box<Need>> {
        match self.width(segment) {
            Width::Unknown => {
                let unknown = unknown_condition(self.graph);
                self.conditions.push(unknown);
                Ok(())
            }
            Width::Never => {
                self.conditions.push(Condition::FALSE);
                Ok(())
            }
            Width::Bits(width) => self.fixed(segment, width),
            Width::All => self.tail(segment),
            Width::Encoded => self.encoded(segment),
            Width::Open(size, unit) => Err(self.ask_size(size, unit)),
        }
    }

    /// The size of a segment has to be known: it is a number, and there is room.
    fn ask_size(&mut self, size: NodeId, unit: u64) -> Box<Need> {
        let is_integer = self.graph.kind(Kinds::INTEGER, size);
        let zero = self.graph.integer(0);
        let is_negative = self.graph.less(size, zero);
        let unit = self.graph.integer(i64::try_from(unit).unwrap_or(1));
        let bits = self.graph.arithmetic(Operator::Multiply, size, unit);
        let end = self
            .graph
            .shifted(bits, i64::try_from(self.at).unwrap_or(i64::MAX));
        let there = self.graph.bit_size(self.value);
        let is_short = self.graph.less(there, end);
        let own = [is_integer, !is_negative, !is_short];
        Box::new(Need {
            prefix: self.graph.all(self.conditions.iter().copied().chain(own)),
            fact: Fact::Number(size),
        })
    }

    fn fixed(&mut self, segment: &PatternSegment, width: u64) -> Result<(), Box<Need>> {
        if width > 8 * MOST_BYTES as u64 {
            let unknown = unknown_condition(self.graph);
            self.conditions.push(unknown);
            return Ok(());
        }
        self.need_room(self.at.saturating_add(width));
        let from = self.at;
        self.at += width;
        let kind = segment.kind;
        if let SegmentKind::Integer = kind.kind
            && let Pattern::Literal(term) = &segment.value
        {
            let literal = self.graph.constant(term);
            let condition = self.literal(literal, from, width, kind);
            self.conditions.push(condition);
            return Ok(());
        }
        let value = match kind.kind {
            SegmentKind::Integer => self.integer(from, width, kind),
            SegmentKind::Binary => self.graph.sliced(self.value, from, Some(width)),
            SegmentKind::Float => {
                let Some(width) = u32::try_from(width)
                    .ok()
                    .filter(|it| [16, 32, 64].contains(it))
                else {
                    self.conditions.push(Condition::FALSE);
                    return Ok(());
                };
                let bits = self.unsigned(from, width.into(), kind.endianness);
                let is_float = self.graph.is_float(bits, width);
                self.conditions.push(is_float);
                self.graph.float_of(bits, width)
            }
            SegmentKind::Utf8 | SegmentKind::Utf16 | SegmentKind::Utf32 => {
                let code = self.unsigned(from, 32, kind.endianness);
                let is_character = is_character(self.graph, code, 0);
                self.conditions.push(is_character);
                code
            }
        };
        self.match_value(&segment.value, value)
    }

    fn match_value(&mut self, pattern: &Pattern, value: NodeId) -> Result<(), Box<Need>> {
        let (graph, environment) = (&mut *self.graph, &mut *self.environment);
        let condition = deep(|| (self.match_inner)(graph, environment, pattern, value, self.facts));
        let condition = condition.map_err(|need| need.after(graph, &self.conditions))?;
        self.conditions.push(condition);
        Ok(())
    }

    /// The rest, if it consists of whole units.
    fn tail(&mut self, segment: &PatternSegment) -> Result<(), Box<Need>> {
        self.need_room(self.at);
        let tail = self.graph.sliced(self.value, self.at, None);
        let unit = segment.kind.unit.unwrap_or(1);
        if unit.is_multiple_of(8) {
            let is_whole = self.graph.kind(Kinds::BINARY, tail);
            self.conditions.push(is_whole);
        }
        if unit != 1 && unit != 8 {
            let size = self.graph.bit_size(tail);
            let unit = self.graph.integer(unit.into());
            let left = self.graph.arithmetic(Operator::Modulo, size, unit);
            let zero = self.graph.integer(0);
            let is_whole = self.graph.equal(left, zero);
            self.conditions.push(is_whole);
        }
        self.match_value(&segment.value, tail)
    }

    /// A character in UTF-8 or UTF-16: how many bytes it has must be known.
    fn encoded(&mut self, segment: &PatternSegment) -> Result<(), Box<Need>> {
        let encoding = (segment.kind.kind, segment.kind.endianness);
        let forms = character_forms(self.graph, self.value, self.at, encoding);
        let ways = forms.iter().map(|it| it.condition);
        let ways: Vec<Condition> = ways.chain([Condition::TRUE]).collect();
        let open = ways.iter().position(|it| *it != Condition::FALSE);
        let chosen = match open {
            Some(first) if ways.get(first) == Some(&Condition::TRUE) => first,
            _ => self.chosen_form(ways)?,
        };
        let Some(form) = forms.get(chosen) else {
            self.conditions.push(Condition::FALSE);
            return Ok(());
        };
        self.at += form.width;
        self.room = self.room.max(self.at);
        self.match_value(&segment.value, form.code)
    }

    fn chosen_form(&mut self, ways: Vec<Condition>) -> Result<usize, Box<Need>> {
        let fact = Fact::FirstOf(ways);
        if let Some((_, chosen)) = self.facts.iter().find(|it| it.0 == fact) {
            return Ok(usize::try_from(*chosen).unwrap_or(usize::MAX));
        }
        let prefix = self.graph.all(self.conditions.iter().copied());
        Err(Box::new(Need { prefix, fact }))
    }

    fn unsigned(&mut self, from: u64, width: u64, endianness: Endianness) -> NodeId {
        unsigned(self.graph, self.value, from, width, endianness)
    }

    fn integer(&mut self, from: u64, width: u64, kind: SegmentType) -> NodeId {
        let number = self.unsigned(from, width, kind.endianness);
        if !kind.signed || width == 0 {
            return number;
        }
        let half = self.graph.power_of_two(width - 1);
        let whole = self.graph.power_of_two(width);
        let is_positive = self.graph.less(number, half);
        let negative = self.graph.arithmetic(Operator::Subtract, number, whole);
        self.graph.choice(is_positive, number, negative)
    }

    /// The condition on which some bits are those of a constant.
    fn literal(&mut self, literal: NodeId, from: u64, width: u64, kind: SegmentType) -> Condition {
        let Node::Integer(value) = self.graph.node(literal) else {
            return Condition::FALSE;
        };
        let mut value = value.to_big();
        let whole = BigInt::one() << width;
        let highest: BigInt = if kind.signed && width > 0 {
            &whole >> 1
        } else {
            whole.clone()
        };
        let lowest = if kind.signed {
            -highest.clone()
        } else {
            BigInt::ZERO
        };
        if value < lowest || value >= highest {
            return Condition::FALSE;
        }
        if value < BigInt::ZERO {
            value += whole;
        }
        if !is_big(kind.endianness) {
            let number = self.unsigned(from, width, kind.endianness);
            let value = self.graph.big_integer(value.into());
            return self.graph.equal(number, value);
        }
        let value = self.graph.big_integer(value.into());
        let same = self.graph.same_field(self.value, from, width, value);
        same.unwrap_or_else(|| unknown_condition(self.graph))
    }
}
