//! Conditions that a value is of a type.

use super::{Asserting, require};
use crate::conflict::{Conflict, Step};
use crate::graph::{Condition, Formula, Kinds, Node, NodeId};
use crate::types::TypeId;

impl Asserting<'_, '_> {
    pub(super) fn assert_member(&mut self, condition: Condition, of: TypeId, node: NodeId) -> Step {
        let holds = !condition.is_negated();
        let part = self.known.resolve(node);
        if !self.known.graph.is_part(part) {
            let simpler = self.known.graph.member(of, part);
            return self.assert_simpler(condition, simpler.signed_as(condition));
        }
        if !holds {
            return match self.known.status_of_member(of, part) {
                Some(is_member) => require(!is_member),
                None => self.keep(condition),
            };
        }
        let kinds = self.known.graph.types().kinds(of);
        self.known.narrow(part, kinds)?;
        let part = self.known.resolve(part);
        let forms = self.known.possible_forms(of, part);
        match forms.as_slice() {
            [] => Err(Conflict),
            [only] if only.can_be_said() => {
                self.assert(only.condition)?;
                let part = self.known.resolve(part);
                match only.returns {
                    Some(of) if self.known.graph.is_part(part) => self.returns_only(part, of),
                    _ => Ok(()),
                }
            }
            many if many.iter().all(|form| form.is_whole_kind) => Ok(()),
            _ => self.keep(condition),
        }
    }

    /// Keeps that the bytes of a binary from one on are UTF-8.
    pub(super) fn assert_utf8(&mut self, condition: Condition, from: u32, node: NodeId) -> Step {
        let node = self.known.resolve(node);
        if !self.known.graph.is_part(node) {
            let simpler = self.known.graph.utf8(from, node);
            return self.assert_simpler(condition, simpler.signed_as(condition));
        }
        if !condition.is_negated() {
            self.known.narrow(node, Kinds::BINARY)?;
        }
        self.keep(condition)
    }

    /// Writes out the types of parts that can have only one form by now, so that more is known
    /// about what is inside them.
    pub(crate) fn unfold_members(&mut self) -> Step {
        let mut number = 0;
        while let Some(condition) = self.known.store.kept.get(number).copied() {
            if !self.known.store.unfolded.contains(&number) && self.has_one_form(condition) {
                self.known.store.unfolded.push(number);
                self.assert(condition)?;
            }
            number += 1;
        }
        Ok(())
    }

    fn has_one_form(&mut self, condition: Condition) -> bool {
        let Formula::Member(of, node) = *self.known.graph.formula(condition) else {
            return false;
        };
        let part = self.known.resolve(node);
        if condition.is_negated() {
            return false;
        }
        if !self.known.graph.is_part(part) {
            return matches!(self.known.graph.node(part), Node::Cons(..) | Node::Tuple(_));
        }
        if !self.known.kinds(part).is_single() {
            return false;
        }
        let forms = self.known.possible_forms(of, part);
        matches!(forms.as_slice(), [only] if only.can_be_said())
    }
}
