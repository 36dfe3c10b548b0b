//! The parts of a term by their number, counted from the outside in.

use erlang_term::{TableFun, Term};

use super::weight::is_text;

/// How many parts a term has: itself, and the parts of the terms inside.
pub(super) fn part_count(term: &Term) -> usize {
    let inner: usize = children(term).iter().map(|it| part_count(it)).sum();
    1 + inner
}

/// The part with this number. The term itself has number 0.
pub(super) fn part(term: &Term, number: usize) -> Option<&Term> {
    let Some(mut left) = number.checked_sub(1) else {
        return Some(term);
    };
    for child in children(term) {
        let count = part_count(child);
        if left < count {
            return part(child, left);
        }
        left -= count;
    }
    None
}

/// The term with another part in place of the one with this number.
pub(super) fn with_part(term: &Term, number: usize, new: Term) -> Option<Term> {
    let Some(mut left) = number.checked_sub(1) else {
        return Some(new);
    };
    for (index, child) in children(term).into_iter().enumerate() {
        let count = part_count(child);
        if left < count {
            let child = with_part(child, left, new)?;
            return with_child(term, index, child);
        }
        left -= count;
    }
    None
}

/// The terms directly inside a term. Of a table for a fun these are its results; the default is
/// the last. A text has none: its characters would shrink to 0.
pub(super) fn children(term: &Term) -> Vec<&Term> {
    match term {
        Term::List(elements, _) if is_string(elements) => Vec::new(),
        Term::List(elements, tail) => elements.iter().chain(tail.as_deref()).collect(),
        Term::Tuple(elements) => elements.iter().collect(),
        Term::Map(pairs) => pairs.iter().flat_map(|it| [&it.0, &it.1]).collect(),
        Term::TableFun(fun) => fun.results().collect(),
        Term::Integer(_) | Term::Float(_) | Term::Atom(_) | Term::Bits(..) => Vec::new(),
        Term::ExternalFun(_) => Vec::new(),
    }
}

fn is_string(elements: &[Term]) -> bool {
    let is_character = |it: &Term| {
        let byte = it.as_i64().and_then(|it| u8::try_from(it).ok());
        byte.is_some_and(is_text)
    };
    elements.iter().all(is_character)
}

fn with_child(term: &Term, index: usize, child: Term) -> Option<Term> {
    match term {
        Term::List(elements, tail) => {
            let mut elements = elements.clone();
            match elements.get_mut(index) {
                Some(element) => {
                    *element = child;
                    Some(Term::List(elements, tail.clone()))
                }
                None => Some(Term::list_before(elements, child)),
            }
        }
        Term::Tuple(elements) => {
            let mut elements = elements.clone();
            *elements.get_mut(index)? = child;
            Some(Term::Tuple(elements))
        }
        Term::Map(pairs) => with_map_part(pairs, index, child),
        Term::TableFun(fun) => Some(with_result(fun, index, child)),
        Term::Integer(_) | Term::Float(_) | Term::Atom(_) | Term::Bits(..) => None,
        Term::ExternalFun(_) => None,
    }
}

/// `None` if two keys would be equal.
fn with_map_part(pairs: &[(Term, Term)], index: usize, child: Term) -> Option<Term> {
    let mut pairs = pairs.to_vec();
    let is_key = index.is_multiple_of(2);
    if is_key && pairs.iter().any(|it| it.0 == child) {
        return None;
    }
    let (key, value) = pairs.get_mut(index / 2)?;
    *(if is_key { key } else { value }) = child;
    Some(Term::Map(pairs))
}

fn with_result(fun: &TableFun, index: usize, child: Term) -> Term {
    let mut entries = fun.entries().to_vec();
    let default = match entries.get_mut(index) {
        Some((_, result)) => {
            *result = child;
            fun.default().clone()
        }
        None => child,
    };
    Term::TableFun(Box::new(TableFun::new(fun.arity(), entries, default)))
}
