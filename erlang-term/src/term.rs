//! The types of values.

use crate::atom::Atom;
use crate::integer::Integer;

/// An Erlang value that can travel between this program and a BEAM.
#[derive(Clone, Debug, PartialEq)]
pub enum Term {
    /// An integer of any size.
    Integer(Integer),
    /// A floating-point number.
    Float(f64),
    /// An atom.
    Atom(Atom),
    /// A list with its tail; `[]` is a list without elements and with the tail `None`.
    List(Vec<Term>, Option<Box<Term>>),
    /// A tuple.
    Tuple(Vec<Term>),
    /// A map, in the order in which it arrived.
    Map(Vec<(Term, Term)>),
    /// A bit string: its bytes, and how many bits of the last one count (8 for a binary).
    Bits(Vec<u8>, u8),
    /// `fun M:F/A`.
    ExternalFun(Box<ExternalFun>),
    /// A fun that looks its arguments up in a table.
    TableFun(Box<TableFun>),
}

/// A function of a module as a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExternalFun {
    /// The module.
    pub module: Atom,
    /// The function.
    pub name: Atom,
    /// The number of parameters.
    pub arity: u8,
}

/// A fun that looks its arguments up. Arguments are compared by `=:=`, except that funs in them, also
/// in lists and tuples, are equal if they have as many parameters. Arguments with a map that contains
/// funs are never in the table.
#[derive(Clone, Debug, PartialEq)]
pub struct TableFun {
    pub(crate) arity: u8,
    /// Arguments and results, in a fixed order. Results that equal the default are not here.
    pub(crate) entries: Vec<(Vec<Term>, Term)>,
    pub(crate) default: Term,
}

impl TableFun {
    /// The number of parameters.
    pub fn arity(&self) -> u8 {
        self.arity
    }

    /// The arguments in the table, each with its result. Funs in arguments are those of
    /// [`TableFun::any`].
    pub fn entries(&self) -> &[(Vec<Term>, Term)] {
        &self.entries
    }

    /// The result for all other arguments.
    pub fn default(&self) -> &Term {
        &self.default
    }

    /// All results that the fun can return.
    pub fn results(&self) -> impl Iterator<Item = &Term> {
        let entries = self.entries.iter().map(|it| &it.1);
        entries.chain(std::iter::once(&self.default))
    }
}

impl Term {
    /// The atom with this text.
    pub fn atom(text: &str) -> Self {
        Self::Atom(Atom::new(text))
    }

    /// The binary with these bytes.
    pub fn binary(bytes: impl Into<Vec<u8>>) -> Self {
        Self::Bits(bytes.into(), 8)
    }

    /// The proper list of these elements.
    pub fn list(elements: impl IntoIterator<Item = Self>) -> Self {
        Self::List(elements.into_iter().collect(), None)
    }

    /// The list of these elements before this tail, which may itself be a list.
    pub fn list_before(mut elements: Vec<Self>, tail: Self) -> Self {
        if let Self::List(more, end) = tail {
            elements.extend(more);
            Self::List(elements, end)
        } else if elements.is_empty() {
            tail
        } else {
            Self::List(elements, Some(Box::new(tail)))
        }
    }

    /// Whether the term nests at most `limit` levels deep; a list counts one level.
    pub fn is_within_depth(&self, limit: usize) -> bool {
        let Some(below) = limit.checked_sub(1) else {
            return false;
        };
        let within = |element: &Self| element.is_within_depth(below);
        match self {
            Self::List(elements, tail) => {
                elements.iter().all(within) && tail.as_deref().is_none_or(within)
            }
            Self::Tuple(elements) => elements.iter().all(within),
            Self::Map(pairs) => pairs
                .iter()
                .all(|(key, value)| within(key) && within(value)),
            Self::TableFun(fun) => {
                let keys = fun.entries().iter().flat_map(|it| &it.0);
                fun.results().chain(keys).all(within)
            }
            Self::Integer(_) | Self::Float(_) | Self::Atom(_) | Self::Bits(..) => true,
            Self::ExternalFun(_) => true,
        }
    }

