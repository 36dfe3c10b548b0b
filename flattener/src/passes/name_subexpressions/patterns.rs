//! Patterns: the same shapes, with numbers for variables.

use erlang_term::Term;

use super::Flattener;
use super::values::{constant_value, literal_term};
use crate::ast::{self, Child, Constant, Expr, Pattern as AstPattern, Span, deep};
use crate::flat::{Pattern, PatternSegment, Value};

impl Flattener<'_> {
    pub(super) fn patterns(&mut self, patterns: Vec<AstPattern>) -> Vec<Pattern> {
        patterns
            .into_iter()
            .map(|pattern| self.pattern(pattern))
            .collect()
    }

    fn pattern(&mut self, pattern: AstPattern) -> Pattern {
        deep(|| match pattern {
            AstPattern::Variable(variable) => Pattern::Variable(self.bind(*variable)),
            AstPattern::Literal(literal) => {
                Pattern::Literal(Child::new(literal_term(&literal.value)))
            }
            AstPattern::Constant(constant) => constant_pattern(&constant.value),
            AstPattern::Cons(cons) => {
                let cons = cons.into_inner();
                let head = self.pattern(cons.head);
                Pattern::Cons(Child::new((head, self.pattern(cons.tail))))
            }
            AstPattern::Tuple(tuple) => {
                Pattern::Tuple(Child::new(self.patterns(tuple.into_inner().elements)))
            }
            AstPattern::Map(map) => {
                let mut pairs = Vec::with_capacity(map.pairs.len());
                for pair in map.into_inner().pairs {
                    let key = self.pure_value(&pair.key, pair.meta.span, "a key in a pattern");
                    pairs.push((key, self.pattern(pair.value)));
                }
                Pattern::Map(Child::new(pairs))
            }
            AstPattern::Binary(binary) => self.pattern_binary(binary.into_inner()),
            AstPattern::Alias(alias) => {
                let alias = alias.into_inner();
                let variable = self.bind(alias.variable);
                Pattern::Alias(Child::new((variable, self.pattern(alias.pattern))))
            }
        })
    }

    fn pattern_binary(&mut self, binary: ast::PatternBinary) -> Pattern {
        let mut segments = Vec::with_capacity(binary.segments.len());
        for segment in binary.segments {
            let span = segment.meta.span;
            let size = self.pure_value(&segment.size, span, "the size of a segment");
            let kind = self.segment_type(span, &segment.unit, &segment.kind, &segment.flags);
            segments.push(PatternSegment {
                value: self.pattern(segment.value),
                size,
                kind,
            });
        }
        Pattern::Binary(Child::new(segments))
    }

    /// A variable or a constant.
    fn pure_value(&mut self, expr: &Expr, span: Span, what: &str) -> Value {
        if let Some(value) = self.atomic_value(expr) {
            return value;
        }
        super::values::constant(expr).map_or_else(
            || {
                self.complain(
                    span,
                    format!("{what} must be a variable or a constant"),
                    "neither",
                );
                Value::literal(Term::List(Vec::new(), None))
            },
            Value::literal,
        )
    }
}

/// A constant as a literal, or piece by piece where it nests too deeply for one.
fn constant_pattern(constant: &Constant) -> Pattern {
    value_pattern(constant_value(constant))
}

fn value_pattern(value: Value) -> Pattern {
    deep(|| match value {
        Value::Literal(term) => Pattern::Literal(term),
        Value::Cons(parts) => {
            let (head, tail) = parts.into_inner();
            Pattern::Cons(Child::new((value_pattern(head), value_pattern(tail))))
        }
        Value::Tuple(elements) => Pattern::Tuple(Child::new(
            elements
                .into_inner()
                .into_iter()
                .map(value_pattern)
                .collect(),
        )),
        Value::Variable(_) | Value::Function(_) => {
            unreachable!("a constant has no variables and no functions")
        }
    })
}
