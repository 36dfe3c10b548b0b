//! What a strategy is.

use std::collections::HashSet;
use std::fmt;

use super::super::candidate::Candidate;
use super::super::clause_id::ClauseId;
use super::ground::Ground;

/// Inputs that wait to be run, in the order of a strategy.
pub(in crate::explore) trait Queue: fmt::Debug + Send {
    /// Adds an input.
    fn push(&mut self, candidate: Candidate);

    /// Takes out the next input, given the clauses that were reached.
    fn pop(&mut self, reached: &HashSet<ClauseId>) -> Option<Candidate>;

    /// How many inputs wait.
    fn len(&self) -> usize;

    /// Whether no input waits.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// How the next input is chosen.
#[derive(Clone, Copy)]
pub struct Strategy {
    name: &'static str,
    summary: &'static str,
    /// Makes an empty queue for the search of a function, by its module and index.
    queue: fn(&Ground<'_>, (usize, usize)) -> Box<dyn Queue>,
}

impl Strategy {
    /// Declares a strategy.
    pub(super) const fn new(
        name: &'static str,
        summary: &'static str,
        queue: fn(&Ground<'_>, (usize, usize)) -> Box<dyn Queue>,
    ) -> Self {
        Self {
            name,
            summary,
            queue,
        }
    }

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        self.name
    }

    /// Which input it takes next, in a few words.
    pub fn summary(self) -> &'static str {
        self.summary
    }

    /// An empty queue in its order, for the search of a function.
    pub(in crate::explore) fn queue(
        self,
        ground: &Ground<'_>,
        entry: (usize, usize),
    ) -> Box<dyn Queue> {
        (self.queue)(ground, entry)
    }
}

impl PartialEq for Strategy {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Strategy {}

impl fmt::Debug for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Strategy").field(&self.name).finish()
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}
