//! What values mean on the release of Erlang/OTP that runs. Releases differ; the BEAM is asked, so
//! that no number of a release is in the engine.

use crate::atom_table::AtomOrder;

/// What values mean on the release that runs. The default is OTP 25.
#[derive(Clone, Debug, Default)]
pub struct ReleaseRules {
    /// Whether `0.0 =:= -0.0`.
    pub zeros: Zeros,
    /// How large integers become floats.
    pub floats: FloatsOfIntegers,
    /// The order of atoms as keys of small maps.
    pub atoms: AtomOrder,
}

/// Whether `0.0 =:= -0.0`. They are `==` on all releases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Zeros {
    /// One value, as up to OTP 26.
    #[default]
    Equal,
    /// Two values, as from OTP 27 on.
    Different,
}

/// How integers that are too large for a machine word become floats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FloatsOfIntegers {
    /// Digit by digit of 64 bits, with a rounding at each.
    #[default]
    DigitByDigit,
    /// The nearest float.
    Nearest,
}