    /// How deep the term is. A list cell, a tuple or a map is one deeper than its deepest part, a
    /// table for a fun one deeper than its deepest result. Everything else has depth 0. So a list
    /// of three atoms has depth 3.
    pub fn depth(&self) -> u32 {
        match self {
            Self::List(elements, tail) => {
                // Each cell is one deeper than its tail.
                let end = tail.as_deref().map_or(0, Self::depth);
                let elements = elements.iter().rev();
                elements.fold(end, |rest, it| 1 + rest.max(it.depth()))
            }
            Self::Tuple(elements) => 1 + elements.iter().map(Self::depth).max().unwrap_or(0),
            Self::Map(pairs) => {
                let parts = pairs.iter().flat_map(|(key, value)| [key, value]);
                1 + parts.map(Self::depth).max().unwrap_or(0)
            }
            Self::TableFun(fun) => 1 + fun.results().map(Self::depth).max().unwrap_or(0),
            Self::Integer(_) | Self::Float(_) | Self::Atom(_) | Self::Bits(..) => 0,
            Self::ExternalFun(_) => 0,
        }
    }

    /// Whether a fun is somewhere in the term.
    pub fn has_funs(&self) -> bool {
        self.subterms()
            .any(|term| matches!(term, Self::ExternalFun(_) | Self::TableFun(_)))
    }

    /// The term and all terms inside, in no particular order. Those in the tables of funs are not
    /// among them.
    pub fn subterms(&self) -> impl Iterator<Item = &Self> {
        let mut waiting = vec![self];
        std::iter::from_fn(move || {
            let term = waiting.pop()?;
            match term {
                Self::List(elements, tail) => {
                    waiting.extend(elements.iter().chain(tail.as_deref()))
                }
                Self::Tuple(elements) => waiting.extend(elements),
                Self::Map(pairs) => {
                    waiting.extend(pairs.iter().flat_map(|(key, value)| [key, value]));
                }
                Self::Integer(_) | Self::Float(_) | Self::Atom(_) | Self::Bits(..) => {}
                Self::ExternalFun(_) | Self::TableFun(_) => {}
            }
            Some(term)
        })
    }

    /// The text of an atom.
    pub fn as_atom(&self) -> Option<&str> {
        let Self::Atom(atom) = self else {
            return None;
        };
        Some(atom.as_str())
    }

    /// The bytes of a binary.
    pub fn as_binary(&self) -> Option<&[u8]> {
        let Self::Bits(bytes, 8) = self else {
            return None;
        };
        Some(bytes)
    }

    /// The elements of a proper list.
    pub fn as_list(&self) -> Option<&[Self]> {
        let Self::List(elements, None) = self else {
            return None;
        };
        Some(elements)
    }

    /// The elements of a tuple.
    pub fn as_tuple(&self) -> Option<&[Self]> {
        let Self::Tuple(elements) = self else {
            return None;
        };
        Some(elements)
    }

    /// A small integer.
    pub fn as_i64(&self) -> Option<i64> {
        let Self::Integer(integer) = self else {
            return None;
        };
        integer.to_i64()
    }

    /// The value under an atom key of a map.
    pub fn get(&self, key: &str) -> Option<&Self> {
        let Self::Map(pairs) = self else {
            return None;
        };
        pairs
            .iter()
            .find(|(candidate, _)| candidate.as_atom() == Some(key))
            .map(|(_, value)| value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_tuples_and_maps_are_deep() {
        let one = || Term::Integer(1.into());
        assert_eq!(one().depth(), 0);
        assert_eq!(Term::list([]).depth(), 0);
        assert_eq!(Term::list([one(), one(), one()]).depth(), 3);
        assert_eq!(Term::Tuple(vec![]).depth(), 1);
        assert_eq!(Term::Map(vec![]).depth(), 1);
        let key = Term::list([one(), one()]);
        assert_eq!(Term::Map(vec![(key, one())]).depth(), 3);
    }

    #[test]
    fn all_subterms_are_found() {
        let list = Term::List(vec![Term::atom("a")], Some(Box::new(Term::atom("b"))));
        let map = Term::Map(vec![(Term::atom("c"), Term::Tuple(vec![list]))]);
        let mut atoms: Vec<&str> = map.subterms().filter_map(Term::as_atom).collect();
        atoms.sort_unstable();
        assert_eq!(atoms, ["a", "b", "c"]);
        assert_eq!(map.subterms().count(), 6);
    }
}
