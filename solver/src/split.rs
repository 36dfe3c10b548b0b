//! Splitting what a guess breaks into cases.

mod cases;
mod few_value_cases;
mod float_tries;
mod key_cases;
mod large_cases;
mod map_cases;
mod meeting;
mod number_cases;
mod open_nodes;
mod part_cases;
mod real_values;
mod reals;
mod type_cases;

use crate::asserting::Asserting;
use crate::graph::{Condition, NodeId};
use crate::guess::Parent;
use crate::integers::Integers;
use crate::known::Known;
pub(crate) use float_tries::FloatTries;

/// A case: conditions that hold in it.
type Case = Vec<Condition>;

/// Finds the cases of a condition.
pub(crate) struct Split<'known, 'run> {
    pub(crate) known: &'known mut Known<'run>,
    pub(crate) parent: &'known mut Parent,
    pub(crate) integers: &'known mut (dyn Integers + 'run),
    pub(crate) floats: &'known mut FloatTries,
}

impl<'run> Split<'_, 'run> {
    /// What the parent's input has in this place.
    pub(crate) fn wanted(&mut self, part: NodeId) -> Option<NodeId> {
        self.parent.wanted(self.known.graph, part)
    }

    pub(crate) fn asserting(&mut self) -> Asserting<'_, 'run> {
        Asserting::new(self.known)
    }
}
