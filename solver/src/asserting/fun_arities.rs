//! How many parameters funs have, and the types of their results.

use super::{Asserting, require};
use crate::conflict::Step;
use crate::graph::{Condition, Kinds, MOST_PARAMETERS, Node, NodeId};
use crate::store::is_result;
use crate::types::TypeId;

impl Asserting<'_, '_> {
    pub(super) fn assert_fun_arity(
        &mut self,
        condition: Condition,
        arity: u32,
        node: NodeId,
    ) -> Step {
        let node = self.known.resolve(node);
        let holds = !condition.is_negated();
        if !self.known.graph.is_part(node) {
            let simpler = self.known.graph.fun_arity(arity, node);
            return self.assert_simpler(condition, simpler.signed_as(condition));
        }
        if let Some(status) = self.known.status_of_fun_arity(arity, node) {
            return require(status == holds);
        }
        if holds {
            if arity > MOST_PARAMETERS {
                return Err(self.known.give_up());
            }
            self.known
                .store
                .change(node, |part| part.fun_arity = Some(arity));
            return self.known.narrow(node, Kinds::FUN);
        }
        if self.known.store.part(node).fun_arity == Some(arity) {
            return self.known.narrow(node, !Kinds::FUN);
        }
        self.known
            .store
            .change(node, |part| part.not_fun_arities.push(arity));
        Ok(())
    }

    /// Whether a part can be this constant, if that is a fun.
    pub(super) fn can_be_fun(&mut self, part: NodeId, value: NodeId) -> bool {
        let Some(arity) = self.known.graph.known_fun_arity(value) else {
            return true;
        };
        let known = self.known.store.part(part);
        if known.fun_arity.is_some_and(|it| it != arity) || known.not_fun_arities.contains(&arity) {
            return false;
        }
        let types = known.results.clone();
        let Node::Table(table) = self.known.graph.node(value).clone() else {
            return true;
        };
        let mut results = table.entries.iter().map(|it| it.1).chain([table.default]);
        results.all(|it| self.known.is_of_all(&types, it))
    }

    /// Copies what is known about a fun to another one that is the same.
    pub(super) fn unify_funs(&mut self, gone: NodeId, stays: NodeId) -> Step {
        let gone = self.known.store.part(gone).clone();
        let known = self.known.store.part(stays).fun_arity;
        let are_different = match (known, gone.fun_arity) {
            (Some(one), Some(other)) => one != other,
            _ => false,
        };
        self.known.store.change(stays, |part| {
            part.fun_arity = part.fun_arity.or(gone.fun_arity);
            part.not_fun_arities.extend(&gone.not_fun_arities);
        });
        let part = self.known.store.part(stays);
        let arity = part.fun_arity;
        if are_different || arity.is_some_and(|it| part.not_fun_arities.contains(&it)) {
            // Both may still be something else.
            self.known.narrow(stays, !Kinds::FUN)?;
        }
        let types = gone.results.into_iter();
        types
            .into_iter()
            .try_for_each(|it| self.returns_only(stays, it))
    }

    /// Lets a fun return only values of a type.
    pub(super) fn returns_only(&mut self, fun: NodeId, of: TypeId) -> Step {
        if self.known.graph.types().is_any(of) || self.known.store.part(fun).results.contains(&of) {
            return Ok(());
        }
        self.known.store.change(fun, |part| part.results.push(of));
        let parts = self.known.store.part(fun).parts.clone();
        for part in parts {
            if is_result(self.known.graph.node(part)) {
                let is_member = self.known.graph.member(of, part);
                self.assert(is_member)?;
            }
        }
        Ok(())
    }
}
