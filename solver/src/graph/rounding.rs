//! Integers near a number: `trunc`, `round`, `floor` and `ceil`.

use num_bigint::BigInt;
use num_traits::FromPrimitive;

use super::{Graph, Kinds, Node, NodeId};

/// How a number becomes an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rounding {
    /// `trunc`, towards zero.
    Truncate,
    /// `round`, to the nearest, away from zero if two are as near.
    Round,
    /// `floor`, down.
    Floor,
    /// `ceil`, up.
    Ceiling,
}

impl Rounding {
    /// The integer for a float; `None` if it is not finite.
    pub fn of_float(self, float: f64) -> Option<BigInt> {
        BigInt::from_f64(match self {
            Self::Truncate => float.trunc(),
            Self::Round => float.round(),
            Self::Floor => float.floor(),
            Self::Ceiling => float.ceil(),
        })
    }
}

impl Graph {
    /// The integer near a value that is a number. Integers stay as they are.
    pub fn rounded(&mut self, rounding: Rounding, number: NodeId) -> NodeId {
        if self.kinds(number).is_within(Kinds::INTEGER) {
            return number;
        }
        match *self.node(number) {
            Node::Float(bits) => match rounding.of_float(f64::from_bits(bits)) {
                Some(value) => self.big_integer(value.into()),
                None => self.intern(Node::Rounded(rounding, number)),
            },
            Node::Choice(..) => {
                self.distribute(number, |graph, leaf| graph.rounded(rounding, leaf))
            }
            _ => self.intern(Node::Rounded(rounding, number)),
        }
    }
}
