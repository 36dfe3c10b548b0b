//! The structure of a printed value: enough to tell which parts of it a test can compare.

use std::fmt;

/// Large integers are compared by their remainder for this prime number.
pub(crate) const MODULUS: i64 = 1_000_000_007;

/// A value as it was printed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Shape {
    /// A number.
    Number(String),
    /// An atom, with its quotes.
    Atom(String),
    /// A string, with its quotes.
    Text(String),
    /// A bit string: `<<"ab">>` or `<<1,5:3>>`.
    Bits(String),
    /// A list and its tail after `|`.
    List(Vec<Shape>, Option<Box<Shape>>),
    /// A tuple.
    Tuple(Vec<Shape>),
    /// A map.
    Map(Vec<(Shape, Shape)>),
    /// A part that a test cannot compare as a whole.
    Unknown(Unknown),
}

/// A part of a value that is compared by type or size only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unknown {
    /// A fun.
    Fun,
    Pid,
    Port,
    Reference,
    /// A list that is too long to be written: its length.
    List(usize),
    /// A tuple that is too long: its size.
    Tuple(usize),
    /// A map that is too long: its size.
    Map(usize),
    /// A bit string that is too long: its size in bits.
    Bits(usize),
    /// An integer that is too long: its remainder for [`MODULUS`].
    Integer(i64),
    /// Any value.
    Any,
}

/// As Erlang source. Parts that cannot be compared are `_`.
impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(text) | Self::Atom(text) | Self::Text(text) | Self::Bits(text) => {
                f.write_str(text)
            }
            Self::List(elements, None) => write!(f, "[{}]", separated(elements)),
            Self::List(elements, Some(tail)) => write!(f, "[{}|{tail}]", separated(elements)),
            Self::Tuple(elements) => write!(f, "{{{}}}", separated(elements)),
            Self::Map(pairs) => {
                let pairs = pairs.iter().map(|(key, value)| format!("{key} => {value}"));
                write!(f, "#{{{}}}", pairs.collect::<Vec<_>>().join(","))
            }
            Self::Unknown(_) => f.write_str("_"),
        }
    }
}

fn separated(elements: &[Shape]) -> String {
    let texts: Vec<String> = elements.iter().map(Shape::to_string).collect();
    texts.join(",")
}

impl Shape {
    /// Whether all of it can be compared.
    pub(crate) fn is_exact(&self) -> bool {
        match self {
            Self::Number(_) | Self::Atom(_) | Self::Text(_) | Self::Bits(_) => true,
            Self::List(elements, tail) => {
                elements.iter().chain(tail.as_deref()).all(Self::is_exact)
            }
            Self::Tuple(elements) => elements.iter().all(Self::is_exact),
            Self::Map(pairs) => pairs.iter().all(|it| it.0.is_exact() && it.1.is_exact()),
            Self::Unknown(_) => false,
        }
    }

    /// Whether a value is this one or a part of it.
    pub(crate) fn contains(&self, part: &Self) -> bool {
        let in_any = |elements: &[Self]| elements.iter().any(|it| it.contains(part));
        self == part
            || match self {
                Self::Number(_) | Self::Atom(_) | Self::Text(_) | Self::Bits(_) => false,
                Self::List(elements, tail) => {
                    in_any(elements) || tail.as_ref().is_some_and(|it| it.contains(part))
                }
                Self::Tuple(elements) => in_any(elements),
                Self::Map(pairs) => pairs
                    .iter()
                    .any(|it| it.0.contains(part) || it.1.contains(part)),
                Self::Unknown(_) => false,
            }
    }
}
