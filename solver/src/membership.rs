//! Conditions that a value is of a type.

use flattener::ast::deep;

use super::assertion::constant;
use super::model::Guess;
use super::{Conflict, Solver, Step};
use crate::graph::{Condition, Formula, Kinds, Node, NodeId};
use crate::types::{Alternative, TypeId};

/// A form that a value of a type can still have.
struct Form {
    /// What it says of the value.
    condition: Condition,
    /// Whether it says more than that about constants.
    is_opaque: bool,
    is_whole_kind: bool,
    /// What it says of the results of a fun, beside the condition.
    returns: Option<TypeId>,
}

impl Form {
    /// Whether all that it says can be added to what is known.
    fn can_be_said(&self) -> bool {
        !self.is_opaque || self.returns.is_some()
    }
}

impl Solver<'_> {
    pub(super) fn assert_member(&mut self, condition: Condition, of: TypeId, node: NodeId) -> Step {
        let holds = !condition.is_negated();
        let part = self.resolve(node);
        if !self.graph.is_part(part) {
            let simpler = self.graph.member(of, part);
            return self.assert_simpler(condition, simpler.signed_as(condition));
        }
        if !holds {
            return match self.status_of_member(of, part) {
                Some(is_member) => self.require(!is_member),
                None => self.keep(condition),
            };
        }
        let kinds = self.graph.types().kinds(of);
        self.store.narrow(self.graph, part, kinds)?;
        let part = self.resolve(part);
        let forms = self.possible_forms(of, part);
        match forms.as_slice() {
            [] => Err(Conflict),
            [only] if only.can_be_said() => {
                self.assert(only.condition)?;
                let part = self.resolve(part);
                match only.returns {
                    Some(of) if self.graph.is_part(part) => self.returns_only(part, of),
                    _ => Ok(()),
                }
            }
            many if many.iter().all(|form| form.is_whole_kind) => Ok(()),
            _ => self.keep(condition),
        }
    }

    pub(super) fn status_of_member(&mut self, of: TypeId, node: NodeId) -> Option<bool> {
        let node = self.resolve(node);
        if !self.graph.is_part(node) {
            return constant(self.graph.member(of, node));
        }
        let possible = self.kinds(node);
        (!possible.intersects(self.graph.types().kinds(of))).then_some(false)
    }

    /// The forms of a type that a part can still have.
    fn possible_forms(&mut self, of: TypeId, part: NodeId) -> Vec<Form> {
        let types = self.graph.types().clone();
        let mut forms = Vec::new();
        for alternative in types.alternatives(of) {
            let condition = self.graph.has_form(alternative, part);
            if self.status(condition) != Some(false) {
                forms.push(Form {
                    condition,
                    is_opaque: alternative.is_opaque(),
                    is_whole_kind: alternative.is_whole_kind(),
                    returns: match alternative {
                        Alternative::Fun(_, result) => Some(*result),
                        _ => None,
                    },
                });
            }
        }
        forms
    }

    /// Writes out the types of parts that can have only one form by now, so that it is known what
    /// is inside of them.
    pub(super) fn unfold_members(&mut self) -> Step {
        let mut number = 0;
        while let Some(condition) = self.store.kept.get(number).copied() {
            if !self.store.unfolded.contains(&number) && self.has_one_form(condition) {
                self.store.unfolded.push(number);
                self.assert(condition)?;
            }
            number += 1;
        }
        Ok(())
    }

    fn has_one_form(&mut self, condition: Condition) -> bool {
        let Formula::Member(of, node) = *self.graph.formula(condition) else {
            return false;
        };
        let part = self.resolve(node);
        if condition.is_negated() {
            return false;
        }
        if !self.graph.is_part(part) {
            return matches!(self.graph.node(part), Node::Cons(..) | Node::Tuple(_));
        }
        if !self.kinds(part).is_single() {
            return false;
        }
        let forms = self.possible_forms(of, part);
        matches!(forms.as_slice(), [only] if only.can_be_said())
    }

    /// The forms of a type as cases, what the parent's input has first.
    pub(super) fn split_member(&mut self, condition: Condition) -> Option<Vec<Vec<Condition>>> {
        let Formula::Member(of, node) = *self.graph.formula(condition) else {
            return None;
        };
        let part = self.resolve(node);
        if condition.is_negated() || !self.graph.is_part(part) {
            return None;
        }
        let forms = self.possible_forms(of, part);
        if forms.len() < 2 {
            return None;
        }
        let wanted = self.wanted(part);
        let wanted = wanted.map_or(Kinds::NONE, |wanted| self.graph.kinds(wanted));
        let kind = self.graph.kind(wanted, part);
        let (first, rest): (Vec<Form>, Vec<Form>) = forms
            .into_iter()
            .partition(|form| self.graph.all([form.condition, kind]) != Condition::FALSE);
        let cases = first.into_iter().chain(rest);
        let case = |form: Form| {
            let more = form.is_opaque.then_some(condition);
            std::iter::once(form.condition).chain(more).collect()
        };
        Some(cases.map(case).collect())
    }

    /// The simplest value of the type that a part must have, if nothing else is known about it.
    pub(super) fn simplest_member(&mut self, guess: &mut Guess, part: NodeId) -> Option<NodeId> {
        let known = self.store.part(part);
        if !known.parts.is_empty() || guess.integers.contains_key(&part) {
            return None;
        }
        let kept = guess.kept.get(&part)?;
        let of = kept.iter().find_map(|condition| self.type_in(*condition))?;
        let term = self.graph.types().simplest(of)?.clone();
        let value = self.graph.constant(&term);
        let mark = self.store.mark();
        let fits = self.bind(part, value).is_ok();
        self.store.undo(mark);
        if !fits {
            return None;
        }
        self.guess_inner(guess, part, value);
        Some(value)
    }

    /// The parts of a part that was guessed as a whole are those of its value.
    fn guess_inner(&mut self, guess: &mut Guess, part: NodeId, value: NodeId) {
        let inner: Vec<(NodeId, NodeId)> = match self.graph.node(value).clone() {
            Node::Cons(head, tail) => {
                vec![(self.graph.head(part), head), (self.graph.tail(part), tail)]
            }
            Node::Tuple(elements) => (0..)
                .zip(&elements)
                .map(|(index, element)| (self.graph.element(index, part), *element))
                .collect(),
            _ => return,
        };
        for (part, value) in inner {
            let part = self.resolve(part);
            guess.values.insert(part, value);
            deep(|| self.guess_inner(guess, part, value));
        }
    }

    /// Constants of one kind that are simple values of the type that a condition speaks of.
    pub(super) fn simplest_forms(&mut self, condition: Condition, kind: Kinds) -> Vec<NodeId> {
        let Some(of) = self.type_in(condition) else {
            return Vec::new();
        };
        let terms = self.graph.types().simplest_of_kinds(of, kind);
        terms.iter().map(|it| self.graph.constant(it)).collect()
    }

    fn type_in(&self, condition: Condition) -> Option<TypeId> {
        match *self.graph.formula(condition) {
            Formula::Member(of, _) if !condition.is_negated() => Some(of),
            _ => None,
        }
    }
}
