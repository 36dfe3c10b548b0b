//! Funs as tables: their results for some arguments, and a default for all others.

use crate::encode::encode;
use crate::term::{TableFun, Term};

impl TableFun {
    /// A fun with this many parameters. Of entries for equal arguments the first counts. Entries
    /// that no arguments can match are skipped.
    pub fn new(arity: u8, entries: Vec<(Vec<Term>, Term)>, default: Term) -> Self {
        let mut known: Vec<(Vec<Term>, Term)> = Vec::with_capacity(entries.len());
        for (arguments, result) in entries {
            let is_possible =
                arguments.len() == usize::from(arity) && !arguments.iter().any(Term::has_funs);
            if is_possible && known.iter().all(|it| it.0 != arguments) {
                known.push((arguments, result));
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

    #[test]
    fn funs_cannot_be_keys() {
        let fun = TableFun::new(0, Vec::new(), integer(5));
        let entries = vec![(vec![Term::TableFun(Box::new(fun))], integer(1))];
        assert_eq!(shown(1, entries, integer(0)), "fun(_) -> 0 end");
    }
}
