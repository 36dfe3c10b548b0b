//! Whether conditions hold whatever the open parts are.

use flattener::ast::deep;

use super::Known;
use super::decided::constant;
use crate::graph::{Condition, Formula, Kinds, Node, NodeId};
use crate::types::{Field, TypeId};

impl Known<'_> {
    /// The kinds that a resolved value can have.
    pub(crate) fn kinds(&mut self, node: NodeId) -> Kinds {
        if self.graph.is_part(node) {
            return self.store.part(node).kinds;
        }
        let known = self.graph.kinds(node);
        if !matches!(self.graph.node(node), Node::Arithmetic(..)) || known.is_single() {
            return known;
        }
        let is_integer = self.graph.kind(Kinds::INTEGER, node);
        match self.status(is_integer) {
            Some(true) => Kinds::INTEGER,
            Some(false) => Kinds::FLOAT,
            None => known,
        }
    }

    /// Whether a condition holds whatever the open parts are.
    pub(crate) fn status(&mut self, condition: Condition) -> Option<bool> {
        if self.ends() {
            return None;
        }
        let holds = match self.graph.formula(condition).clone() {
            Formula::True => Some(true),
            // A condition on a part comes after the condition that the part is there.
            Formula::All(parts) => {
                let mut statuses = parts.iter().map(|part| deep(|| self.status(*part)));
                let first = statuses.find(|status| *status != Some(true));
                first.unwrap_or(Some(true))
            }
            Formula::Kind(kinds, node) => {
                let node = self.resolve(node);
                let possible = self.kinds(node);
                if possible.is_within(kinds) {
                    Some(true)
                } else if possible.intersects(kinds) {
                    None
                } else {
                    Some(false)
                }
            }
            Formula::Arity(arity, node) => self.status_of_arity(arity, node),
            Formula::FunArity(arity, node) => self.status_of_fun_arity(arity, node),
            Formula::ProperList(node) => self.list_end(node).err(),
            Formula::Member(of, node) => self.status_of_member(of, node),
            Formula::HasKey(key, map) => self.status_of_has_key(key, map),
            Formula::Fields(fields, map) => self.status_of_fields(&fields, map),
            Formula::Utf8(from, node) => self.status_of_utf8(from, node),
            Formula::Equal(left, right) => self.status_of_equal(left, right),
            Formula::Same(left, right) => {
                let (left, right) = (self.resolve(left), self.resolve(right));
                if self.kinds(left).can_be_same(self.kinds(right)) {
                    constant(self.graph.same(left, right))
                } else {
                    Some(false)
                }
            }
            Formula::Less(left, right) => {
                let (left, right) = (self.resolve(left), self.resolve(right));
                let by_kinds = self.kinds(left).all_before(self.kinds(right));
                by_kinds.or_else(|| constant(self.graph.less(left, right)))
            }
            Formula::Before(left, right) => {
                let (left, right) = (self.resolve(left), self.resolve(right));
                constant(self.graph.before(left, right))
            }
            Formula::TooLarge(operator, left, right) => {
                self.status_of_too_large(operator, left, right)
            }
        };
        holds.map(|holds| holds != condition.is_negated())
    }

    /// Whether a condition can only hold if some result is too large.
    pub(crate) fn wants_too_large(&mut self, condition: Condition) -> bool {
        if self.graph.wants_too_large(condition) {
            return true;
        }
        let Formula::All(parts) = self.graph.formula(condition).clone() else {
            return false;
        };
        if !condition.is_negated() {
            return false;
        }
        let mut is_open = false;
        for part in &*parts {
            if self.status(*part) == Some(true) {
                continue;
            }
            if !self.graph.wants_too_large(!*part) {
                return false;
            }
            is_open = true;
        }
        is_open
    }

    pub(crate) fn status_of_arity(&mut self, arity: u32, node: NodeId) -> Option<bool> {
        let node = self.resolve(node);
        if !self.graph.is_part(node) {
            return constant(self.graph.arity(arity, node));
        }
        let part = self.store.part(node);
        if !part.kinds.intersects(Kinds::TUPLE) || part.not_arities.contains(&arity) {
            return Some(false);
        }
        match part.arity {
            Some(known) if known != arity => Some(false),
            Some(_) if part.kinds == Kinds::TUPLE => Some(true),
            _ => None,
        }
    }

    pub(crate) fn status_of_fun_arity(&mut self, arity: u32, node: NodeId) -> Option<bool> {
        let node = self.resolve(node);
        if !self.graph.is_part(node) {
            return constant(self.graph.fun_arity(arity, node));
        }
        let part = self.store.part(node);
        if !part.kinds.intersects(Kinds::FUN) || part.not_fun_arities.contains(&arity) {
            return Some(false);
        }
        match part.fun_arity {
            Some(known) if known != arity => Some(false),
            Some(_) if part.kinds == Kinds::FUN => Some(true),
            _ => None,
        }
    }

    pub(crate) fn status_of_member(&mut self, of: TypeId, node: NodeId) -> Option<bool> {
        let node = self.resolve(node);
        if !self.graph.is_part(node) {
            return constant(self.graph.member(of, node));
        }
        let possible = self.kinds(node);
        (!possible.intersects(self.graph.types().kinds(of))).then_some(false)
    }

    pub(crate) fn status_of_has_key(&mut self, key: NodeId, map: NodeId) -> Option<bool> {
        let map = self.resolve(map);
        if !self.graph.is_part(map) {
            return constant(self.graph.has_key(key, map));
        }
        let part = self.store.part(map);
        if !part.kinds.intersects(Kinds::MAP) {
            return Some(false);
        }
        let mut keys = part.keys.iter();
        keys.find(|known| known.0 == key).map(|known| known.1)
    }

    fn status_of_fields(&mut self, fields: &[Field], map: NodeId) -> Option<bool> {
        let map = self.resolve(map);
        if self.graph.is_part(map) {
            let is_map = self.store.part(map).kinds.intersects(Kinds::MAP);
            return (!is_map).then_some(false);
        }
        constant(self.graph.has_fields(fields, map))
    }

    fn status_of_utf8(&mut self, from: u32, node: NodeId) -> Option<bool> {
        let node = self.resolve(node);
        if self.graph.is_part(node) {
            let is_binary = self.store.part(node).kinds.intersects(Kinds::BINARY);
            return (!is_binary).then_some(false);
        }
        constant(self.graph.utf8(from, node))
    }

    fn status_of_equal(&mut self, left: NodeId, right: NodeId) -> Option<bool> {
        let (left, right) = (self.resolve(left), self.resolve(right));
        let simpler = self.graph.equal(left, right);
        if simpler.is_constant() {
            return constant(simpler);
        }
        if !self.kinds(left).intersects(self.kinds(right)) {
            return Some(false);
        }
        for (part, value) in [(left, right), (right, left)] {
            if self.graph.is_part(part) && self.store.part(part).not.contains(&value) {
                return Some(false);
            }
        }
        if *self.graph.formula(simpler) == Formula::Equal(left.min(right), left.max(right)) {
            None
        } else {
            deep(|| self.status(simpler))
        }
    }

    /// The open end of a list, or whether the list is proper.
    pub(crate) fn list_end(&mut self, list: NodeId) -> Result<NodeId, bool> {
        let (_, end) = self.known_cells(list);
        let kinds = self.kinds(end);
        if kinds == Kinds::NIL {
            Err(true)
        } else if kinds.intersects(Kinds::LIST) {
            Ok(end)
        } else {
            Err(false)
        }
    }

    /// How many cells of a list are known, and what comes after them.
    pub(crate) fn known_cells(&mut self, list: NodeId) -> (i128, NodeId) {
        let mut count = 0;
        let mut rest = self.resolve(list);
        while self.kinds(rest) == Kinds::CONS {
            count += 1;
            let tail = self.graph.tail(rest);
            rest = self.resolve(tail);
        }
        (count, rest)
    }
}
