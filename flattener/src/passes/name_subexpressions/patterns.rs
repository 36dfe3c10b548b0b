//! Patterns: the same shapes, with numbers for variables.

use erlang_term::Term;

use super::Flattener;
use super::folding::{is_constant, literal_term};
use crate::ast::{self, Child, Constant, CorePattern, Expr, LiteralValue, deep};
use crate::flat::{Pattern, PatternSegment, Value};

impl Flattener<'_> {
    pub(super) fn patterns(&mut self, patterns: Vec<CorePattern>) -> Vec<Pattern> {
        patterns
            .into_iter()
            .map(|pattern| self.pattern(pattern))
            .collect()
    }

    fn pattern(&mut self, pattern: CorePattern) -> Pattern {
        deep(|| match pattern {
            CorePattern::Variable(variable) => Pattern::Variable(self.bind(*variable)),
            CorePattern::Literal(literal) => literal_pattern(&literal.value),
            CorePattern::Constant(constant) => constant_pattern(&constant.value),
            CorePattern::Cons(cons) => {
                let cons = cons.into_inner();
                let head = self.pattern(cons.head);
                Pattern::Cons(Child::new((head, self.pattern(cons.tail))))
            }
            CorePattern::Tuple(tuple) => {
                Pattern::Tuple(Child::new(self.patterns(tuple.into_inner().elements)))
            }
            CorePattern::Map(map) => {
                let mut pairs = Vec::with_capacity(map.pairs.len());
                for pair in map.into_inner().pairs {
                    let key = self.pure_value(pair.key, "a key in a pattern");
                    pairs.push((key, self.pattern(pair.value)));
                }
                Pattern::Map(Child::new(pairs))
            }
            CorePattern::Binary(binary) => self.pattern_binary(binary.into_inner()),
            CorePattern::Alias(alias) => {
                let alias = alias.into_inner();
                let variable = self.bind(alias.variable);
                Pattern::Alias(Child::new((variable, self.pattern(alias.pattern))))
            }
        })
    }

    fn pattern_binary(&mut self, binary: ast::PatternBinary) -> Pattern {
        let mut segments = Vec::with_capacity(binary.segments.len());
        for segment in binary.segments {
            let size = self.pure_value(segment.size, "a size in a pattern");
            let kind = self.segment_type(&segment.unit, &segment.kind, &segment.flags);
            segments.push(PatternSegment {
                value: self.pattern(segment.value),
                size,
                kind,
            });
        }
        Pattern::Binary(Child::new(segments))
    }

    /// A variable or a constant.
    fn pure_value(&mut self, expr: Expr, what: &str) -> Value {
        let span = expr.meta().span;
        let mut evaluated = Vec::new();
        if matches!(expr, Expr::Variable(_)) || is_constant(&expr) {
            let value = self.value(expr, &mut evaluated);
            if evaluated.is_empty() {
                return value;
            }
        }
        self.complain(
            span,
            format!("{what} must be a variable or a constant"),
            "must be evaluated before",
        );
        Value::literal(Term::List(Vec::new(), None))
    }
}

/// A constant, taken apart so that literals in patterns have no parts.
fn constant_pattern(constant: &Constant) -> Pattern {
    deep(|| match constant {
        Constant::Atomic(value) => literal_pattern(value),
        Constant::Tuple(elements) => {
            Pattern::Tuple(Child::new(elements.iter().map(constant_pattern).collect()))
        }
        Constant::List(list) => {
            let nil = || literal_pattern(&LiteralValue::Nil);
            let tail = list.tail.as_ref().map_or_else(nil, constant_pattern);
            list_pattern(list.elements.iter().map(constant_pattern), tail)
        }
        Constant::Map(_) => unreachable!("only annotations hold maps"),
    })
}

fn literal_pattern(value: &LiteralValue) -> Pattern {
    let literal = |term| Pattern::Literal(Child::new(term));
    let term = literal_term(value);
    let Some(characters) = term.as_list() else {
        return literal(term);
    };
    let nil = literal(Term::List(Vec::new(), None));
    list_pattern(characters.iter().cloned().map(literal), nil)
}

fn list_pattern(elements: impl DoubleEndedIterator<Item = Pattern>, tail: Pattern) -> Pattern {
    elements.rfold(tail, |tail, head| Pattern::Cons(Child::new((head, tail))))
}
