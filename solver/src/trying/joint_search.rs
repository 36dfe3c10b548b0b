//! A search for values of a few integers that share conditions.
//!
//! First each integer loses the values that break a condition on it alone. Then one after the other
//! gets a value, and as soon as a condition has only one integer left without, that one loses
//! values.

use std::collections::HashMap;

use super::columns::Columns;
use super::few_values::FewValues;
use super::linked_checks::{Check, LinkedChecks};
use crate::graph::{Condition, Node, NodeId};
use crate::guess::Parent;
use crate::known::Known;

/// How many values are given to integers, at most.
const MOST_STEPS: usize = 2_000;

/// What trying all values has shown.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Tried {
    /// No values fulfil everything.
    None,
    /// Some may.
    Found {
        /// Values that fulfil all that is only about these integers.
        together: Vec<(NodeId, NodeId)>,
        /// One of the integers, and all values that it may have; those nearest to the wanted one
        /// come first.
        single: (NodeId, Vec<NodeId>),
    },
}

/// Tries values for the integers of a condition; `None` if that says nothing.
pub(crate) fn try_values(
    known: &mut Known<'_>,
    parent: &mut Parent,
    condition: Condition,
) -> Option<Tried> {
    let few = FewValues::new(known);
    let linked = LinkedChecks::of(known, &few, condition)?;
    let mut search = JointSearch::new(known, parent, &few, linked);
    if !search.filter_each(known) {
        return Some(Tried::None);
    }
    search.sort();
    let single = search.domains.first()?;
    let single = (single.part, single.values());
    let mut chosen = Vec::new();
    match search.choose(known, &mut chosen) {
        Some(true) => Some(Tried::Found {
            together: chosen,
            single,
        }),
        Some(false) => Some(Tried::None),
        None => None,
    }
}

/// The values of an integer that are left.
struct Domain {
    part: NodeId,
    rows: Vec<NodeId>,
    is_left: Vec<bool>,
    columns: Columns,
}

impl Domain {
    fn values(&self) -> Vec<NodeId> {
        let rows = self.rows.iter().zip(&self.is_left);
        rows.filter(|it| *it.1).map(|it| *it.0).collect()
    }

    fn count(&self) -> usize {
        self.is_left.iter().filter(|it| **it).count()
    }

    /// Removes the values that break a check; `false` if none are left.
    fn filter(&mut self, known: &mut Known<'_>, check: &Check) -> bool {
        let broken = check.broken(known, &mut self.columns);
        for (is_left, is_broken) in self.is_left.iter_mut().zip(broken) {
            *is_left &= !is_broken;
        }
        self.is_left.contains(&true)
    }
}

struct JointSearch {
    domains: Vec<Domain>,
    checks: Vec<Check>,
    steps: usize,
}

impl JointSearch {
    fn new(
        known: &mut Known<'_>,
        parent: &mut Parent,
        few: &FewValues,
        linked: LinkedChecks,
    ) -> Self {
        let mut domains = Vec::with_capacity(linked.parts.len());
        for part in linked.parts {
            let mut values = few.of(known, part);
            let wanted = wanted(known, parent, part);
            values.sort_by_key(|value| value.abs_diff(wanted));
            let rows: Vec<NodeId> = values.iter().map(|it| known.graph.integer(*it)).collect();
            domains.push(Domain {
                part,
                is_left: vec![true; rows.len()],
                columns: Columns::new(part, &rows),
                rows,
            });
        }
        Self {
            domains,
            checks: linked.checks,
            steps: 0,
        }
    }

    /// Applies the checks on single integers; `false` if one has no values left.
    fn filter_each(&mut self, known: &mut Known<'_>) -> bool {
        for domain in &mut self.domains {
            if domain.rows.is_empty() {
                return false;
            }
            let part = domain.part;
            let own = self.checks.iter().filter(|it| *it.parts == [part]);
            for check in own {
                if !domain.filter(known, check) {
                    return false;
                }
            }
        }
        self.checks.retain(|it| it.parts.len() > 1);
        true
    }

    /// Integers with few values come first.
    fn sort(&mut self) {
        self.domains.sort_by_key(Domain::count);
        let places = self.domains.iter().map(|it| it.part).zip(0..);
        let places: HashMap<NodeId, usize> = places.collect();
        for check in &mut self.checks {
            check.parts.sort_by_key(|it| places.get(it).copied());
        }
    }

    /// Chooses values for the integers that have none; `None` if that takes too long.
    fn choose(
        &mut self,
        known: &mut Known<'_>,
        chosen: &mut Vec<(NodeId, NodeId)>,
    ) -> Option<bool> {
        let Some(domain) = self.domains.get(chosen.len()) else {
            return Some(true);
        };
        let part = domain.part;
        for value in domain.values() {
            self.steps += 1;
            if self.steps > MOST_STEPS || known.ends() || self.gave_up() {
                return None;
            }
            chosen.push((part, value));
            let before: Vec<Vec<bool>> = self.domains.iter().map(|it| it.is_left.clone()).collect();
            if self.propagate(known, chosen) && self.choose(known, chosen)? {
                return Some(true);
            }
            for (domain, before) in self.domains.iter_mut().zip(before) {
                domain.is_left = before;
            }
            chosen.pop();
        }
        Some(false)
    }

    fn gave_up(&self) -> bool {
        self.domains.iter().any(|it| it.columns.gave_up())
    }

    /// Applies the checks that have one integer left without a value, and the last one that got a
    /// value; `false` if an integer has no values left.
    fn propagate(&mut self, known: &mut Known<'_>, chosen: &[(NodeId, NodeId)]) -> bool {
        let Some((last, _)) = chosen.last() else {
            return true;
        };
        let (_, open) = self.domains.split_at_mut(chosen.len());
        for check in &self.checks {
            let is_next = check.parts.iter().rev().nth(1) == Some(last);
            let left = check.parts.last().filter(|_| is_next);
            let Some(domain) = open.iter_mut().find(|it| Some(&it.part) == left) else {
                continue;
            };
            for (part, value) in chosen {
                domain.columns.fix(*part, *value);
            }
            if !domain.filter(known, check) {
                return false;
            }
        }
        true
    }
}

/// The value that a part should have if possible.
fn wanted(known: &mut Known<'_>, parent: &mut Parent, part: NodeId) -> i64 {
    let wanted = parent.wanted(known.graph, part);
    let wanted = wanted.and_then(|it| {
        let Node::Integer(value) = known.graph.node(it) else {
            return None;
        };
        value.to_i64()
    });
    wanted.unwrap_or(0)
}
