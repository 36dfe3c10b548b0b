//! Whether a term is of a type.

use erlang_term::{Integer, Term};
use flattener::ast::deep;

use super::alternative::{Alternative, Field, TypeId};
use super::grammar::Types;

impl Types {
    /// Whether a value is of a type.
    pub fn contains(&self, id: TypeId, term: &Term) -> bool {
        let mut alternatives = self.alternatives(id).iter();
        alternatives.any(|alternative| deep(|| self.has_form(alternative, term)))
    }

    /// Whether a term has one of the forms of a type.
    pub(crate) fn has_form(&self, alternative: &Alternative, term: &Term) -> bool {
        match alternative {
            Alternative::Any => true,
            Alternative::Float => matches!(term, Term::Float(_)),
            Alternative::AnyAtom => matches!(term, Term::Atom(_)),
            Alternative::AnyTuple => matches!(term, Term::Tuple(_)),
            Alternative::AnyMap => matches!(term, Term::Map(_)),
            Alternative::AnyFun => matches!(term, Term::ExternalFun(_) | Term::TableFun(_)),
            Alternative::Integer(min, max) => {
                matches!(term, Term::Integer(it) if is_between(it, min.as_ref(), max.as_ref()))
            }
            Alternative::Atom(atom) => matches!(term, Term::Atom(it) if it == atom),
            Alternative::Nil => matches!(term, Term::List(it, None) if it.is_empty()),
            Alternative::Cons(head, tail) => {
                matches!(term, Term::List(elements, end)
                    if self.is_list(*head, *tail, elements, end.as_deref()))
            }
            Alternative::Tuple(types) => {
                matches!(term, Term::Tuple(elements) if self.is_tuple(types, elements))
            }
            Alternative::Map(fields) => {
                matches!(term, Term::Map(pairs) if self.is_map(fields, pairs))
            }
            Alternative::Bits(base, unit) => {
                matches!(term, Term::Bits(bytes, last)
                    if has_bits(*base, *unit, bytes.len(), *last))
            }
            Alternative::Text => term
                .as_binary()
                .is_some_and(|it| std::str::from_utf8(it).is_ok()),
            Alternative::Fun(parameters, result) => {
                self.is_fun(Alternative::arity(parameters.as_ref()), *result, term)
            }
            Alternative::Pid | Alternative::Port | Alternative::Reference => false,
        }
    }

    fn is_tuple(&self, types: &[TypeId], elements: &[Term]) -> bool {
        let mut pairs = types.iter().zip(elements);
        types.len() == elements.len() && pairs.all(|(of, it)| self.contains(*of, it))
    }

    fn is_fun(&self, arity: Option<u32>, result: TypeId, term: &Term) -> bool {
        let has_arity = |it: u8| arity.is_none_or(|arity| arity == u32::from(it));
        if let Term::TableFun(fun) = term {
            return has_arity(fun.arity()) && fun.results().all(|it| self.contains(result, it));
        }
        matches!(term, Term::ExternalFun(fun) if has_arity(fun.arity))
    }

    /// Whether a list is a cell of these types. Its tail is a list again, so this loops over the
    /// cells as long as the tail has only one alternative.
    fn is_list(&self, head: TypeId, tail: TypeId, elements: &[Term], end: Option<&Term>) -> bool {
        let (mut head, mut tail, mut elements) = (head, tail, elements);
        loop {
            let Some((first, rest)) = elements.split_first() else {
                return false;
            };
            if !self.contains(head, first) {
                return false;
            }
            if rest.is_empty() {
                let nil = Term::list([]);
                return self.contains(tail, end.unwrap_or(&nil));
            }
            if self.is_any(tail) {
                return true;
            }
            let cells = self.alternatives(tail).iter();
            let cells: Vec<(TypeId, TypeId)> = cells.filter_map(Alternative::as_cons).collect();
            match cells.as_slice() {
                [] => return false,
                [only] => (head, tail) = *only,
                many => {
                    let mut many = many.iter();
                    return many.any(|(head, tail)| deep(|| self.is_list(*head, *tail, rest, end)));
                }
            }
            elements = rest;
        }
    }

    fn is_map(&self, fields: &[Field], pairs: &[(Term, Term)]) -> bool {
        let fits = |field: &Field, (key, value): &(Term, Term)| {
            self.contains(field.key, key) && self.contains(field.value, value)
        };
        let all_fit = pairs
            .iter()
            .all(|pair| fields.iter().any(|field| fits(field, pair)));
        let mut required = fields.iter().filter(|field| field.is_required);
        all_fit && required.all(|field| pairs.iter().any(|pair| fits(field, pair)))
    }
}

fn is_between(value: &Integer, min: Option<&Integer>, max: Option<&Integer>) -> bool {
    min.is_none_or(|min| min <= value) && max.is_none_or(|max| value <= max)
}

fn has_bits(base: u64, unit: u64, bytes: usize, last: u8) -> bool {
    let bits = match bytes {
        0 => 0,
        bytes => (bytes as u64 - 1) * 8 + u64::from(last),
    };
    match bits.checked_sub(base) {
        None => false,
        Some(more) => more == 0 || (unit > 0 && more % unit == 0),
    }
}
