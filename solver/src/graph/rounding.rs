//! Rounding: `trunc`, `round`, `floor` and `ceil`.

use num_bigint::BigInt;
use num_traits::FromPrimitive;

/// How a number becomes an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rounding {
    /// `trunc`, towards zero.
    Truncate,
    /// `round`, to the nearest; away from zero in the middle between two.
    Round,
    /// `floor`, down.
    Floor,
    /// `ceil`, up.
    Ceiling,
}

impl Rounding {
    /// The integer for a float; `None` if it is not finite.
    pub(super) fn of_float(self, float: f64) -> Option<BigInt> {
        BigInt::from_f64(match self {
            Self::Truncate => float.trunc(),
            Self::Round => float.round(),
            Self::Floor => float.floor(),
            Self::Ceiling => float.ceil(),
        })
    }
}
