//! Adding conditions to what is known.

mod atom_order;
mod comparing;
mod fun_arities;
mod large_numbers;
mod map_pairs;
mod rules;
mod typed_parts;
mod unifying;

use crate::conflict::{Conflict, Step};
use crate::graph::Condition;
use crate::known::Known;

/// Adds conditions to what is known. Conditions that cannot be decided yet are kept.
pub(crate) struct Asserting<'known, 'run> {
    known: &'known mut Known<'run>,
}

impl<'known, 'run> Asserting<'known, 'run> {
    pub(crate) fn new(known: &'known mut Known<'run>) -> Self {
        Self { known }
    }

    fn keep(&mut self, condition: Condition) -> Step {
        self.known.store.kept.push(condition);
        Ok(())
    }
}

fn require(holds: bool) -> Step {
    if holds { Ok(()) } else { Err(Conflict) }
}
