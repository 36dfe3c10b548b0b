//! The rule for each kind of condition.

use flattener::ast::deep;

use super::{Asserting, require};
use crate::conflict::{Conflict, Step};
use crate::graph::{Condition, Formula, Kinds, NodeId};
use crate::integers::{Constraint, Relation};

impl Asserting<'_, '_> {
    /// Adds a condition. It is kept if it cannot be decided yet.
    pub(crate) fn assert(&mut self, condition: Condition) -> Step {
        if self.known.ends() {
            return Err(Conflict);
        }
        let holds = !condition.is_negated();
        match self.known.graph.formula(condition).clone() {
            Formula::True => require(holds),
            Formula::All(parts) if holds => parts
                .iter()
                .try_for_each(|part| deep(|| self.assert(*part))),
            Formula::All(parts) => self.assert_not_all(condition, &parts),
            Formula::Kind(kinds, node) => {
                let kinds = if holds { kinds } else { !kinds };
                self.assert_kind(condition, kinds, node)
            }
            Formula::Arity(arity, node) => self.assert_arity(condition, arity, node),
            Formula::FunArity(arity, node) => self.assert_fun_arity(condition, arity, node),
            Formula::ProperList(node) => self.assert_proper_list(condition, node),
            Formula::Member(of, node) => self.assert_member(condition, of, node),
            Formula::HasKey(key, map) => self.assert_has_key(condition, key, map),
            Formula::Fields(fields, map) => self.assert_fields(condition, &fields, map),
            Formula::Utf8(from, node) => self.assert_utf8(condition, from, node),
            Formula::Equal(left, right) if holds => self.unify(left, right),
            Formula::Equal(left, right) => self.separate(condition, left, right),
            Formula::Same(left, right) => self.assert_same(condition, left, right),
            Formula::Less(left, right) => self.assert_less(condition, left, right),
            Formula::Before(left, right) => self.assert_before(condition, left, right),
            Formula::TooLarge(operator, left, right) => {
                self.assert_too_large(condition, operator, left, right)
            }
        }
    }

    fn assert_not_all(&mut self, condition: Condition, parts: &[Condition]) -> Step {
        let mut open = None;
        for part in parts {
            match self.known.status(*part) {
                Some(false) => return Ok(()),
                Some(true) => {}
                None if open.is_some() => return self.keep(condition),
                None => open = Some(*part),
            }
        }
        match open {
            Some(part) => deep(|| self.assert(!part)),
            None => Err(Conflict),
        }
    }

    fn assert_kind(&mut self, condition: Condition, kinds: Kinds, node: NodeId) -> Step {
        let node = self.known.resolve(node);
        if self.known.graph.is_part(node) {
            return self.known.narrow(node, kinds);
        }
        let simpler = self.known.graph.kind(kinds, node);
        self.assert_simpler(condition, simpler)
    }

    /// Adds the simplified form of a condition, or keeps the condition if nothing changed.
    pub(super) fn assert_simpler(&mut self, condition: Condition, simpler: Condition) -> Step {
        if simpler == condition {
            self.keep(condition)
        } else {
            deep(|| self.assert(simpler))
        }
    }

    fn assert_arity(&mut self, condition: Condition, arity: u32, node: NodeId) -> Step {
        let node = self.known.resolve(node);
        let holds = !condition.is_negated();
        if !self.known.graph.is_part(node) {
            let simpler = self.known.graph.arity(arity, node);
            return self.assert_simpler(condition, simpler.signed_as(condition));
        }
        let status = self.known.status_of_arity(arity, node);
        if let Some(status) = status {
            return require(status == holds);
        }
        if holds {
            self.known
                .store
                .change(node, |part| part.arity = Some(arity));
            return self.known.narrow(node, Kinds::TUPLE);
        }
        if self.known.store.part(node).arity == Some(arity) {
            return self.known.narrow(node, !Kinds::TUPLE);
        }
        self.known
            .store
            .change(node, |part| part.not_arities.push(arity));
        Ok(())
    }

    fn assert_proper_list(&mut self, condition: Condition, node: NodeId) -> Step {
        let holds = !condition.is_negated();
        let end = match self.known.list_end(node) {
            Ok(end) => end,
            Err(is_proper) => return require(is_proper == holds),
        };
        if self.known.graph.is_part(end) {
            let kinds = if holds { Kinds::LIST } else { !Kinds::NIL };
            self.known.narrow(end, kinds)?;
            if self.known.kinds(end) == Kinds::NIL {
                return Ok(());
            }
        }
        self.keep(condition)
    }

    /// Adds a relation between two integers. `condition` says the same.
    pub(super) fn constrain(
        &mut self,
        condition: Condition,
        relation: Relation,
        left: NodeId,
        right: NodeId,
    ) -> Step {
        if self.known.graph.is_unknown_condition(condition) {
            return Err(self.known.give_up());
        }
        match self.known.linear_difference(left, right) {
            Some(linear) => {
                let constraint = Constraint { linear, relation };
                if let Some(holds) = constraint.constant() {
                    return require(holds);
                }
                self.known.store.constraints.push(constraint);
                Ok(())
            }
            None => self.keep(condition),
        }
    }
}
