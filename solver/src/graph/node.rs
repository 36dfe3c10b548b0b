//! Nodes: symbolic values.

use erlang_term::{Atom, Integer};
use flattener::flat::{Callable, VarId};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use super::bit_pieces::Bits;
use super::ids::{Condition, NodeId};
use super::operator::Operator;
use super::rounding::Rounding;
use crate::kinds::Kinds;

/// The elements of a tuple. Most tuples have few elements, which need no allocation.
pub type Elements = SmallVec<[NodeId; 4]>;

/// A key and its value.
pub type Pair = (NodeId, NodeId);

/// The value of a node.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// An argument of the entry function, counted from 0.
    Input(u32),
    /// A place of something that is a part of the input itself.
    Part(Place, NodeId),
    /// An integer.
    Integer(Integer),
    /// A float, by its bits. Where `0.0 =:= -0.0`, zero has no sign.
    Float(u64),
    /// An atom.
    Atom(Atom),
    /// `[]`.
    Nil,
    /// Any other constant, in external term format.
    Other(Kinds, Box<[u8]>),
    /// `[Head|Tail]`.
    Cons(NodeId, NodeId),
    /// A tuple.
    Tuple(Elements),
    /// A map with these values and keys, which are constants.
    Map(Box<[Pair]>),
    /// A map with one more pair, or another value for a key: the map, the key, the value.
    Put(NodeId, NodeId, NodeId),
    /// A map without a key: the map, the key.
    Without(NodeId, NodeId),
    /// A number computed from two numbers.
    Arithmetic(Operator, NodeId, NodeId),
    /// A number rounded to an integer.
    Rounded(Rounding, NodeId),
    /// The length of a proper list.
    Length(NodeId),
    /// The number of a tuple's elements.
    TupleSize(NodeId),
    /// The number of a map's keys.
    MapSize(NodeId),
    /// The atom with this text.
    AtomOf(NodeId),
    /// A bit string that the program built.
    Bits(Box<Bits>),
    /// The float encoded by the bits of an integer, with the number of bits.
    FloatOf(NodeId, u32),
    /// `true` or `false`.
    Truth(Condition),
    /// One value if a condition holds, another if it does not.
    Choice(Condition, NodeId, NodeId),
    /// A fun that the program made.
    Closure(Box<Closure>),
    /// A fun of an input, as a constant.
    Table(Box<Table>),
    /// A value that nothing is known about.
    Unknown(u32),
}

/// A place in a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Place {
    /// The head of a list.
    Head,
    /// The tail of a list.
    Tail,
    /// An element of a tuple, counted from 0.
    Element(u32),
    /// The text of an atom.
    Text,
    /// The value of a key of a map.
    Value(NodeId),
    /// A key of a map, counted from 0 in the order of keys.
    Key(u32),
    /// The result of a fun for a tuple of arguments.
    Result(NodeId),
    /// The result of a fun for arguments that cannot be in a table.
    Default,
    /// The number of bytes of a bit string, including an incomplete last byte.
    Bytes,
    /// The number of unused bits in the last byte of a bit string.
    Unused,
    /// A byte of a bit string, counted from 0; an incomplete one is padded with zeros.
    Byte(u32),
}

impl Place {
    /// The node in the place, if the place has one.
    pub(super) fn node(self) -> Option<NodeId> {
        match self {
            Self::Value(node) | Self::Result(node) => Some(node),
            Self::Head
            | Self::Tail
            | Self::Element(_)
            | Self::Text
            | Self::Key(_)
            | Self::Default
            | Self::Bytes
            | Self::Unused
            | Self::Byte(_) => None,
        }
    }
}

/// A fun: its code and the values that it captured.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Closure {
    /// The module.
    pub module: usize,
    /// The code that it calls.
    pub callable: Callable,
    /// Its arity.
    pub arity: usize,
    /// The captured variables, in the order of their numbers.
    pub captured: Box<[(VarId, NodeId)]>,
}

/// A fun that is a constant.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Table {
    /// The number of its parameters.
    pub arity: u32,
    /// Tuples of arguments with their results, in a fixed order. Entries with the default result
    /// are dropped.
    pub entries: Box<[(NodeId, NodeId)]>,
    /// The result for all other arguments.
    pub default: NodeId,
}

impl Table {
    /// The results that it can have.
    pub(super) fn results(&self) -> impl Iterator<Item = NodeId> {
        let entries = self.entries.iter().map(|it| it.1);
        entries.chain([self.default])
    }
}

impl Node {
    /// Whether it is a constant without parts that can be told apart.
    pub(crate) fn is_atomic(&self) -> bool {
        matches!(
            self,
            Self::Integer(_)
                | Self::Float(_)
                | Self::Atom(_)
                | Self::Nil
                | Self::Table(_)
                | Self::Other(..)
        )
    }

    /// Whether it is a part of the input.
    pub(super) fn is_part(&self) -> bool {
        matches!(self, Self::Input(_) | Self::Part(..))
    }

    /// Whether it is a byte of a bit string of the input.
    pub(crate) fn is_byte(&self) -> bool {
        matches!(self, Self::Part(Place::Byte(_), _))
    }

    /// Whether it belongs to the size of a bit string of the input.
    pub(crate) fn is_size(&self) -> bool {
        matches!(self, Self::Part(Place::Bytes | Place::Unused, _))
    }

    /// The nodes that it is computed from or made of, if their number is fixed.
    pub fn operands(&self) -> Vec<NodeId> {
        match self {
            Self::Cons(left, right) | Self::Arithmetic(_, left, right) => vec![*left, *right],
            Self::Tuple(elements) => elements.to_vec(),
            Self::Rounded(_, of)
            | Self::Length(of)
            | Self::TupleSize(of)
            | Self::MapSize(of)
            | Self::FloatOf(of, _)
            | Self::AtomOf(of) => vec![*of],
            Self::Map(pairs) => {
                let pairs = pairs.iter();
                pairs.flat_map(|(key, value)| [*key, *value]).collect()
            }
            Self::Put(map, key, value) => vec![*map, *key, *value],
            Self::Without(map, key) => vec![*map, *key],
            Self::Bits(bits) => bits.operands().collect(),
            Self::Closure(closure) => closure.captured.iter().map(|it| it.1).collect(),
            Self::Input(_)
            | Self::Part(..)
            | Self::Integer(_)
            | Self::Float(_)
            | Self::Atom(_)
            | Self::Nil
            | Self::Table(_)
            | Self::Other(..)
            | Self::Truth(_)
            | Self::Choice(..)
            | Self::Unknown(_) => Vec::new(),
        }
    }

    /// The bytes of a constant bit string, and the number of unused bits in the last one.
    pub(super) fn as_constant_bits(&self) -> Option<(&[u8], u8)> {
        let Self::Other(kinds, bytes) = self else {
            return None;
        };
        match (*kinds, &**bytes) {
            (Kinds::BINARY, [131, 109, _, _, _, _, bytes @ ..]) => Some((bytes, 0)),
            (Kinds::PARTIAL_BINARY, [131, 77, _, _, _, _, used, bytes @ ..]) => {
                Some((bytes, 8_u8.checked_sub(*used)?))
            }
            _ => None,
        }
    }
}
