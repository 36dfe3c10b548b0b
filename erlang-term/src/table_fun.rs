//! Funs as tables: their results for some arguments, and a default for all others.

use crate::encode::encode;
use crate::term::{TableFun, Term};

impl TableFun {
    /// A fun with this many parameters. Of entries for equal arguments the first counts. Entries
    /// that no arguments can match are skipped.
    pub fn new(arity: u8, entries: Vec<(Vec<Term>, Term)>, default: Term) -> Self {
        let mut known: Vec<(Vec<Term>, Term)> = Vec::with_capacity(entries.len());
        for (arguments, result) in entries {
            if arguments.len() != usize::from(arity) {
                continue;
            }
            let key: Option<Vec<Term>> = arguments.iter().map(key).collect();
            if let Some(key) = key
                && known.iter().all(|it| it.0 != key)
            {
                known.push((key, result));
            }
        }
        let default = match known.pop() {
            // There are no other arguments.
            Some((_, result)) if arity == 0 => result,
            last => {
                known.extend(last);
                default
            }
        };
        known.retain(|(_, result)| *result != default);
        known.sort_by_cached_key(|(arguments, _)| encode(&Term::list(arguments.clone())));
        Self {
            arity,
            entries: known,
            default,
        }
    }

    /// The fun that stands for any fun with this many parameters in the arguments of an entry.
    pub fn any(arity: u8) -> Self {
        Self {
            arity,
            entries: Vec::new(),
            default: Term::list([]),
        }
    }
}

/// What a table knows of an argument: of the funs in it, how many parameters they have. `None` if a
/// table cannot know it, because there is a fun in a map.
fn key(argument: &Term) -> Option<Term> {
    let any = |arity| Some(Term::TableFun(Box::new(TableFun::any(arity))));
    match argument {
        Term::TableFun(fun) => any(fun.arity),
        Term::ExternalFun(fun) => any(fun.arity),
        Term::Tuple(elements) => Some(Term::Tuple(
            elements.iter().map(key).collect::<Option<_>>()?,
        )),
        Term::List(elements, tail) => {
            let elements = elements.iter().map(key).collect::<Option<_>>()?;
            let tail = match tail {
                Some(tail) => Some(Box::new(key(tail)?)),
                None => None,
            };
            Some(Term::List(elements, tail))
        }
        Term::Map(_) => (!argument.has_funs()).then(|| argument.clone()),
        Term::Integer(_) | Term::Float(_) | Term::Atom(_) | Term::Bits(..) => {
            Some(argument.clone())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn integer(value: i64) -> Term {
        Term::Integer(value.into())
    }

    fn shown(arity: u8, entries: Vec<(Vec<Term>, Term)>, default: Term) -> String {
        TableFun::new(arity, entries, default).to_string()
    }

    #[test]
    fn order_and_duplicates_of_entries_do_not_matter() {
        let entry = |key: i64, result: i64| (vec![integer(key)], integer(result));
        let one = TableFun::new(1, vec![entry(2, 5), entry(1, 4)], integer(0));
        let entries = vec![entry(1, 4), entry(2, 5), entry(3, 0), entry(1, 9)];
        assert_eq!(one, TableFun::new(1, entries, integer(0)));
    }

    fn fun(arity: u8, result: i64) -> Term {
        Term::TableFun(Box::new(TableFun::new(arity, Vec::new(), integer(result))))
    }

    #[test]
    fn funs_with_as_many_parameters_are_one_key() {
        let entries = vec![
            (vec![fun(0, 5), integer(7)], integer(1)),
            (vec![fun(0, 6), integer(7)], integer(2)),
            (vec![Term::list([fun(1, 6)]), integer(7)], integer(3)),
        ];
        assert_eq!(
            shown(2, entries, integer(0)),
            "fun([F1], 7) when is_function(F1, 1) -> 3; \
             (F1, 7) when is_function(F1, 0) -> 1; (_, _) -> 0 end"
        );
    }

    #[test]
    fn maps_with_funs_cannot_be_keys() {
        let map = Term::Map(vec![(integer(1), fun(0, 5))]);
        let entries = vec![(vec![map], integer(1))];
        assert_eq!(shown(1, entries, integer(0)), "fun(_) -> 0 end");
    }
}
