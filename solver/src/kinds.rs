//! The kinds of Erlang values, as sets.

use serde::{Deserialize, Serialize};
use std::ops::{BitAnd, BitOr, Not};

/// A set of kinds. The bits are in the order of Erlang's terms, integers and floats being one
/// rank, and all bit strings another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Kinds(u16);

impl Kinds {
    /// No kind.
    pub const NONE: Self = Self(0);
    /// Integers.
    pub const INTEGER: Self = Self(1);
    /// Floats.
    pub const FLOAT: Self = Self(1 << 1);
    /// Atoms.
    pub const ATOM: Self = Self(1 << 2);
    /// References.
    pub const REFERENCE: Self = Self(1 << 3);
    /// Funs.
    pub const FUN: Self = Self(1 << 4);
    /// Ports.
    pub const PORT: Self = Self(1 << 5);
    /// Pids.
    pub const PID: Self = Self(1 << 6);
    /// Tuples.
    pub const TUPLE: Self = Self(1 << 7);
    /// Maps.
    pub const MAP: Self = Self(1 << 8);
    /// The empty list.
    pub const NIL: Self = Self(1 << 9);
    /// Lists with a head and a tail.
    pub const CONS: Self = Self(1 << 10);
    /// Bit strings of whole bytes.
    pub const BINARY: Self = Self(1 << 11);
    /// Other bit strings.
    pub const PARTIAL_BINARY: Self = Self(1 << 12);
    /// All bit strings.
    pub const BITS: Self = Self(0b11 << 11);
    /// Integers and floats.
    pub const NUMBER: Self = Self(0b11);
    /// Lists, proper or not.
    pub const LIST: Self = Self(0b11 << 9);
    /// References, funs, ports and pids: terms that cannot be written in source code.
    pub const FOREIGN: Self = Self(0b1111 << 3);
    /// Every kind.
    pub const ANY: Self = Self((1 << 13) - 1);

    /// Each kind by itself, in the order of terms.
    pub fn each(self) -> impl Iterator<Item = Self> {
        (0..13)
            .map(|bit| Self(1 << bit))
            .filter(move |kind| self.intersects(*kind))
    }

    /// A number that stands for it.
    pub fn bits(self) -> u16 {
        self.0
    }

    /// Whether it is empty.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether it is exactly one kind.
    pub(crate) fn is_single(self) -> bool {
        self.0.is_power_of_two()
    }

    /// Whether all kinds of `self` are in `other`.
    pub fn is_within(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// Whether some kind is in both.
    pub fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// The kinds whose terms all come before those of this single kind.
    pub(crate) fn below(self) -> Self {
        let rank = self.rank();
        // All bits below the lowest one of the rank.
        Self((rank.0 & rank.0.wrapping_neg()).wrapping_sub(1))
    }

    /// The kinds whose terms all come after those of this single kind.
    pub(crate) fn above(self) -> Self {
        !(self.below() | self.rank())
    }

    /// Whether all terms of these kinds come before all of the others, or all after them; `None`
    /// if that depends on the terms.
    pub(crate) fn all_before(self, other: Self) -> Option<bool> {
        if self.each().all(|kind| other.is_within(kind.above())) {
            Some(true)
        } else if self.each().all(|kind| other.is_within(kind.below())) {
            Some(false)
        } else {
            None
        }
    }

    /// Whether a term of these kinds can be equal to one of the others by `==`.
    pub(crate) fn can_be_same(self, other: Self) -> bool {
        let numbers = self.intersects(Self::NUMBER) && other.intersects(Self::NUMBER);
        numbers || self.intersects(other)
    }

    /// The kinds with a term that does not come after every term of these kinds.
    pub(crate) fn or_below(self) -> Self {
        let each = self.each().map(|kind| kind.below() | kind.rank());
        each.fold(Self::NONE, Self::bitor)
    }

    /// The kinds with a term that does not come before every term of these kinds.
    pub(crate) fn or_above(self) -> Self {
        let each = self.each().map(|kind| kind.above() | kind.rank());
        each.fold(Self::NONE, Self::bitor)
    }

    /// All kinds whose terms are ordered among those of this single kind.
    fn rank(self) -> Self {
        let mut mixed = [Self::NUMBER, Self::BITS].into_iter();
        mixed.find(|rank| self.is_within(*rank)).unwrap_or(self)
    }
}

impl BitAnd for Kinds {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for Kinds {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl Not for Kinds {
    type Output = Self;

    fn not(self) -> Self {
        Self(!self.0 & Self::ANY.0)
    }
}
