//! What a printed value is made of: enough to tell which parts of it a test can compare.

/// Large integers are compared by what is left when they are divided by this prime number.
pub(super) const MODULUS: i64 = 1_000_000_007;

/// A value as it was printed.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Shape {
    /// A number.
    Number(String),
    /// An atom, with its quotes.
    Atom(String),
    /// A string, with its quotes.
    Text(String),
    /// A bit string: `<<"ab">>` or `<<1,5:3>>`.
    Bits(String),
    /// A list and what is behind `|`.
    List(Vec<Shape>, Option<Box<Shape>>),
    /// A tuple.
    Tuple(Vec<Shape>),
    /// A map.
    Map(Vec<(Shape, Shape)>),
    /// What another run has another one of.
    Unknown(Unknown),
}

/// A part of a value of which only some facts are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unknown {
    Fun,
    Pid,
    Port,
    Reference,
    /// Too long to be written, like all that follow: only the size is known.
    List(usize),
    Tuple(usize),
    Map(usize),
    /// So many bits.
    Bits(usize),
    /// What is left when it is divided by [`MODULUS`].
    Integer(i64),
    Any,
}

impl Shape {
    /// Whether all of it can be compared.
    pub(super) fn is_exact(&self) -> bool {
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
}
