//! The pieces of bit strings that programs build.

use super::ids::NodeId;

/// An integer, and the number of bits that encode it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Piece {
    /// The integer, not negative. It fits into the bits.
    pub value: NodeId,
    /// The number of bits.
    pub width: u32,
}

/// A bit string of the input without its first bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rest {
    /// A part of the input.
    pub of: NodeId,
    /// The number of skipped bits.
    pub skipped: u64,
}

/// A bit string that a program built.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Bits {
    /// The beginning.
    pub pieces: Vec<Piece>,
    /// The end.
    pub rest: Option<Rest>,
}

impl Bits {
    /// The number of bits before the rest.
    pub fn width(&self) -> u64 {
        total_width(&self.pieces)
    }

    pub(super) fn operands(&self) -> impl Iterator<Item = NodeId> {
        let rest = self.rest.iter().map(|it| it.of);
        self.pieces.iter().map(|it| it.value).chain(rest)
    }
}

/// The number of bits of all pieces together.
pub(super) fn total_width(pieces: &[Piece]) -> u64 {
    pieces.iter().map(|it| u64::from(it.width)).sum()
}
