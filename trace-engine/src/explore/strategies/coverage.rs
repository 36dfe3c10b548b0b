//! Inputs for clauses that were not reached yet come first, then clauses take turns. In a machine a
//! clause that was reached in other states only counts as new.

use std::collections::{HashSet, VecDeque};

use super::super::candidate::{Aim, Candidate};
use super::super::clause_id::ClauseId;
use super::clause_turns::ClauseTurns;
use super::strategy::{Queue, Strategy};

/// The strategy `coverage`.
pub(super) const STRATEGY: Strategy = Strategy::new(
    "coverage",
    "One for a clause that was not reached yet",
    |_, _| Box::new(Coverage::default()),
);

#[derive(Debug, Default)]
struct Coverage {
    /// Inputs that were not looked at yet.
    unseen: VecDeque<Candidate>,
    /// Inputs for clauses that were reached or aimed at before.
    turns: ClauseTurns,
    /// The clauses that were aimed at in states of a machine.
    transitions: HashSet<(u64, ClauseId)>,
}

impl Coverage {
    /// Whether an input aims at a clause that was neither reached nor aimed at. Seed inputs count
    /// as new. Branches inside built-ins are not clauses that a run reaches; there only the first
    /// input that aims at one is new.
    fn is_new(&self, candidate: &Candidate, reached: &HashSet<ClauseId>) -> bool {
        match candidate.aim() {
            Aim::Seed => true,
            Aim::Clause(clause) => !reached.contains(&clause) && !self.turns.was_aimed_at(clause),
            Aim::Guess | Aim::Order => false,
        }
    }
}

impl Queue for Coverage {
    fn push(&mut self, candidate: Candidate) {
        self.unseen.push_back(candidate);
    }

    fn pop(&mut self, reached: &HashSet<ClauseId>) -> Option<Candidate> {
        // A clause that was reached stays reached, so one look at each input is enough.
        while let Some(candidate) = self.unseen.pop_front() {
            let transition = candidate.transition();
            let is_new_there = transition.is_some_and(|it| self.transitions.insert(it));
            if is_new_there || self.is_new(&candidate, reached) {
                self.turns.had_turn(&candidate);
                return Some(candidate);
            }
            self.turns.push(candidate);
        }
        self.turns.pop()
    }

    fn len(&self) -> usize {
        self.unseen.len() + self.turns.len()
    }
}
