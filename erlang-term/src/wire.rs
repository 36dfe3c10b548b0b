//! How terms that may contain tables for funs travel to a BEAM and back. A table travels as a
//! tagged tuple. Tuples of the user that begin with the same tag are wrapped.

use crate::term::{TableFun, Term};

/// The tag of tuples that stand for something else.
const TAG: &str = "$erlconcolic";

/// The term that is sent for a term: `{'$erlconcolic', 'fun', Arity, [{Arguments,
/// Result}], Default}` for a fun, `{'$erlconcolic', tuple, Tuple}` for a tuple with that tag.
pub fn to_wire(term: &Term) -> Term {
    match term {
        Term::TableFun(fun) => {
            let entries = fun.entries().iter().map(|(arguments, result)| {
                let arguments = arguments.iter().map(to_wire);
                Term::Tuple(vec![Term::list(arguments), to_wire(result)])
            });
            Term::Tuple(vec![
                Term::atom(TAG),
                Term::atom("fun"),
                Term::Integer(i64::from(fun.arity()).into()),
                Term::list(entries),
                to_wire(fun.default()),
            ])
        }
        Term::Tuple(elements) => {
            let tuple = Term::Tuple(elements.iter().map(to_wire).collect());
            if elements.first().and_then(Term::as_atom) == Some(TAG) {
                Term::Tuple(vec![Term::atom(TAG), Term::atom("tuple"), tuple])
            } else {
                tuple
            }
        }
        Term::List(elements, tail) => {
            let tail = tail.as_deref().map(|tail| Box::new(to_wire(tail)));
            Term::List(elements.iter().map(to_wire).collect(), tail)
        }
        Term::Map(pairs) => {
            let pairs = pairs.iter();
            Term::Map(pairs.map(|it| (to_wire(&it.0), to_wire(&it.1))).collect())
        }
        Term::Integer(_)
        | Term::Float(_)
        | Term::Atom(_)
        | Term::Bits(..)
        | Term::ExternalFun(_) => term.clone(),
    }
}

/// The term that was sent, given what arrived; `None` if the tagged tuples are malformed.
pub fn from_wire(term: &Term) -> Option<Term> {
    Some(match term {
        Term::Tuple(elements) if elements.first().and_then(Term::as_atom) == Some(TAG) => {
            return tagged(elements.get(1..).unwrap_or_default());
        }
        Term::Tuple(elements) => Term::Tuple(all(elements)?),
        Term::List(elements, tail) => {
            let tail = match tail {
                Some(tail) => Some(Box::new(from_wire(tail)?)),
                None => None,
            };
            Term::List(all(elements)?, tail)
        }
        Term::Map(pairs) => {
            let pairs = pairs.iter();
            let pairs = pairs.map(|it| Some((from_wire(&it.0)?, from_wire(&it.1)?)));
            Term::Map(pairs.collect::<Option<_>>()?)
        }
        Term::Integer(_)
        | Term::Float(_)
        | Term::Atom(_)
        | Term::Bits(..)
        | Term::ExternalFun(_)
        | Term::TableFun(_) => term.clone(),
    })
}

fn all(terms: &[Term]) -> Option<Vec<Term>> {
    terms.iter().map(from_wire).collect()
}

fn tagged(parts: &[Term]) -> Option<Term> {
    match parts {
        [kind, tuple] if kind.as_atom() == Some("tuple") => {
            Some(Term::Tuple(all(tuple.as_tuple()?)?))
        }
        [kind, arity, entries, default] if kind.as_atom() == Some("fun") => {
            let arity = u8::try_from(arity.as_i64()?).ok()?;
            let entries = entries.as_list()?.iter().map(entry);
            let fun = TableFun::new(arity, entries.collect::<Option<_>>()?, from_wire(default)?);
            Some(Term::TableFun(Box::new(fun)))
        }
        _ => None,
    }
}

fn entry(term: &Term) -> Option<(Vec<Term>, Term)> {
    let [arguments, result] = term.as_tuple()? else {
        return None;
    };
    Some((all(arguments.as_list()?)?, from_wire(result)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn funs_and_tuples_with_their_tag_come_back() {
        let five = || Term::Integer(5.into());
        let inner = TableFun::new(0, Vec::new(), five());
        let inner = Term::TableFun(Box::new(inner));
        let key = vec![Term::Tuple(vec![Term::atom(TAG), Term::atom("fun")])];
        let fun = TableFun::new(1, vec![(key, inner.clone())], five());
        let fun = Term::TableFun(Box::new(fun));
        let like_one = Term::Tuple(vec![Term::atom(TAG), Term::atom("tuple"), fun.clone()]);
        let term = Term::list([
            Term::Map(vec![(five(), inner)]),
            Term::list_before(vec![like_one.clone()], fun),
            to_wire(&like_one),
        ]);
        assert!(!to_wire(&term).has_funs());
        assert_eq!(from_wire(&to_wire(&term)), Some(term));
    }
}
