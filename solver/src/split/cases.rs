//! The cases of a condition.

use super::{Case, Split};
use crate::graph::{Condition, Formula, Graph, Kinds, NodeId};

impl Split<'_, '_> {
    /// The cases of a condition: if it holds, one of them does.
    pub(crate) fn cases(&mut self, condition: Condition) -> Vec<Case> {
        let cases = self.split_few_values(condition);
        cases.unwrap_or_else(|| self.cases_by_structure(condition))
    }

    /// The same, by what the condition consists of.
    pub(super) fn cases_by_structure(&mut self, condition: Condition) -> Vec<Case> {
        if condition.is_negated()
            && let Formula::All(parts) = self.known.graph.formula(condition).clone()
        {
            let mut cases = split_disjunction(&parts);
            // Numbers that are too large are strange inputs, so they are tried last.
            cases.sort_by_key(|case| {
                case.last()
                    .is_some_and(|it| self.known.graph.wants_too_large(*it))
            });
            return cases;
        }
        if let Some(cases) = self.split_too_large(condition) {
            return cases;
        }
        if self.says_more_now(condition) {
            return vec![vec![condition]];
        }
        if let Formula::Utf8(from, node) = *self.known.graph.formula(condition)
            && !condition.is_negated()
        {
            return self.known.graph.utf8_cases(from, node);
        }
        if let Some(cases) = self.split_member(condition) {
            return cases;
        }
        if let Some(cases) = self.split_keys(condition) {
            return cases;
        }
        if let Some(cases) = self.split_maps(condition) {
            return cases;
        }
        if let Some(simpler) = self.by_structure(condition) {
            return vec![vec![simpler]];
        }
        for node in self.open_nodes(condition) {
            if let Some(cases) = self.split_node(node) {
                let with_condition = |case| vec![case, condition];
                return cases.into_iter().map(with_condition).collect();
            }
        }
        if let Some(cases) = self.split_zeros(condition) {
            return cases;
        }
        self.split_numbers(condition)
    }

    /// The cases of a kept condition that says which of some values a number of the condition is.
    /// Where zeros are different, `X == 0` is such a condition, and Z3 does not know their signs.
    fn split_zeros(&mut self, condition: Condition) -> Option<Vec<Case>> {
        if !self.known.graph.tells_zeros_apart() {
            return None;
        }
        let numbers = self.known.parts_of(condition);
        for index in 0..self.known.store.kept.len() {
            let kept = self.known.store.kept.get(index).copied()?;
            let Some(values) = self.values_in(kept) else {
                continue;
            };
            let own = self.known.parts_of(kept);
            if own.iter().any(|it| numbers.contains(it)) && self.known.status(kept).is_none() {
                let cases = split_disjunction(&values).into_iter();
                let with_condition = |case: Case| case.into_iter().chain([condition]).collect();
                return Some(cases.map(with_condition).collect());
            }
        }
        None
    }

    /// The parts of a condition that says that a value is one of some others.
    fn values_in(&self, condition: Condition) -> Option<Vec<Condition>> {
        let graph = &*self.known.graph;
        let Formula::All(parts) = graph.formula(condition) else {
            return None;
        };
        let is_value =
            |it: &Condition| it.is_negated() && matches!(graph.formula(*it), Formula::Equal(..));
        let is_one_of = condition.is_negated() && parts.iter().all(is_value);
        is_one_of.then(|| parts.to_vec())
    }

    /// Whether asserting a kept condition would do more than keep it again.
    fn says_more_now(&mut self, condition: Condition) -> bool {
        let mark = self.known.store.mark();
        let before = self.known.store.kept.len();
        let result = self.asserting().assert(condition);
        let is_same = self.known.store.kept.get(before..) == Some(&[condition]);
        self.known.store.undo(mark);
        result.is_err() || !is_same
    }

    /// The condition with parts of known shape written out.
    fn by_structure(&mut self, condition: Condition) -> Option<Condition> {
        type Compare = fn(&mut Graph, NodeId, NodeId) -> Condition;
        let formula = self.known.graph.formula(condition);
        let (compare, left, right): (Compare, _, _) = if let Formula::Equal(left, right) = *formula
        {
            (Graph::equal, left, right)
        } else if let Formula::Same(left, right) = *formula {
            (Graph::same, left, right)
        } else if let Formula::Less(left, right) = *formula {
            (Graph::less, left, right)
        } else {
            return None;
        };
        let (left, right) = (self.known.resolve(left), self.known.resolve(right));
        let shaped = (self.shaped(left), self.shaped(right));
        if shaped == (left, right) {
            return None;
        }
        let positive = compare(self.known.graph, shaped.0, shaped.1);
        Some(positive.signed_as(condition))
    }

    fn shaped(&mut self, node: NodeId) -> NodeId {
        if let Some(closed) = self.known.closed_bits(node) {
            return closed;
        }
        if !self.known.graph.is_part(node) {
            return node;
        }
        let part = self.known.store.part(node);
        match (part.kinds, part.arity) {
            (Kinds::CONS, _) => {
                let (head, tail) = (self.known.graph.head(node), self.known.graph.tail(node));
                self.known.graph.cons(head, tail)
            }
            (Kinds::TUPLE, Some(arity)) => {
                let elements: Vec<NodeId> = (0..arity)
                    .map(|index| self.known.graph.element(index, node))
                    .collect();
                self.known.graph.tuple(elements)
            }
            _ => node,
        }
    }
}

/// The cases in which not all of these hold: one does not hold, and those before it do. The last
/// one comes first, because changing it keeps most of the parent's input.
fn split_disjunction(parts: &[Condition]) -> Vec<Case> {
    (0..parts.len())
        .rev()
        .map(|index| {
            let before = parts.iter().take(index).copied();
            let last = parts.get(index).map(|part| !*part);
            before.chain(last).collect()
        })
        .collect()
}
