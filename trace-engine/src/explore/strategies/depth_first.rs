//! The newest input first.

use std::collections::HashSet;

use super::super::candidate::Candidate;
use super::super::clause_id::ClauseId;
use super::strategy::{Queue, Strategy};

/// The strategy `dfs`.
pub(super) const STRATEGY: Strategy =
    Strategy::new("dfs", "The newest", |_, _| Box::new(DepthFirst::default()));

#[derive(Debug, Default)]
struct DepthFirst(Vec<Candidate>);

impl Queue for DepthFirst {
    fn push(&mut self, candidate: Candidate) {
        self.0.push(candidate);
    }

    fn pop(&mut self, _reached: &HashSet<ClauseId>) -> Option<Candidate> {
        self.0.pop()
    }

    fn len(&self) -> usize {
        self.0.len()
    }
}
