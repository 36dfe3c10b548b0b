//! One type of a grammar: the forms that its values have.

use erlang_term::{Atom, Integer};
use serde::{Deserialize, Serialize};

use crate::kinds::Kinds;

/// A type of a grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TypeId(pub u32);

/// One of the forms that values of a type have.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Alternative {
    /// Any value.
    Any,
    /// An integer between two bounds, each optional.
    Integer(Option<Integer>, Option<Integer>),
    /// A float.
    Float,
    /// An atom.
    AnyAtom,
    /// This atom.
    Atom(Atom),
    /// `[]`.
    Nil,
    /// A list cell.
    Cons(TypeId, TypeId),
    /// A tuple.
    AnyTuple,
    /// A tuple of these.
    Tuple(Vec<TypeId>),
    /// A map.
    AnyMap,
    /// A map with these pairs only.
    Map(Vec<Field>),
    /// A bit string with this number of bits, plus any multiple of the second number.
    Bits(u64, u64),
    /// A binary that is UTF-8.
    Text,
    /// A fun.
    AnyFun,
    /// A fun: the types of its parameters, if they are known, and the type that it returns. A fun of
    /// the input returns something for other arguments too, so no condition is about its parameters.
    Fun(Option<Vec<TypeId>>, TypeId),
    /// A pid.
    Pid,
    /// A port.
    Port,
    /// A reference.
    Reference,
}

/// A field of a map type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Field {
    /// Whether a map must have it.
    pub is_required: bool,
    /// The type of its key.
    pub key: TypeId,
    /// The type of its value.
    pub value: TypeId,
}

impl Alternative {
    /// The same in a grammar in which all numbers of types are larger by this.
    #[must_use]
    pub fn shifted(&self, by: u32) -> Self {
        self.renumbered(|id| TypeId(id.0 + by))
    }

    /// The same in a grammar in which types have other numbers.
    #[must_use]
    pub fn renumbered(&self, number: impl Fn(TypeId) -> TypeId) -> Self {
        let new = |id: &TypeId| number(*id);
        match self {
            Self::Cons(head, tail) => Self::Cons(new(head), new(tail)),
            Self::Tuple(elements) => Self::Tuple(elements.iter().map(new).collect()),
            Self::Map(fields) => {
                let fields = fields.iter().map(|it| Field {
                    is_required: it.is_required,
                    key: new(&it.key),
                    value: new(&it.value),
                });
                Self::Map(fields.collect())
            }
            Self::Fun(parameters, result) => {
                let parameters = parameters.as_ref();
                let parameters = parameters.map(|it| it.iter().map(new).collect());
                Self::Fun(parameters, new(result))
            }
            Self::Any
            | Self::Integer(..)
            | Self::Float
            | Self::AnyAtom
            | Self::Atom(_)
            | Self::Nil
            | Self::AnyTuple
            | Self::AnyMap
            | Self::Bits(..)
            | Self::Text
            | Self::AnyFun
            | Self::Pid
            | Self::Port
            | Self::Reference => self.clone(),
        }
    }

    /// The kinds of its values.
    pub fn kinds(&self) -> Kinds {
        match self {
            Self::Any => Kinds::ANY,
            Self::Integer(..) => Kinds::INTEGER,
            Self::Float => Kinds::FLOAT,
            Self::AnyAtom | Self::Atom(_) => Kinds::ATOM,
            Self::Nil => Kinds::NIL,
            Self::Cons(..) => Kinds::CONS,
            Self::AnyTuple | Self::Tuple(_) => Kinds::TUPLE,
            Self::AnyMap | Self::Map(_) => Kinds::MAP,
            Self::Text => Kinds::BINARY,
            Self::Bits(base, unit) if base % 8 == 0 && unit % 8 == 0 => Kinds::BINARY,
            Self::Bits(base, 8) if base % 8 != 0 => Kinds::PARTIAL_BINARY,
            Self::Bits(..) => Kinds::BITS,
            Self::AnyFun | Self::Fun(..) => Kinds::FUN,
            Self::Pid => Kinds::PID,
            Self::Port => Kinds::PORT,
            Self::Reference => Kinds::REFERENCE,
        }
    }

    /// The types of its parts. What a fun is given is no part of it.
    pub fn parts(&self) -> Vec<TypeId> {
        match self {
            Self::Cons(head, tail) => vec![*head, *tail],
            Self::Tuple(elements) => elements.clone(),
            Self::Map(fields) => {
                let fields = fields.iter();
                fields.flat_map(|it| [it.key, it.value]).collect()
            }
            Self::Fun(_, result) => vec![*result],
            Self::Any
            | Self::Integer(..)
            | Self::Float
            | Self::AnyAtom
            | Self::Atom(_)
            | Self::Nil
            | Self::AnyTuple
            | Self::AnyMap
            | Self::Bits(..)
            | Self::Text
            | Self::AnyFun
            | Self::Pid
            | Self::Port
            | Self::Reference => Vec::new(),
        }
    }

    /// The arity of a fun with these parameters.
    pub fn arity(parameters: Option<&Vec<TypeId>>) -> Option<u32> {
        let count = parameters?.len();
        Some(u32::try_from(count).unwrap_or(u32::MAX))
    }

    /// The types of the head and the tail, if it is a list cell.
    pub(super) fn as_cons(&self) -> Option<(TypeId, TypeId)> {
        if let Self::Cons(head, tail) = self {
            Some((*head, *tail))
        } else {
            None
        }
    }

    /// Whether all values of its kinds are of this form.
    pub fn is_whole_kind(&self) -> bool {
        match self {
            Self::Any
            | Self::Integer(None, None)
            | Self::Float
            | Self::AnyAtom
            | Self::Nil
            | Self::AnyTuple
            | Self::AnyMap
            | Self::Bits(0, 1 | 8)
            | Self::AnyFun
            | Self::Pid
            | Self::Port
            | Self::Reference => true,
            Self::Integer(..)
            | Self::Atom(_)
            | Self::Cons(..)
            | Self::Tuple(_)
            | Self::Map(_)
            | Self::Bits(..)
            | Self::Text
            | Self::Fun(..) => false,
        }
    }

    /// Whether conditions cannot express all of it for a value whose shape is not known: only
    /// constants can be checked.
    pub(crate) fn is_opaque(&self) -> bool {
        matches!(self, Self::Fun(..)) && !self.is_whole_kind()
    }
}
