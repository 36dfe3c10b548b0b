//! Values that are different, equal by `==`, or in order.

use erlang_term::Term;
use flattener::ast::deep;

use super::{Asserting, require};
use crate::conflict::Step;
use crate::graph::{Condition, Formula, Kinds, Node, NodeId, Place, to_term};
use crate::integers::Relation;

impl Asserting<'_, '_> {
    /// Makes two values different.
    pub(super) fn separate(&mut self, condition: Condition, left: NodeId, right: NodeId) -> Step {
        let (left, right) = (self.known.resolve(left), self.known.resolve(right));
        let equal = self.known.graph.equal(left, right);
        if *self.known.graph.formula(equal) != Formula::Equal(left.min(right), left.max(right)) {
            return deep(|| self.assert(!equal));
        }
        if !self.known.kinds(left).intersects(self.known.kinds(right)) {
            return Ok(());
        }
        for (part, value) in [(left, right), (right, left)] {
            if self.known.graph.is_part(part) && self.known.graph.is_constant_map(value) {
                self.known.store.change(part, |part| part.not.push(value));
                return Ok(());
            }
            if self.known.graph.is_part(part) && self.known.graph.node(value).is_atomic() {
                if self.known.graph.kinds(value) == Kinds::ATOM
                    && let Some(own) = self.known.graph.known_part(Place::Text, part)
                {
                    let is_atom = self.known.graph.kind(Kinds::ATOM, part);
                    let text = self.known.graph.text(value);
                    let is_same = self.known.graph.equal(own, text);
                    let is_same = self.known.graph.all([is_atom, is_same]);
                    return deep(|| self.assert(!is_same));
                }
                if let Some(same) = self.known.graph.same_constant_bits(part, value) {
                    return deep(|| self.assert(!same));
                }
                self.known.store.change(part, |part| part.not.push(value));
                if *self.known.graph.node(value) == Node::Nil {
                    return self.known.narrow(part, !Kinds::NIL);
                }
                return Ok(());
            }
        }
        if (self.known.kinds(left) | self.known.kinds(right)).is_within(Kinds::INTEGER) {
            return self.constrain(!equal, Relation::Different, left, right);
        }
        self.keep(condition)
    }

    pub(super) fn assert_same(
        &mut self,
        condition: Condition,
        left: NodeId,
        right: NodeId,
    ) -> Step {
        let (left, right) = (self.known.resolve(left), self.known.resolve(right));
        let same = self.known.graph.same(left, right);
        let holds = !condition.is_negated();
        if *self.known.graph.formula(same) != Formula::Same(left.min(right), left.max(right)) {
            return deep(|| self.assert(same.signed_as(condition)));
        }
        if !self.known.kinds(left).can_be_same(self.known.kinds(right)) {
            return require(!holds);
        }
        let kinds = self.known.kinds(left) | self.known.kinds(right);
        if kinds.is_within(Kinds::INTEGER) {
            let equal = self.known.graph.equal(left, right);
            return deep(|| self.assert(equal.signed_as(condition)));
        }
        for (part, value) in [(left, right), (right, left)] {
            if self.known.graph.is_part(part)
                && let Some(either) = self.same_as_value(part, value)
            {
                return deep(|| self.assert(either.signed_as(condition)));
            }
        }
        self.keep(same.signed_as(condition))
    }

    /// The condition that a part is equal by `==` to a number, a list cell, a tuple or a map.
    fn same_as_value(&mut self, part: NodeId, value: NodeId) -> Option<Condition> {
        match self.known.graph.node(value).clone() {
            Node::Integer(_) | Node::Float(_) => {
                let mut forms = vec![self.known.graph.equal(part, value)];
                for other in self.known.graph.other_forms(value) {
                    forms.push(self.known.graph.equal(part, other));
                }
                Some(self.known.graph.any(forms))
            }
            Node::Cons(head, tail) => {
                let is_cons = self.known.graph.kind(Kinds::CONS, part);
                let (own_head, own_tail) =
                    (self.known.graph.head(part), self.known.graph.tail(part));
                let heads = self.known.graph.same(own_head, head);
                let tails = self.known.graph.same(own_tail, tail);
                Some(self.known.graph.all([is_cons, heads, tails]))
            }
            Node::Tuple(elements) => {
                let arity = u32::try_from(elements.len()).ok()?;
                let mut all = vec![self.known.graph.arity(arity, part)];
                for (index, element) in (0..).zip(&elements) {
                    let own = self.known.graph.element(index, part);
                    all.push(self.known.graph.same(own, *element));
                }
                Some(self.known.graph.all(all))
            }
            Node::Map(_) => {
                let value = to_term(self.known.graph, value).filter(|it| !has_numbers(it))?;
                let value = self.known.graph.constant(&value);
                Some(self.known.graph.equal(part, value))
            }
            Node::Input(_)
            | Node::Part(..)
            | Node::Atom(_)
            | Node::Nil
            | Node::Other(..)
            | Node::Put(..)
            | Node::Without(..)
            | Node::Arithmetic(..)
            | Node::Rounded(..)
            | Node::Length(_)
            | Node::TupleSize(_)
            | Node::MapSize(_)
            | Node::AtomOf(_)
            | Node::Bits(_)
            | Node::FloatOf(..)
            | Node::Truth(_)
            | Node::Choice(..)
            | Node::Closure(_)
            | Node::Table(_)
            | Node::Unknown(_) => None,
        }
    }

