//! Whether a constant is of a type.

use erlang_term::{Integer, Term};
use flattener::ast::deep;

use super::{Alternative, Field, TypeId, Types};

impl Types {
    /// Whether a value is of a type.
    pub fn contains(&self, id: TypeId, term: &Term) -> bool {
        let mut alternatives = self.alternatives(id).iter();
        alternatives.any(|alternative| deep(|| self.has_form(alternative, term)))
    }

    pub(crate) fn has_form(&self, alternative: &Alternative, term: &Term) -> bool {
        match (alternative, term) {
            (Alternative::Any, _)
            | (Alternative::Float, Term::Float(_))
            | (Alternative::AnyAtom, Term::Atom(_))
            | (Alternative::AnyTuple, Term::Tuple(_))
            | (Alternative::AnyMap, Term::Map(_))
            | (Alternative::AnyFun, Term::ExternalFun(_) | Term::TableFun(_)) => true,
            (Alternative::Integer(min, max), Term::Integer(value)) => {
                is_between(value, min.as_ref(), max.as_ref())
            }
            (Alternative::Atom(atom), Term::Atom(value)) => atom == value,
            (Alternative::Nil, Term::List(elements, None)) => elements.is_empty(),
            (Alternative::Cons(head, tail), Term::List(elements, end)) => {
                self.is_list(*head, *tail, elements, end.as_deref())
            }
            (Alternative::Tuple(types), Term::Tuple(elements)) => {
                let mut pairs = types.iter().zip(elements);
                types.len() == elements.len() && pairs.all(|(of, it)| self.contains(*of, it))
            }
            (Alternative::Map(fields), Term::Map(pairs)) => self.is_map(fields, pairs),
            (Alternative::Bits(base, unit), Term::Bits(bytes, last)) => {
                has_bits(*base, *unit, bytes.len(), *last)
            }
            (Alternative::Fun(arity, _), Term::ExternalFun(fun)) => {
                arity.is_none_or(|arity| arity == u32::from(fun.arity))
            }
            (Alternative::Fun(arity, result), Term::TableFun(fun)) => {
                arity.is_none_or(|arity| arity == u32::from(fun.arity()))
                    && fun.results().all(|it| self.contains(*result, it))
            }
            _ => false,
        }
    }

    /// Whether a list is a cell of these types. Its tail is a list again, so this goes from cell to
    /// cell as long as there is one way to go on.
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
            let cells: Vec<(TypeId, TypeId)> = self
                .alternatives(tail)
                .iter()
                .filter_map(|alternative| match alternative {
                    Alternative::Cons(head, tail) => Some((*head, *tail)),
                    _ => None,
                })
                .collect();
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

pub fn is_between(value: &Integer, min: Option<&Integer>, max: Option<&Integer>) -> bool {
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
