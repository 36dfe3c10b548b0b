//! The value type, and its text as Erlang source.

use std::fmt;

use smol_str::SmolStr;

use crate::integer::Integer;
use crate::table_fun::TableFun;
use crate::text::{write_float, write_quoted};

/// An atom, by its text.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Atom(pub SmolStr);

impl Atom {
    /// The atom with this text.
    pub fn new(text: impl AsRef<str>) -> Self {
        Self(SmolStr::new(text))
    }

    /// The atom's text, without quotes.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    fn needs_quotes(&self) -> bool {
        const RESERVED: [&str; 29] = [
            "after", "and", "andalso", "band", "begin", "bnot", "bor", "bsl", "bsr", "bxor",
            "case", "catch", "cond", "div", "else", "end", "fun", "if", "let", "maybe", "not",
            "of", "or", "orelse", "receive", "rem", "try", "when", "xor",
        ];
        let starts_plain = self.0.starts_with(|first: char| first.is_ascii_lowercase());
        let plain = |other: char| other.is_ascii_alphanumeric() || other == '_' || other == '@';
        !(starts_plain && self.0.chars().all(plain)) || RESERVED.contains(&self.as_str())
    }
}

impl fmt::Display for Atom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.needs_quotes() {
            write_quoted(f, &self.0, '\'')
        } else {
            f.write_str(&self.0)
        }
    }
}

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

    /// How deep the term is: a list cell, a tuple or a map is one deeper than what is deepest in
    /// it, a table for a fun one deeper than what it can return, everything else has depth 0. So a
    /// list of three atoms has depth 3.
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

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(integer) => integer.fmt(f),
            Self::Float(float) => write_float(f, *float),
            Self::Atom(atom) => atom.fmt(f),
            Self::List(elements, None) if is_text(elements) => {
                let characters = elements.iter().filter_map(printable);
                write_quoted(f, &characters.collect::<String>(), '"')
            }
            Self::List(elements, tail) => {
                f.write_str("[")?;
                write_separated(f, elements, ",")?;
                if let Some(tail) = tail {
                    write!(f, "|{tail}")?;
                }
                f.write_str("]")
            }
            Self::Tuple(elements) => {
                f.write_str("{")?;
                write_separated(f, elements, ",")?;
                f.write_str("}")
            }
            Self::Map(pairs) => {
                f.write_str("#{")?;
                for (index, (key, value)) in pairs.iter().enumerate() {
                    let comma = if index == 0 { "" } else { "," };
                    write!(f, "{comma}{key} => {value}")?;
                }
                f.write_str("}")
            }
            Self::Bits(bytes, last_bits) => write_bits(f, bytes, *last_bits),
            Self::ExternalFun(fun) => write!(f, "fun {}:{}/{}", fun.module, fun.name, fun.arity),
            Self::TableFun(fun) => fun.fmt(f),
        }
    }
}

/// Whether a list reads better as a string, as the shell would print it.
fn is_text(elements: &[Term]) -> bool {
    !elements.is_empty() && elements.iter().all(|element| printable(element).is_some())
}

fn printable(element: &Term) -> Option<char> {
    let code = u32::try_from(element.as_i64()?).ok()?;
    let character = char::from_u32(code)?;
    let is_printable = matches!(character, ' '..='~' | '\n' | '\r' | '\t');
    is_printable.then_some(character)
}

pub(crate) fn write_separated(
    f: &mut fmt::Formatter<'_>,
    elements: &[Term],
    comma: &str,
) -> fmt::Result {
    for (index, element) in elements.iter().enumerate() {
        let comma = if index == 0 { "" } else { comma };
        write!(f, "{comma}{element}")?;
    }
    Ok(())
}

fn write_bits(f: &mut fmt::Formatter<'_>, bytes: &[u8], last_bits: u8) -> fmt::Result {
    f.write_str("<<")?;
    for (index, byte) in bytes.iter().enumerate() {
        let comma = if index == 0 { "" } else { "," };
        if index + 1 == bytes.len() && last_bits < 8 {
            write!(f, "{comma}{}:{last_bits}", byte >> (8 - last_bits))?;
        } else {
            write!(f, "{comma}{byte}")?;
        }
    }
    f.write_str(">>")
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

    #[test]
    fn prints_as_erlang_source() {
        let term = Term::Tuple(vec![
            Term::atom("ok"),
            Term::atom("It's"),
            Term::atom("end"),
            Term::List(
                vec![Term::Integer(1.into())],
                Some(Box::new(Term::atom("x"))),
            ),
            Term::Map(vec![(Term::atom("k"), Term::Float(2.5))]),
            Term::Bits(vec![1, 0b1010_0000], 3),
        ]);
        assert_eq!(
            term.to_string(),
            r"{ok,'It\'s','end',[1|x],#{k => 2.5},<<1,5:3>>}"
        );
    }
}
