//! Which kept conditions a guess breaks.

use super::Guess;
use crate::graph::{Condition, Formula, Graph, Node, NodeId};

/// If a result is made of at most this many parts, their values are chosen so that it is not too
/// large.
const FEW_PARTS: usize = 6;

impl Guess<'_, '_> {
    /// A condition that the guess breaks. Of those that were kept it is the newest: an older one
    /// says the same in less detail, and splitting it would give the same cases again.
    pub(crate) fn broken(&mut self, kept_for_good: usize) -> Option<Condition> {
        let kept = self.broken_kept(kept_for_good);
        kept.or_else(|| self.clashes.pop())
    }

    fn broken_kept(&mut self, kept_for_good: usize) -> Option<Condition> {
        (0..self.known.store.kept.len()).rev().find_map(|index| {
            let condition = self.known.store.kept.get(index).copied()?;
            let was_assumed = index < kept_for_good;
            // It is cheaper to compute a sum of many parts from one that is known already than to
            // compare all of its parts.
            let is_sum = matches!(self.known.graph.formula(condition), Formula::TooLarge(..));
            if was_assumed && !is_sum && self.is_as_in_parent(condition) {
                return None;
            }
            (self.holds(condition) != Some(true)).then_some(condition)
        })
    }

    /// Whether an assumed condition must hold because the guess has the parent's values in all
    /// places that the condition is about.
    fn is_as_in_parent(&mut self, condition: Condition) -> bool {
        if !self.parent.keeps_conditions {
            return false;
        }
        let parts = self.known.parts_of(condition);
        let is_as_in_parent = parts.iter().all(|part| {
            let wanted = self.wanted(*part);
            let resolved = self.known.resolve(*part);
            wanted.is_some() && self.value_of_resolved(resolved) == wanted
        });
        self.parent.kept += u64::from(is_as_in_parent);
        is_as_in_parent
    }

    pub(super) fn sort_kept(&mut self) {
        for index in 0..self.known.store.kept.len() {
            let Some(condition) = self.known.store.kept.get(index).copied() else {
                break;
            };
            for node in compared(self.known.graph, condition).unwrap_or_default() {
                let node = self.known.resolve(node);
                if self.known.graph.is_part(node) {
                    self.kept.entry(node).or_default().push(condition);
                }
            }
        }
    }
}

/// The values that a condition compares, if single values can be checked against it.
pub(super) fn compared(graph: &Graph, condition: Condition) -> Option<Vec<NodeId>> {
    Some(match *graph.formula(condition) {
        Formula::Equal(left, right)
        | Formula::Same(left, right)
        | Formula::Less(left, right)
        | Formula::Before(left, right) => vec![left, right],
        Formula::Member(_, node) => vec![node],
        Formula::TooLarge(_, left, right) => few_parts(graph, left, right)?,
        Formula::True
        | Formula::All(_)
        | Formula::Kind(..)
        | Formula::Arity(..)
        | Formula::FunArity(..)
        | Formula::ProperList(_)
        | Formula::HasKey(..)
        | Formula::Fields(..)
        | Formula::Utf8(..) => return None,
    })
}

/// The parts of the input that a result is made of; `None` if there are too many.
fn few_parts(graph: &Graph, left: NodeId, right: NodeId) -> Option<Vec<NodeId>> {
    let mut parts = Vec::new();
    let mut open = vec![left, right];
    while let Some(node) = open.pop() {
        if let Node::Arithmetic(_, left, right) = *graph.node(node) {
            open.extend([left, right]);
        } else if let Node::Rounded(_, number) = *graph.node(node) {
            open.push(number);
        } else if graph.is_part(node) {
            parts.push(node);
        } else if graph.is_symbolic(node) {
            return None;
        }
        if parts.len() + open.len() > FEW_PARTS {
            return None;
        }
    }
    Some(parts)
}
