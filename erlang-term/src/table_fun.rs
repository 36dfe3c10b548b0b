//! Funs as tables: what they return for some arguments, and a default for all others.

use std::fmt;

use crate::external::encode;
use crate::term::{Term, write_separated};

/// A fun that looks its arguments up. Arguments are compared by `=:=`; in which there is a fun,
/// they are in no table.
#[derive(Clone, Debug, PartialEq)]
pub struct TableFun {
    arity: u8,
    /// Arguments and results, in a fixed order and without those that the default says.
    entries: Vec<(Vec<Term>, Term)>,
    default: Term,
}

impl TableFun {
    /// A fun with so many parameters. Of entries for equal arguments the first counts; those that
    /// no arguments could match are left out.
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

    /// The number of parameters.
    pub fn arity(&self) -> u8 {
        self.arity
    }

    /// The arguments that are in the table, each with what the fun returns for them.
    pub fn entries(&self) -> &[(Vec<Term>, Term)] {
        &self.entries
    }

    /// What the fun returns for all others.
    pub fn default(&self) -> &Term {
        &self.default
    }

    /// All that the fun can return.
    pub fn results(&self) -> impl Iterator<Item = &Term> {
        let entries = self.entries.iter().map(|it| &it.1);
        entries.chain(std::iter::once(&self.default))
    }
}

/// As Erlang source: `fun(3) -> 42; (_) -> 0 end`.
impl fmt::Display for TableFun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("fun")?;
        for (arguments, result) in &self.entries {
            // The pattern of a map would match larger maps.
            if arguments.iter().any(has_maps) {
                write_guarded(f, arguments)?;
            } else {
                f.write_str("(")?;
                write_separated(f, arguments, ", ")?;
                f.write_str(")")?;
            }
            write!(f, " -> {result}; ")?;
        }
        let others = vec!["_"; usize::from(self.arity)].join(", ");
        write!(f, "({others}) -> {} end", self.default)
    }
}

fn write_guarded(f: &mut fmt::Formatter<'_>, arguments: &[Term]) -> fmt::Result {
    let names: Vec<String> = (1..=arguments.len()).map(|it| format!("X{it}")).collect();
    write!(f, "({}) when ", names.join(", "))?;
    for (index, (name, argument)) in names.iter().zip(arguments).enumerate() {
        let comma = if index == 0 { "" } else { ", " };
        write!(f, "{comma}{name} =:= {argument}")?;
    }
    Ok(())
}

fn has_maps(term: &Term) -> bool {
    match term {
        Term::Map(_) => true,
        Term::List(elements, tail) => elements.iter().chain(tail.as_deref()).any(has_maps),
        Term::Tuple(elements) => elements.iter().any(has_maps),
        Term::Integer(_)
        | Term::Float(_)
        | Term::Atom(_)
        | Term::Bits(..)
        | Term::ExternalFun(_)
        | Term::TableFun(_) => false,
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
    fn prints_as_erlang_source() {
        let entries = vec![(vec![integer(3)], integer(42))];
        assert_eq!(shown(1, entries, integer(0)), "fun(3) -> 42; (_) -> 0 end");
        assert_eq!(shown(0, Vec::new(), integer(5)), "fun() -> 5 end");
        let entries = vec![(Vec::new(), integer(7))];
        assert_eq!(shown(0, entries, integer(5)), "fun() -> 7 end");
        let entries = vec![(vec![integer(1), integer(2)], Term::atom("x"))];
        assert_eq!(
            shown(2, entries, Term::atom("y")),
            "fun(1, 2) -> x; (_, _) -> y end"
        );
    }

    #[test]
    fn maps_are_compared_in_a_guard() {
        let entries = vec![(vec![Term::Map(Vec::new()), integer(1)], Term::atom("x"))];
        assert_eq!(
            shown(2, entries, Term::atom("y")),
            "fun(X1, X2) when X1 =:= #{}, X2 =:= 1 -> x; (_, _) -> y end"
        );
    }

    #[test]
    fn equal_tables_are_equal_however_they_were_made() {
        let entry = |key: i64, result: i64| (vec![integer(key)], integer(result));
        let one = TableFun::new(1, vec![entry(2, 5), entry(1, 4)], integer(0));
        let entries = vec![entry(1, 4), entry(2, 5), entry(3, 0), entry(1, 9)];
        assert_eq!(one, TableFun::new(1, entries, integer(0)));
    }

    #[test]
    fn funs_are_no_keys() {
        let fun = TableFun::new(0, Vec::new(), integer(5));
        let entries = vec![(vec![Term::TableFun(Box::new(fun))], integer(1))];
        assert_eq!(shown(1, entries, integer(0)), "fun(_) -> 0 end");
    }
}
