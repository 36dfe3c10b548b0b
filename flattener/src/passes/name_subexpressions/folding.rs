//! Constant expressions become literals.

use std::collections::HashSet;

use erlang_term::{ExternalFun, Term};

use crate::ast::{self, Child, Constant, Expr, LiteralValue, MapOperator, deep};
use crate::flat::Value;

/// Literals nest no deeper than this; below it, lists and tuples stay constructors, which are
/// safe to walk at any depth.
const MAX_LITERAL_DEPTH: usize = 32;

/// Whether an expression only puts other expressions together, or is a constant.
pub(super) fn is_constructor(expr: &Expr) -> bool {
    match expr {
        Expr::Variable(_)
        | Expr::Literal(_)
        | Expr::Constant(_)
        | Expr::FunctionName(_)
        | Expr::ExternalFun(_)
        | Expr::Cons(_)
        | Expr::Tuple(_) => true,
        Expr::Map(_) | Expr::Binary(_) => constant(expr).is_some(),
        Expr::Values(_)
        | Expr::Fun(_)
        | Expr::Let(_)
        | Expr::Letrec(_)
        | Expr::Sequence(_)
        | Expr::Case(_)
        | Expr::Apply(_)
        | Expr::Call(_)
        | Expr::Primop(_)
        | Expr::Try(_)
        | Expr::Catch(_)
        | Expr::Receive(_) => false,
    }
}

/// The list of these elements before this tail; a literal as far as it can be one.
pub(super) fn make_list(mut heads: Vec<Value>, tail: Value) -> Value {
    let mut list = tail;
    if let Value::Literal(tail) = list {
        let variable_heads = heads
            .iter()
            .rposition(|head| !is_shallow_literal(head))
            .map_or(0, |last| last + 1);
        let literals = heads.split_off(variable_heads);
        list = Value::Literal(prepend_literals(literals, tail));
    }
    for head in heads.into_iter().rev() {
        list = Value::Cons(Child::new((head, list)));
    }
    list
}

fn prepend_literals(heads: Vec<Value>, tail: Child<Term>) -> Child<Term> {
    if heads.is_empty() {
        return tail;
    }
    let elements = heads.into_iter().filter_map(into_literal).collect();
    Child::new(Term::list_before(elements, tail.into_inner()))
}

/// The tuple of these elements; a literal if it can be one.
pub(super) fn make_tuple(elements: Vec<Value>) -> Value {
    if elements.iter().all(is_shallow_literal) {
        return Value::literal(Term::Tuple(
            elements.into_iter().filter_map(into_literal).collect(),
        ));
    }
    Value::Tuple(Child::new(elements))
}

fn is_shallow_literal(value: &Value) -> bool {
    value
        .as_literal()
        .is_some_and(|term| term.is_within_depth(MAX_LITERAL_DEPTH))
}

fn into_literal(value: Value) -> Option<Term> {
    match value {
        Value::Literal(term) => Some(term.into_inner()),
        Value::Variable(_) | Value::Function(_) | Value::Cons(_) | Value::Tuple(_) => None,
    }
}

pub(super) fn literal_term(value: &LiteralValue) -> Term {
    match value {
        LiteralValue::Integer(integer) => Term::Integer(integer.clone()),
        LiteralValue::Float(float) => Term::Float(*float),
        LiteralValue::Atom(atom) => Term::Atom(atom.clone()),
        LiteralValue::Char(code) => Term::Integer(i64::from(*code).into()),
        LiteralValue::String(text) => Term::list(
            text.chars()
                .map(|element| Term::Integer(i64::from(u32::from(element)).into())),
        ),
        LiteralValue::Nil => Term::List(Vec::new(), None),
    }
}

/// The value of a constant: a literal, or constructors where it nests too deeply for one.
pub(super) fn constant_value(constant: &Constant) -> Value {
    deep(|| match constant {
        Constant::Atomic(value) => Value::literal(literal_term(value)),
        Constant::Tuple(elements) => make_tuple(elements.iter().map(constant_value).collect()),
        Constant::List(list) => {
            let nil = || Value::literal(Term::List(Vec::new(), None));
            let tail = list.tail.as_ref().map_or_else(nil, constant_value);
            make_list(list.elements.iter().map(constant_value).collect(), tail)
        }
        Constant::Map(_) => unreachable!("only annotations hold maps"),
    })
}

pub(super) fn external_fun(fun: &ast::ExternalFun) -> Term {
    let arity = u8::try_from(fun.arity).expect("the grammar admits arities up to 255");
    Term::ExternalFun(Box::new(ExternalFun {
        module: fun.module.clone(),
        name: fun.name.clone(),
        arity,
    }))
}

