//! The ids of nodes and conditions.

use serde::{Deserialize, Serialize};
use std::num::NonZeroU32;
use std::ops::Not;

/// A node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct NodeId(NonZeroU32);

impl NodeId {
    /// `[]`. This and the next two are the first nodes of every graph.
    pub const NIL: Self = Self(NonZeroU32::MIN);
    /// `true`.
    pub const TRUE: Self = Self(NonZeroU32::MIN.saturating_add(1));
    /// `false`.
    pub const FALSE: Self = Self(NonZeroU32::MIN.saturating_add(2));

    pub(super) fn of_index(index: usize) -> Self {
        let number = u32::try_from(index + 1).ok().and_then(NonZeroU32::new);
        Self(number.expect("fewer than 2^32 nodes"))
    }

    /// Its number in its graph, from 0.
    pub fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// A formula or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Condition(u32);

impl Condition {
    /// Always holds.
    pub const TRUE: Self = Self(0);
    /// Never holds.
    pub const FALSE: Self = Self(1);

    pub(super) fn of_index(index: usize) -> Self {
        Self(u32::try_from(index * 2).expect("fewer than 2^31 formulas"))
    }

    /// The number of its formula in its graph, from 0.
    pub fn index(self) -> usize {
        self.0 as usize / 2
    }

    /// Whether this is the negation of its formula.
    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// Whether it is the same for all inputs.
    pub fn is_constant(self) -> bool {
        self.0 <= 1
    }

    /// The condition that always or never holds.
    pub fn of(value: bool) -> Self {
        if value { Self::TRUE } else { Self::FALSE }
    }

    /// Negated if the other one is.
    #[must_use]
    pub fn signed_as(self, other: Self) -> Self {
        if other.is_negated() { !self } else { self }
    }
}

impl Not for Condition {
    type Output = Self;

    fn not(self) -> Self {
        Self(self.0 ^ 1)
    }
}
