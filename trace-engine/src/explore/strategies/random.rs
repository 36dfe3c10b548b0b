//! Any input, all with the same probability. The same seed gives the same order.

use std::collections::HashSet;

use super::super::candidate::Candidate;
use super::super::clause_id::ClauseId;
use super::strategy::{Queue, Strategy};

/// The strategy `random`.
pub(super) const STRATEGY: Strategy = Strategy::new("random", "Any", |ground, _| {
    Box::new(Random::new(ground.seed))
});

#[derive(Debug)]
struct Random {
    waiting: Vec<Candidate>,
    state: u64,
}

impl Random {
    fn new(seed: u64) -> Self {
        Self {
            waiting: Vec::new(),
            state: seed,
        }
    }

    /// The generator splitmix64.
    fn random(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }
}

impl Queue for Random {
    fn push(&mut self, candidate: Candidate) {
        self.waiting.push(candidate);
    }

    fn pop(&mut self, _reached: &HashSet<ClauseId>) -> Option<Candidate> {
        let count = u64::try_from(self.waiting.len()).ok()?;
        let index = self.random().checked_rem(count)?;
        let index = usize::try_from(index).ok()?;
        Some(self.waiting.swap_remove(index))
    }

    fn len(&self) -> usize {
        self.waiting.len()
    }
}
