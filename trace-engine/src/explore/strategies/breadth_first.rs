//! The oldest input first.

use std::collections::{HashSet, VecDeque};

use super::super::candidate::Candidate;
use super::super::clause_id::ClauseId;
use super::strategy::{Queue, Strategy};

/// The strategy `bfs`.
pub(super) const STRATEGY: Strategy =
    Strategy::new(
        "bfs",
        "The oldest",
        |_, _| Box::new(BreadthFirst::default()),
    );

#[derive(Debug, Default)]
struct BreadthFirst(VecDeque<Candidate>);

impl Queue for BreadthFirst {
    fn push(&mut self, candidate: Candidate) {
        self.0.push_back(candidate);
    }

    fn pop(&mut self, _reached: &HashSet<ClauseId>) -> Option<Candidate> {
        self.0.pop_front()
    }

    fn len(&self) -> usize {
        self.0.len()
    }
}
