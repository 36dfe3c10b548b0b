//! The values of literals, and constants.

use std::collections::VecDeque;
use std::fmt::Write;

use erlang_term::{Atom, Integer};
use serde::{Deserialize, Serialize};

use super::child::Child;

/// A literal without parts.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum LiteralValue {
    /// An integer.
    Integer(Integer),
    /// A floating-point number; compared by its bits.
    Float(f64),
    /// An atom.
    Atom(Atom),
    /// A character, as written `$a`; the same value as the integer of its code.
    Char(u32),
    /// A string, as written `"abc"`; the same value as the list of its characters. Text outside
    /// of ASCII is stored byte by byte, as OTP reads it.
    String(Box<str>),
    /// The empty list.
    Nil,
}

impl PartialEq for LiteralValue {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Integer(left), Self::Integer(right)) => left == right,
            (Self::Float(left), Self::Float(right)) => left.to_bits() == right.to_bits(),
            (Self::Atom(left), Self::Atom(right)) => left == right,
            (Self::Char(left), Self::Char(right)) => left == right,
            (Self::String(left), Self::String(right)) => left == right,
            (Self::Nil, Self::Nil) => true,
            _ => false,
        }
    }
}

/// A constant term, in a program or an annotation.
///
/// Lists keep their elements in one piece, even if the text nests them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Constant {
    /// A term without parts.
    Atomic(LiteralValue),
    /// A tuple.
    Tuple(Child<[Constant]>),
    /// A list that is not empty.
    List(Child<ConstantList>),
    /// A map.
    Map(Child<Vec<(Constant, Constant)>>),
}

/// The parts of a list constant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ConstantList {
    /// The elements.
    pub elements: VecDeque<Constant>,
    /// The tail, if it is not `[]`.
    pub tail: Option<Constant>,
}

impl Constant {
    /// The constant that is this atom.
    pub fn atom(text: &str) -> Self {
        Self::Atomic(LiteralValue::Atom(Atom::new(text)))
    }

    /// The constant that is this integer.
    pub fn integer(value: i64) -> Self {
        Self::Atomic(LiteralValue::Integer(value.into()))
    }

    /// The text of an atom.
    pub fn as_atom(&self) -> Option<&str> {
        let Self::Atomic(LiteralValue::Atom(atom)) = self else {
            return None;
        };
        Some(atom.as_str())
    }

    /// The elements of a tuple.
    pub fn as_tuple(&self) -> Option<&[Self]> {
        let Self::Tuple(elements) = self else {
            return None;
        };
        Some(elements)
    }

    /// The elements of a proper list that is not empty.
    pub(crate) fn into_elements(self) -> Option<Vec<Self>> {
        let Self::List(list) = self else {
            return None;
        };
        let list = list.into_inner();
        list.tail.is_none().then(|| list.elements.into())
    }

    fn as_u32(&self) -> Option<u32> {
        let Self::Atomic(LiteralValue::Integer(integer)) = self else {
            return None;
        };
        integer.to_i64().and_then(|value| u32::try_from(value).ok())
    }

    /// `Line` or `{Line,Column}`.
    pub(crate) fn as_position(&self) -> Option<(u32, u32)> {
        match self.as_tuple() {
            Some([line, column]) => Some((line.as_u32()?, column.as_u32()?)),
            _ => self.as_u32().map(|line| (line, 0)),
        }
    }

    /// The text of a string or of a list of characters.
    pub fn to_text(&self) -> Option<String> {
        match self {
            Self::Atomic(LiteralValue::String(text)) => {
                let bytes: Option<Vec<u8>> =
                    text.chars().map(|byte| u8::try_from(byte).ok()).collect();
                String::from_utf8(bytes?).ok()
            }
            Self::Atomic(LiteralValue::Nil) => Some(String::new()),
            Self::List(list) if list.tail.is_none() => {
                let mut text = String::with_capacity(list.elements.len());
                for element in &list.elements {
                    text.write_char(char::from_u32(element.as_u32()?)?).ok()?;
                }
                Some(text)
            }
            Self::Atomic(_) | Self::Tuple(_) | Self::List(_) | Self::Map(_) => None,
        }
    }
}
