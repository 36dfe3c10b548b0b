//! Segments of bit strings.

use erlang_term::Term;

use super::Flattener;
use super::folding::constant;
use crate::ast::{self, Expr};
use crate::flat::{Endianness, Operation, Segment, SegmentKind, SegmentType, Statement};

impl Flattener<'_> {
    pub(super) fn binary(&mut self, binary: ast::Binary, out: &mut Vec<Statement>) -> Operation {
        let mut segments = Vec::with_capacity(binary.segments.len());
        for segment in binary.segments {
            let value = self.value(segment.value, out);
            let size = self.value(segment.size, out);
            let kind = self.segment_type(&segment.unit, &segment.kind, &segment.flags);
            segments.push(Segment {
                value,
                size,
                kind,
                annotations: segment.meta.annotations,
            });
        }
        Operation::Binary(segments)
    }

    pub(super) fn segment_type(&mut self, unit: &Expr, kind: &Expr, flags: &Expr) -> SegmentType {
        let unit = self.segment_part(
            unit,
            unit_of,
            "unknown unit of a segment",
            "expected 1 to 256 or 'undefined'",
        );
        let kind = self.segment_part(
            kind,
            |term| SegmentKind::from_name(term.as_atom()?),
            "unknown type of a segment",
            "expected 'integer', 'float', 'binary', 'utf8', 'utf16' or 'utf32'",
        );
        let flags = self.segment_part(
            flags,
            flags_of,
            "unknown flags of a segment",
            "expected a list of 'signed', 'unsigned', 'big', 'little' or 'native'",
        );
        let (signed, endianness) = flags.unwrap_or((false, Endianness::Big));
        SegmentType {
            unit: unit.flatten(),
            kind: kind.unwrap_or(SegmentKind::Integer),
            signed,
            endianness,
        }
    }

    /// The meaning of a constant part of a segment; complains if it has none.
    fn segment_part<T>(
        &mut self,
        expr: &Expr,
        meaning: impl FnOnce(&Term) -> Option<T>,
        title: &str,
        label: &str,
    ) -> Option<T> {
        let part = constant(expr).and_then(|term| meaning(&term));
        if part.is_none() {
            self.complain(expr.meta().span, title, label);
        }
        part
    }
}

/// Bits per unit, or none at all for the UTF types.
fn unit_of(term: &Term) -> Option<Option<u16>> {
    if term.as_atom() == Some("undefined") {
        return Some(None);
    }
    let bits = u16::try_from(term.as_i64()?).ok()?;
    (1..=256).contains(&bits).then_some(Some(bits))
}

/// Whether there is a sign, and the order of bytes.
fn flags_of(term: &Term) -> Option<(bool, Endianness)> {
    let mut signed = false;
    let mut endianness = Endianness::Big;
    for flag in term.as_list()? {
        match flag.as_atom()? {
            "signed" => signed = true,
            "unsigned" => signed = false,
            "big" => endianness = Endianness::Big,
            "little" => endianness = Endianness::Little,
            "native" => endianness = Endianness::Native,
            _ => return None,
        }
    }
    Some((signed, endianness))
}
