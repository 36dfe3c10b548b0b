//! Segments of bit strings.

use erlang_term::Term;

use super::Flattener;
use crate::ast::{self, Expr, Span};
use crate::flat::{Endianness, Operation, Segment, SegmentKind, SegmentType, Statement};

impl Flattener<'_> {
    pub(super) fn binary(&mut self, binary: ast::Binary, out: &mut Vec<Statement>) -> Operation {
        let mut segments = Vec::with_capacity(binary.segments.len());
        for segment in binary.segments {
            let value = self.value(segment.value, out);
            let size = self.value(segment.size, out);
            let kind = self.segment_type(
                segment.meta.span,
                &segment.unit,
                &segment.kind,
                &segment.flags,
            );
            segments.push(Segment { value, size, kind });
        }
        Operation::Binary(segments)
    }

    pub(super) fn segment_type(
        &mut self,
        span: Span,
        unit: &Expr,
        kind: &Expr,
        flags: &Expr,
    ) -> SegmentType {
        let unit = self.constant_of(unit, span, "the unit of a segment");
        let kind = self.constant_of(kind, span, "the type of a segment");
        let flags = self.constant_of(flags, span, "the flags of a segment");
        layout(&unit, &kind, &flags).unwrap_or_else(|| {
            self.complain(
                span,
                format!("unknown type of segment ({unit},{kind},{flags})"),
                "expected (Size,Unit,Type,Flags) as the compiler writes them",
            );
            SegmentType {
                unit: None,
                kind: SegmentKind::Integer,
                signed: false,
                endianness: Endianness::Big,
            }
        })
    }
}

fn layout(unit: &Term, kind: &Term, flags: &Term) -> Option<SegmentType> {
    let unit = match unit.as_i64() {
        Some(bits) => Some(u16::try_from(bits).ok()?),
        None if unit.as_atom() == Some("undefined") => None,
        None => return None,
    };
    let mut layout = SegmentType {
        unit,
        kind: SegmentKind::from_name(kind.as_atom()?)?,
        signed: false,
        endianness: Endianness::Big,
    };
    for flag in flags.as_list()? {
        match flag.as_atom()? {
            "signed" => layout.signed = true,
            "unsigned" => layout.signed = false,
            "big" => layout.endianness = Endianness::Big,
            "little" => layout.endianness = Endianness::Little,
            "native" => layout.endianness = Endianness::Native,
            _ => return None,
        }
    }
    Some(layout)
}
