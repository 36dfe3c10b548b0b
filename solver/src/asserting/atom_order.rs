//! Keys of maps of which one comes before the other.

use flattener::ast::deep;

use super::Asserting;
use crate::conflict::{Conflict, Step};
use crate::graph::{Condition, Formula, Kinds, NodeId};

impl Asserting<'_, '_> {
    /// Puts two keys of a small map in order.
    pub(super) fn assert_before(
        &mut self,
        condition: Condition,
        left: NodeId,
        right: NodeId,
    ) -> Step {
        let (left, right) = (self.known.resolve(left), self.known.resolve(right));
        let before = self.known.graph.before(left, right);
        if *self.known.graph.formula(before) != Formula::Before(left, right) {
            return deep(|| self.assert(before.signed_as(condition)));
        }
        let (left_kinds, right_kinds) = (self.known.kinds(left), self.known.kinds(right));
        if !(left_kinds & right_kinds).intersects(Kinds::ATOM) {
            let before = self.known.graph.before_without_atoms(left, right);
            return deep(|| self.assert(before.signed_as(condition)));
        }
        self.keep(before.signed_as(condition))?;
        if (left_kinds | right_kinds) != Kinds::ATOM {
            return Ok(());
        }
        match self.known.atom_bounds(|_| None) {
            Some(_) => Ok(()),
            None => Err(Conflict),
        }
    }
}