    pub(super) fn assert_less(
        &mut self,
        condition: Condition,
        left: NodeId,
        right: NodeId,
    ) -> Step {
        let (left, right) = (self.known.resolve(left), self.known.resolve(right));
        let less = self.known.graph.less(left, right);
        let holds = !condition.is_negated();
        if *self.known.graph.formula(less) != Formula::Less(left, right) {
            return deep(|| self.assert(less.signed_as(condition)));
        }
        let (low, high) = if holds { (left, right) } else { (right, left) };
        self.narrow_order(low, high)?;
        let (left, right) = (self.known.resolve(left), self.known.resolve(right));
        let (left_kinds, right_kinds) = (self.known.kinds(left), self.known.kinds(right));
        if let Some(status) = left_kinds.all_before(right_kinds) {
            return require(status == holds);
        }
        if (left_kinds | right_kinds).is_within(Kinds::INTEGER) {
            return if holds {
                self.constrain(less, Relation::Less, left, right)
            } else {
                self.constrain(!less, Relation::AtMost, right, left)
            };
        }
        if left_kinds.is_single() && left_kinds == right_kinds {
            if left_kinds == Kinds::ATOM && self.is_about_text(left, right) {
                let (left, right) = (self.known.graph.text(left), self.known.graph.text(right));
                let by_text = self.known.graph.less(left, right);
                return deep(|| self.assert(by_text.signed_as(condition)));
            }
            if left_kinds == Kinds::CONS {
                let by_parts = self.less_lists(left, right);
                return deep(|| self.assert(by_parts.signed_as(condition)));
            }
            if let Some(by_parts) = self.less_tuples(left, right) {
                return deep(|| self.assert(by_parts.signed_as(condition)));
            }
        }
        self.keep(less.signed_as(condition))
    }

    /// Whether a condition is about the text of one of two atoms.
    fn is_about_text(&self, left: NodeId, right: NodeId) -> bool {
        [left, right].into_iter().any(|atom| {
            matches!(self.known.graph.node(atom), Node::AtomOf(_))
                || self.known.graph.known_part(Place::Text, atom).is_some()
        })
    }

    /// Leaves both sides only kinds with which `low` does not come after `high`.
    fn narrow_order(&mut self, low: NodeId, high: NodeId) -> Step {
        if self.known.graph.is_part(low) {
            let kinds = self.known.kinds(high).or_below();
            self.known.narrow(low, kinds)?;
        }
        if self.known.graph.is_part(high) {
            let kinds = self.known.kinds(low).or_above();
            self.known.narrow(high, kinds)?;
        }
        Ok(())
    }

    pub(super) fn less_lists(&mut self, left: NodeId, right: NodeId) -> Condition {
        let (head, other) = (self.known.graph.head(left), self.known.graph.head(right));
        let heads = self.known.graph.less(head, other);
        let same = self.known.graph.same(head, other);
        let (tail, other) = (self.known.graph.tail(left), self.known.graph.tail(right));
        let tails = self.known.graph.less(tail, other);
        let tails = self.known.graph.all([same, tails]);
        self.known.graph.any([heads, tails])
    }

    pub(super) fn less_tuples(&mut self, left: NodeId, right: NodeId) -> Option<Condition> {
        let arities = (
            self.known.known_arity(left)?,
            self.known.known_arity(right)?,
        );
        if arities.0 != arities.1 {
            return Some(Condition::of(arities.0 < arities.1));
        }
        let mut less = Condition::FALSE;
        for index in (0..arities.0).rev() {
            let (left, right) = (
                self.known.graph.element(index, left),
                self.known.graph.element(index, right),
            );
            let here = self.known.graph.less(left, right);
            let same = self.known.graph.same(left, right);
            let later = self.known.graph.all([same, less]);
            less = self.known.graph.any([here, later]);
        }
        Some(less)
    }
}

/// Whether a term contains a number, so that other terms can be equal to it by `==`.
fn has_numbers(term: &Term) -> bool {
    match term {
        Term::Integer(_) | Term::Float(_) => true,
        // Funs have no numbers that `==` looks at.
        Term::ExternalFun(_) | Term::TableFun(_) => false,
        Term::Atom(_) | Term::Bits(..) => false,
        Term::List(elements, tail) => {
            let mut inner = elements.iter().chain(tail.as_deref());
            inner.any(|it| deep(|| has_numbers(it)))
        }
        Term::Tuple(elements) => elements.iter().any(|it| deep(|| has_numbers(it))),
        // `==` compares keys as `=:=` does.
        Term::Map(pairs) => pairs.iter().any(|it| deep(|| has_numbers(&it.1))),
    }
}
