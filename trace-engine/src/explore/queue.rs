//! Which input is run next.

use std::collections::{HashSet, VecDeque};

use super::ClauseId;
use super::arguments::Arguments;
use super::turns::Turns;
use crate::visited::Point;

/// How the next input is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// Inputs for clauses that were not reached yet come first, then clauses take turns.
    Coverage,
    /// The newest first.
    DepthFirst,
    /// The oldest first.
    BreadthFirst,
    /// Any.
    Random,
}

/// Where an input should go.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target {
    pub(super) point: Point,
    pub(super) way: usize,
    /// The clause that it should reach. None if it is a guess.
    pub(super) clause: Option<ClauseId>,
    /// Whether it must go there, or only may because of something that is not understood.
    pub(super) is_certain: bool,
}

/// An input to be run.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) arguments: Arguments,
    /// The test it was made from.
    pub(super) parent: Option<usize>,
    pub(super) target: Option<Target>,
}

/// Inputs to be run.
#[derive(Debug)]
pub(super) struct Queue {
    strategy: Strategy,
    waiting: VecDeque<Candidate>,
    /// In place of `waiting` for `Coverage`: those whose clauses were reached.
    turns: Turns,
    /// For `Coverage`, those that were not looked at yet.
    preferred: VecDeque<Candidate>,
    state: u64,
}

impl Queue {
    pub(super) fn new(strategy: Strategy, seed: u64) -> Self {
        Self {
            strategy,
            waiting: VecDeque::new(),
            turns: Turns::default(),
            preferred: VecDeque::new(),
            state: seed,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(super) fn len(&self) -> usize {
        self.waiting.len() + self.turns.len() + self.preferred.len()
    }

    pub(super) fn push(&mut self, candidate: Candidate) {
        if self.strategy == Strategy::Coverage {
            self.preferred.push_back(candidate);
        } else {
            self.waiting.push_back(candidate);
        }
    }

    /// The next input, given the clauses that were reached.
    pub(super) fn pop(&mut self, reached: &HashSet<ClauseId>) -> Option<Candidate> {
        match self.strategy {
            Strategy::Coverage => {
                // What was reached is reached for good: each input is looked at once.
                while let Some(candidate) = self.preferred.pop_front() {
                    // The ways of built-ins are no clauses that could be reached: there, one
                    // input was the first.
                    let is_new = candidate.target.is_none_or(|target| {
                        let clause = target.clause.filter(|it| !reached.contains(it));
                        clause.is_some_and(|it| !self.turns.was_aimed_at(it))
                    });
                    if is_new {
                        self.turns.had_turn(&candidate);
                        return Some(candidate);
                    }
                    self.turns.push(candidate);
                }
                self.turns.pop()
            }
            Strategy::BreadthFirst => self.waiting.pop_front(),
            Strategy::DepthFirst => self.waiting.pop_back(),
            Strategy::Random => {
                let count = u64::try_from(self.waiting.len()).ok()?;
                let index = self.random().checked_rem(count)?;
                self.waiting.swap_remove_back(usize::try_from(index).ok()?)
            }
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