/// Whether an expression has neither variables nor anything to evaluate.
pub(super) fn is_constant(expr: &Expr) -> bool {
    deep(|| match expr {
        Expr::Literal(_) | Expr::Constant(_) | Expr::ExternalFun(_) => true,
        Expr::Tuple(tuple) => tuple.elements.iter().all(is_constant),
        Expr::Cons(cons) => is_constant(&cons.head) && is_constant(&cons.tail),
        Expr::Map(map) => {
            map.base.is_none()
                && map
                    .pairs
                    .iter()
                    .all(|pair| is_constant(&pair.key) && is_constant(&pair.value))
        }
        Expr::Binary(binary) => binary
            .segments
            .iter()
            .all(|segment| is_constant(&segment.value) && is_constant(&segment.size)),
        Expr::Variable(_)
        | Expr::FunctionName(_)
        | Expr::Values(_)
        | Expr::Fun(_)
        | Expr::Let(_)
        | Expr::Letrec(_)
        | Expr::Sequence(_)
        | Expr::Case(_)
        | Expr::Apply(_)
        | Expr::Call(_)
        | Expr::Primop(_)
        | Expr::Try(_)
        | Expr::Catch(_)
        | Expr::Receive(_) => false,
    })
}

/// The value of a constant expression that is not nested too deeply for a literal.
pub(super) fn constant(expr: &Expr) -> Option<Term> {
    constant_within(expr, MAX_LITERAL_DEPTH)
}

fn constant_within(expr: &Expr, depth: usize) -> Option<Term> {
    let below = depth.checked_sub(1)?;
    deep(|| match expr {
        Expr::Literal(literal) => Some(literal_term(&literal.value)),
        Expr::Constant(constant) => {
            into_literal(constant_value(&constant.value)).filter(|term| term.is_within_depth(depth))
        }
        Expr::ExternalFun(fun) => Some(external_fun(fun)),
        Expr::Tuple(tuple) => tuple
            .elements
            .iter()
            .map(|element| constant_within(element, below))
            .collect::<Option<_>>()
            .map(Term::Tuple),
        Expr::Cons(cons) => constant_list(cons, below),
        Expr::Binary(binary) => constant_bits(binary, below),
        Expr::Map(map) => constant_map(map, below),
        Expr::Variable(_)
        | Expr::FunctionName(_)
        | Expr::Values(_)
        | Expr::Fun(_)
        | Expr::Let(_)
        | Expr::Letrec(_)
        | Expr::Sequence(_)
        | Expr::Case(_)
        | Expr::Apply(_)
        | Expr::Call(_)
        | Expr::Primop(_)
        | Expr::Try(_)
        | Expr::Catch(_)
        | Expr::Receive(_) => None,
    })
}

fn constant_list(cons: &ast::Cons, depth: usize) -> Option<Term> {
    let mut elements = vec![constant_within(&cons.head, depth)?];
    let mut rest = &cons.tail;
    while let Expr::Cons(more) = rest {
        elements.push(constant_within(&more.head, depth)?);
        rest = &more.tail;
    }
    let tail = constant_within(rest, depth)?;
    Some(Term::list_before(elements, tail))
}

/// A map of constants under constant keys, all different.
fn constant_map(map: &ast::Map, depth: usize) -> Option<Term> {
    if map.base.is_some() {
        return None;
    }
    let mut pairs: Vec<(Term, Term)> = Vec::with_capacity(map.pairs.len());
    let mut keys = HashSet::new();
    for pair in &map.pairs {
        let key = constant_within(&pair.key, depth)?;
        let value = constant_within(&pair.value, depth)?;
        if pair.operator != MapOperator::Assoc || !keys.insert(key.to_string()) {
            return None;
        }
        pairs.push((key, value));
    }
    Some(Term::Map(pairs))
}

/// The value of a binary expression that OTP's parser reads as a literal: whole bytes, then at most
/// one shorter piece.
fn constant_bits(binary: &ast::Binary, depth: usize) -> Option<Term> {
    let constant = |expr| constant_within(expr, depth);
    let mut bytes = Vec::with_capacity(binary.segments.len());
    let mut last_bits = 8;
    for (index, segment) in binary.segments.iter().enumerate() {
        let is_last = index + 1 == binary.segments.len();
        let plain = constant(&segment.unit)?.as_i64() == Some(1)
            && constant(&segment.kind)?.as_atom() == Some("integer")
            && is_plain_flags(&constant(&segment.flags)?);
        let size = constant(&segment.size)?.as_i64()?;
        let value = constant(&segment.value)?.as_i64()?;
        let fits = size == 8 || (is_last && (1..8).contains(&size));
        if !plain || !fits || !(0..1 << size).contains(&value) {
            return None;
        }
        last_bits = u8::try_from(size).ok()?;
        bytes.push(u8::try_from(value << (8 - size)).ok()?);
    }
    Some(Term::Bits(bytes, last_bits))
}

fn is_plain_flags(flags: &Term) -> bool {
    matches!(flags.as_list(), Some([first, second])
        if first.as_atom() == Some("unsigned") && second.as_atom() == Some("big"))
}
