//! Conditions: conjunctions, disjunctions, and tests of shapes.

use flattener::ast::deep;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use super::arena::Graph;
use super::formula::Formula;
use super::ids::{Condition, NodeId};
use super::node::Node;
use crate::kinds::Kinds;

/// Up to this number, conditions are compared with each other; more are looked up in a set.
const FEW: usize = 16;

type Conditions = SmallVec<[Condition; 4]>;

impl Graph {
    /// Holds if all of these hold.
    pub fn all(&mut self, conditions: impl IntoIterator<Item = Condition>) -> Condition {
        let mut parts = Conditions::new();
        for condition in conditions {
            if condition == Condition::FALSE {
                return condition;
            }
            self.add_parts(condition, &mut parts);
        }
        // Nearly always.
        if let [] | [_] = parts.as_slice() {
            return parts.first().copied().unwrap_or(Condition::TRUE);
        }
        let Some(distinct) = without_repetitions(&parts) else {
            return Condition::FALSE;
        };
        match distinct.as_slice() {
            [single] => *single,
            several => self.intern_formula(Formula::All(several.into())),
        }
    }

    fn add_parts(&self, condition: Condition, parts: &mut Conditions) {
        if condition == Condition::TRUE {
            return;
        }
        if !condition.is_negated()
            && let Formula::All(inner) = self.formula(condition)
        {
            parts.extend_from_slice(inner);
        } else {
            parts.push(condition);
        }
    }

    /// Holds if one of these holds.
    pub fn any(&mut self, conditions: impl IntoIterator<Item = Condition>) -> Condition {
        !self.all(conditions.into_iter().map(|condition| !condition))
    }

    /// Holds if `yes` holds where `condition` does, and `no` holds where it does not.
    pub fn either(&mut self, condition: Condition, yes: Condition, no: Condition) -> Condition {
        if yes == no {
            return yes;
        }
        let yes = self.all([condition, yes]);
        let no = self.all([!condition, no]);
        self.any([yes, no])
    }

    /// A value is of one of these kinds.
    pub fn kind(&mut self, kinds: Kinds, node: NodeId) -> Condition {
        let possible = self.kinds(node);
        if possible.is_within(kinds) {
            return Condition::TRUE;
        }
        if !possible.intersects(kinds) {
            return Condition::FALSE;
        }
        if self.is_choice(node) {
            return self.distribute_condition(node, |graph, leaf| graph.kind(kinds, leaf));
        }
        let yes_if = |condition: Condition, holds| if holds { condition } else { !condition };
        if let Node::Arithmetic(..) = self.node(node) {
            // Not all numbers are of these kinds, so either integers are or floats.
            return yes_if(self.is_integral(node), kinds.intersects(Kinds::INTEGER));
        }
        if let Node::Bits(_) = self.node(node) {
            // Not all bit strings are of these kinds.
            return yes_if(self.is_whole(node), kinds.intersects(Kinds::BINARY));
        }
        self.intern_formula(Formula::Kind(kinds & possible, node))
    }

    /// A value is a tuple of this size.
    pub fn arity(&mut self, arity: u32, node: NodeId) -> Condition {
        if !self.kinds(node).intersects(Kinds::TUPLE) {
            return Condition::FALSE;
        }
        self.distribute_condition(node, |graph, leaf| {
            if let Node::Tuple(elements) = graph.node(leaf) {
                Condition::of(elements.len() == arity as usize)
            } else if graph.kinds(leaf).intersects(Kinds::TUPLE) {
                graph.intern_formula(Formula::Arity(arity, leaf))
            } else {
                Condition::FALSE
            }
        })
    }

    /// A value is a list that ends in `[]`.
    pub fn proper_list(&mut self, node: NodeId) -> Condition {
        let end = self.end_of_list(node);
        self.distribute_condition(end, |graph, leaf| {
            let end = graph.end_of_list(leaf);
            if *graph.node(end) == Node::Nil || graph.is_text(end) {
                Condition::TRUE
            } else if graph.is_choice(end) {
                deep(|| graph.proper_list(end))
            } else if graph.kinds(end).intersects(Kinds::LIST) {
                graph.intern_formula(Formula::ProperList(end))
            } else {
                Condition::FALSE
            }
        })
    }

    /// The tail of the last list cell that is known.
    pub(super) fn end_of_list(&self, list: NodeId) -> NodeId {
        let mut end = list;
        while let Node::Cons(_, tail) = *self.node(end) {
            end = tail;
        }
        end
    }
}

/// Each of these conditions once; `None` if two contradict each other.
fn without_repetitions(parts: &[Condition]) -> Option<Conditions> {
    let mut distinct = Conditions::with_capacity(parts.len());
    let mut seen = FxHashSet::default();
    let is_long = parts.len() > FEW;
    for part in parts {
        let has = |it: &Condition| {
            if is_long {
                seen.contains(it)
            } else {
                distinct.contains(it)
            }
        };
        if has(&!*part) {
            return None;
        }
        if !has(part) {
            distinct.push(*part);
            if is_long {
                seen.insert(*part);
            }
        }
    }
    Some(distinct)
}
