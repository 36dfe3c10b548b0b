//! Inputs whose ways are near to clauses that were not reached come first.
//!
//! Ways of the program take turns, as in `coverage`, but a way has to wait the longer the farther it
//! is from such a clause in the call and control flow graph. A way at distance 0 has ten turns in
//! the time in which one at distance 9 has one. So a clause that no input reaches does not keep
//! others waiting for ever.

use std::collections::{HashSet, VecDeque};

use super::super::candidate::{Aim, Candidate};
use super::super::clause_id::ClauseId;
use super::clause_turns::ClauseTurns;
use super::strategy::{Queue, Strategy};
use crate::flow::NearestClauses;

/// The strategy `graph`.
pub(super) const STRATEGY: Strategy = Strategy::new(
    "graph",
    "One whose way is near to a clause that was not reached yet",
    |ground, entry| {
        Box::new(Nearest {
            seeds: VecDeque::new(),
            clauses: NearestClauses::new(ground.flow(), entry),
            turns: ClauseTurns::default(),
        })
    },
);

/// The weight of ways that lead to no clause that was not reached.
const FAR: u64 = 100;

#[derive(Debug)]
struct Nearest {
    /// They come first.
    seeds: VecDeque<Candidate>,
    clauses: NearestClauses,
    /// The weights of ways are those of earlier moments, when they may have been less.
    turns: ClauseTurns,
}

impl Nearest {
    fn weight(&mut self, aim: Aim, reached: &HashSet<ClauseId>) -> u64 {
        match aim {
            Aim::Seed | Aim::Guess | Aim::Order => FAR,
            Aim::Clause(clause) => {
                let distance = self.clauses.distance(clause, reached);
                distance.map_or(FAR, |it| (u64::from(it) + 1).min(FAR))
            }
        }
    }
}

impl Queue for Nearest {
    fn push(&mut self, candidate: Candidate) {
        match candidate.aim() {
            Aim::Seed => self.seeds.push_back(candidate),
            Aim::Clause(_) | Aim::Guess | Aim::Order => self.turns.push(candidate),
        }
    }

    fn pop(&mut self, reached: &HashSet<ClauseId>) -> Option<Candidate> {
        if let Some(seed) = self.seeds.pop_front() {
            return Some(seed);
        }
        // Weights only grow. So the first line whose weight is still right is the best one.
        loop {
            let (aim, known) = self.turns.next_aim()?;
            let weight = self.weight(aim, reached);
            if weight == known {
                return self.turns.pop();
            }
            self.turns.weigh(aim, weight);
        }
    }

    fn len(&self) -> usize {
        self.seeds.len() + self.turns.len()
    }
}
