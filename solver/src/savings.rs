//! How much work was saved.

use serde::{Deserialize, Serialize};

/// How often each shortcut saved work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Savings {
    /// Questions that contain the negation of an assumption.
    pub contradictions: u64,
    /// Conditions that were assumed already.
    pub repetitions: u64,
    /// Conditions that hold because the parent's values were kept.
    pub parent_values: u64,
    /// Questions about integers that were answered before.
    pub cached: u64,
}

impl Savings {
    /// Adds the savings of another solver.
    pub fn add(&mut self, other: &Self) {
        self.contradictions += other.contradictions;
        self.repetitions += other.repetitions;
        self.parent_values += other.parent_values;
        self.cached += other.cached;
    }
}
