//! Literals as syntax.

use erlang_term::{Integer, Term};

use crate::ast::{
    Binary, Child, Cons, CorePattern, CoreSegment, Expr, ExternalFun, Literal, LiteralValue, Map,
    MapOperator, MapPair, Meta, Tuple,
};

pub(super) fn literal(value: LiteralValue) -> Literal {
    Literal {
        meta: Meta::default(),
        value,
    }
}

/// The literal value of a term without parts; strings count as such.
fn atomic(term: &Term) -> Option<LiteralValue> {
    match term {
        Term::Integer(integer) => Some(LiteralValue::Integer(integer.clone())),
        Term::Float(float) => Some(LiteralValue::Float(*float)),
        Term::Atom(atom) => Some(LiteralValue::Atom(atom.clone())),
        Term::List(elements, None) if elements.is_empty() => Some(LiteralValue::Nil),
        Term::List(elements, None) => {
            printable(elements).map(|text| LiteralValue::String(text.into_boxed_str()))
        }
        Term::List(..)
        | Term::Tuple(_)
        | Term::Map(_)
        | Term::Bits(..)
        | Term::ExternalFun(_)
        | Term::TableFun(_) => None,
    }
}

/// The text of a list of printable ASCII characters.
fn printable(elements: &[Term]) -> Option<String> {
    let character = |element: &Term| match element.as_i64() {
        Some(code @ (9 | 10 | 32..=126)) => u8::try_from(code).ok().map(char::from),
        _ => None,
    };
    elements.iter().map(character).collect()
}

pub(super) fn term_expr(term: &Term) -> Expr {
    if let Some(value) = atomic(term) {
        return Expr::Literal(Box::new(literal(value)));
    }
    let meta = Meta::default();
    match term {
        Term::List(elements, tail) => {
            let nil = || Expr::Literal(Box::new(literal(LiteralValue::Nil)));
            let tail = tail.as_deref().map_or_else(nil, term_expr);
            elements.iter().rev().fold(tail, |tail, head| {
                let head = term_expr(head);
                Expr::Cons(Child::new(Cons {
                    meta: Meta::default(),
                    head,
                    tail,
                }))
            })
        }
        Term::Tuple(elements) => Expr::Tuple(Child::new(Tuple {
            meta,
            elements: elements.iter().map(term_expr).collect(),
        })),
        Term::Map(pairs) => Expr::Map(Child::new(Map {
            meta,
            pairs: pairs
                .iter()
                .map(|(key, value)| MapPair {
                    meta: Meta::default(),
                    operator: MapOperator::Assoc,
                    key: term_expr(key),
                    value: term_expr(value),
                })
                .collect(),
            base: None,
        })),
        Term::Bits(bytes, last_bits) => Expr::Binary(Child::new(Binary {
            meta,
            segments: bits_segments(bytes, *last_bits),
        })),
        Term::ExternalFun(fun) => Expr::ExternalFun(Child::new(ExternalFun {
            meta,
            module: fun.module.clone(),
            name: fun.name.clone(),
            arity: u32::from(fun.arity),
        })),
        Term::Integer(_) | Term::Float(_) | Term::Atom(_) => {
            unreachable!("terms without parts are atomic")
        }
        Term::TableFun(_) => unreachable!("only inputs have tables for funs"),
    }
}

/// Segments that OTP's parser reads back as a literal.
fn bits_segments(bytes: &[u8], last_bits: u8) -> Vec<CoreSegment> {
    let integer = |value: i64| {
        Expr::Literal(Box::new(literal(LiteralValue::Integer(Integer::Small(
            value,
        )))))
    };
    let segment = |value: u8, size: u8| CoreSegment {
        meta: Meta::default(),
        value: integer(i64::from(value)),
        size: integer(i64::from(size)),
        unit: integer(1),
        kind: term_expr(&Term::atom("integer")),
        flags: term_expr(&Term::list([Term::atom("unsigned"), Term::atom("big")])),
    };
    let last = bytes.len().saturating_sub(1);
    let size_of = |index| if index == last { last_bits } else { 8 };
    bytes
        .iter()
        .enumerate()
        .map(|(index, byte)| segment(byte >> (8 - size_of(index)), size_of(index)))
        .collect()
}

pub(super) fn term_pattern(term: &Term) -> CorePattern {
    let value = atomic(term).expect("literals in patterns have no parts");
    CorePattern::Literal(Box::new(literal(value)))
}
