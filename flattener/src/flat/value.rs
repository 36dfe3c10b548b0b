//! Values and patterns.

use erlang_term::Term;
use serde::{Deserialize, Serialize};

use super::ids::{FunctionId, LocalId, VarId};
use crate::ast::{Annotations, Child};

/// A variable, a literal, or a list or tuple of these.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Value {
    /// A variable.
    Variable(VarId),
    /// A term without variables, however large.
    Literal(Child<Term>),
    /// A function of this module or of an enclosing `letrec`.
    Function(Child<FunctionRef>),
    /// `[Head|Tail]` with at least one variable in it.
    Cons(Child<(Value, Value)>),
    /// A tuple with at least one variable in it.
    Tuple(Child<Vec<Value>>),
}

impl Value {
    /// The literal with this value.
    pub fn literal(term: Term) -> Self {
        Self::Literal(Child::new(term))
    }

    /// The literal's value.
    pub fn as_literal(&self) -> Option<&Term> {
        match self {
            Self::Literal(term) => Some(term),
            Self::Variable(_) | Self::Function(_) | Self::Cons(_) | Self::Tuple(_) => None,
        }
    }
}

/// A function as a value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FunctionRef {
    /// A function of the module.
    Module(FunctionId),
    /// A function of an enclosing `letrec`.
    Local(LocalId),
}

/// A pattern.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Pattern {
    /// Matches anything and binds it.
    Variable(VarId),
    /// A term without parts; matches itself.
    Literal(Child<Term>),
    /// `[Head|Tail]`.
    Cons(Child<(Pattern, Pattern)>),
    /// A tuple.
    Tuple(Child<Vec<Pattern>>),
    /// Keys that must be there, and patterns for their values.
    Map(Child<Vec<(Value, Pattern)>>),
    /// Segments of a bit string.
    Binary(Child<Vec<PatternSegment>>),
    /// Binds the whole value and matches it too.
    Alias(Child<(VarId, Pattern)>),
}

/// A segment of a bit string that is built.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Segment {
    /// The value to write.
    pub value: Value,
    /// Its size in units.
    pub size: Value,
    /// How it is written.
    pub kind: SegmentType,
    /// Annotations: the compiler numbers segments, for its error messages.
    pub annotations: Annotations,
}

/// A segment of a bit string that is matched.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PatternSegment {
    /// Matches the value that was read.
    pub value: Pattern,
    /// Its size in units.
    pub size: Value,
    /// How it is read.
    pub kind: SegmentType,
}

/// How a segment is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SegmentType {
    /// Bits per unit; `None` for the UTF types.
    pub unit: Option<u16>,
    /// The type of its value.
    pub kind: SegmentKind,
    /// Whether an integer has a sign.
    pub signed: bool,
    /// The order of its bytes.
    pub endianness: Endianness,
}

/// The type of a segment's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SegmentKind {
    /// An integer.
    Integer,
    /// A float.
    Float,
    /// A bit string.
    Binary,
    /// A character in UTF-8.
    Utf8,
    /// A character in UTF-16.
    Utf16,
    /// A character in UTF-32.
    Utf32,
}

impl SegmentKind {
    const NAMES: [(Self, &str); 6] = [
        (Self::Integer, "integer"),
        (Self::Float, "float"),
        (Self::Binary, "binary"),
        (Self::Utf8, "utf8"),
        (Self::Utf16, "utf16"),
        (Self::Utf32, "utf32"),
    ];

    /// The name in Core Erlang.
    pub fn name(self) -> &'static str {
        Self::NAMES
            .iter()
            .find(|(kind, _)| *kind == self)
            .map_or("", |(_, name)| name)
    }

    /// The type with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::NAMES
            .iter()
            .find(|(_, known)| *known == name)
            .map(|(kind, _)| *kind)
    }
}

/// The order of bytes in a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Endianness {
    /// Most significant first.
    Big,
    /// Least significant first.
    Little,
    /// As on this machine.
    Native,
}
