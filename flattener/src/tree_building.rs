//! Nodes of the syntax tree from what the grammar has found.

use crate::ast::{
    Child, Cons, Constant, ConstantList, ConstantTerm, CorePattern, Expr, FunctionName, Literal,
    LiteralValue, Meta, Part, PatternCons, PatternTuple, Span, Tuple,
};
use crate::complaint::{Complaint, GrammarFailure};
use crate::lexer::{LexicalError, atom_value, offset};

/// The text between two places.
pub(crate) fn slice(text: &str, start: u32, end: u32) -> &str {
    text.get(start as usize..end as usize).unwrap_or_default()
}

/// What the token between two places stands for.
pub(crate) fn value<'text, T>(
    text: &'text str,
    start: u32,
    end: u32,
    read: impl FnOnce(&'text str) -> Result<T, LexicalError>,
) -> Result<T, GrammarFailure> {
    read(slice(text, start, end))
        .map_err(|error| Complaint::Lexical(error, Span { start, end }).into())
}

/// The number of parameters between two places.
pub(crate) fn arity(text: &str, start: u32, end: u32) -> Result<u32, GrammarFailure> {
    let arity = slice(text, start, end)
        .parse()
        .ok()
        .filter(|arity| *arity <= 255);
    arity.ok_or_else(|| Complaint::BadArity(Span { start, end }).into())
}

/// The function name that is one token.
pub(crate) fn function_name(
    text: &str,
    start: u32,
    end: u32,
) -> Result<FunctionName, GrammarFailure> {
    let digits = slice(text, start, end)
        .bytes()
        .rev()
        .take_while(u8::is_ascii_digit)
        .count();
    let arity_start = end - offset(digits);
    let name = value(text, start, arity_start - 1, atom_value)?;
    let arity = arity(text, arity_start, end)?;
    Ok(FunctionName {
        meta: Meta::at(start, end),
        name,
        arity,
    })
}

/// A list of expressions from its elements and tail.
pub(crate) fn cons(start: u32, end: u32, elements: Vec<Expr>, tail: Option<Expr>) -> Expr {
    let (elements, tail) = match folded_list(elements, tail) {
        Ok(value) => return Expr::Constant(constant_term(start, end, value)),
        Err(parts) => parts,
    };
    let nil = || Expr::Literal(nil(end));
    let mut list = tail.unwrap_or_else(nil);
    for head in elements.into_iter().rev() {
        let meta = Meta::at(head.meta().span.start, end);
        list = Expr::Cons(Child::new(Cons {
            meta,
            head,
            tail: list,
        }));
    }
    list.meta_mut().span.start = start;
    list
}

/// A list of patterns from its elements and tail.
pub(crate) fn pattern_cons(
    start: u32,
    end: u32,
    elements: Vec<CorePattern>,
    tail: Option<CorePattern>,
) -> CorePattern {
    let (elements, tail) = match folded_list(elements, tail) {
        Ok(value) => return CorePattern::Constant(constant_term(start, end, value)),
        Err(parts) => parts,
    };
    let nil = || CorePattern::Literal(nil(end));
    let mut list = tail.unwrap_or_else(nil);
    for head in elements.into_iter().rev() {
        let meta = Meta::at(head.meta().span.start, end);
        list = CorePattern::Cons(Child::new(PatternCons {
            meta,
            head,
            tail: list,
        }));
    }
    list.meta_mut().span.start = start;
    list
}

/// A tuple of expressions.
pub(crate) fn tuple(start: u32, end: u32, elements: Vec<Expr>) -> Expr {
    let elements = match folded(elements) {
        Ok(elements) => {
            let value = Constant::Tuple(elements.into());
            return Expr::Constant(constant_term(start, end, value));
        }
        Err(elements) => elements,
    };
    let meta = Meta::at(start, end);
    Expr::Tuple(Child::new(Tuple { meta, elements }))
}

/// A tuple of patterns.
pub(crate) fn pattern_tuple(start: u32, end: u32, elements: Vec<CorePattern>) -> CorePattern {
    let elements = match folded(elements) {
        Ok(elements) => {
            let value = Constant::Tuple(elements.into());
            return CorePattern::Constant(constant_term(start, end, value));
        }
        Err(elements) => elements,
    };
    let meta = Meta::at(start, end);
    CorePattern::Tuple(Child::new(PatternTuple { meta, elements }))
}

/// The constants that these parts are, or the parts again if they are not all constants.
fn folded<T: Part>(parts: Vec<T>) -> Result<Vec<Constant>, Vec<T>> {
    if parts.iter().all(T::is_bare_constant) {
        Ok(parts.into_iter().filter_map(T::into_constant).collect())
    } else {
        Err(parts)
    }
}

/// The same for the elements and the tail of a list.
fn folded_list<T: Part>(
    elements: Vec<T>,
    tail: Option<T>,
) -> Result<Constant, (Vec<T>, Option<T>)> {
    if !tail.as_ref().is_none_or(T::is_bare_constant) {
        return Err((elements, tail));
    }
    match folded(elements) {
        Ok(elements) => Ok(constant_list(elements, tail.and_then(T::into_constant))),
        Err(elements) => Err((elements, tail)),
    }
}

fn nil(end: u32) -> Box<Literal> {
    Box::new(Literal {
        meta: Meta::at(end, end),
        value: LiteralValue::Nil,
    })
}

/// A constant list or tuple in a program.
pub(crate) fn constant_term(start: u32, end: u32, value: Constant) -> Box<ConstantTerm> {
    Box::new(ConstantTerm {
        meta: Meta::at(start, end),
        value,
    })
}

/// A list of constants; a tail that is itself a list continues it. Printers nest lists to the
/// right, so putting elements in front must be cheap.
pub(crate) fn constant_list(elements: Vec<Constant>, tail: Option<Constant>) -> Constant {
    let list = match tail {
        None | Some(Constant::Atomic(LiteralValue::Nil)) => ConstantList {
            elements: elements.into(),
            tail: None,
        },
        Some(Constant::List(list)) => {
            let mut list = list.into_inner();
            elements
                .into_iter()
                .rev()
                .for_each(|element| list.elements.push_front(element));
            list
        }
        tail => ConstantList {
            elements: elements.into(),
            tail,
        },
    };
    Constant::List(Child::new(list))
}
