//! The conditions and constraints that are about integers with few values, and about each other's.

use super::columns::Columns;
use super::few_values::FewValues;
use crate::graph::{Condition, Node, NodeId};
use crate::integers::Constraint;
use crate::known::Known;

/// Conditions on more integers are left out.
const MOST_PARTS: usize = 3;
/// More integers are not looked at together.
const MOST_TOGETHER: usize = 12;

/// What has to hold.
enum Claim {
    Condition(Condition),
    Sum(Constraint),
}

/// Something that has to hold, with the integers that it is about.
pub(super) struct Check {
    claim: Claim,
    pub(super) parts: Vec<NodeId>,
}

impl Check {
    /// Whether it does not hold, for each value of a part.
    pub(super) fn broken(&self, known: &mut Known<'_>, columns: &mut Columns) -> Vec<bool> {
        match &self.claim {
            Claim::Condition(condition) => columns.broken(known, *condition),
            Claim::Sum(constraint) => columns.broken_sum(known, constraint),
        }
    }
}

/// Checks that share integers.
pub(super) struct LinkedChecks {
    pub(super) parts: Vec<NodeId>,
    pub(super) checks: Vec<Check>,
}

impl LinkedChecks {
    /// A condition and what shares integers with it; `None` if it is about something else, too.
    pub(super) fn of(known: &mut Known<'_>, few: &FewValues, condition: Condition) -> Option<Self> {
        let parts = few_parts(known, few, condition)?;
        let mut linked = Self {
            parts,
            checks: Vec::new(),
        };
        let mut others = all_checks(known, few);
        loop {
            let before = others.len();
            let mut left = Vec::new();
            for check in others {
                if linked.shares(&check) {
                    linked.add(check);
                } else {
                    left.push(check);
                }
            }
            others = left;
            if others.len() == before {
                return Some(linked);
            }
        }
    }

    fn shares(&self, check: &Check) -> bool {
        check.parts.iter().any(|it| self.parts.contains(it))
    }

    fn add(&mut self, check: Check) {
        let new = check.parts.iter().filter(|it| !self.parts.contains(it));
        let new: Vec<NodeId> = new.copied().collect();
        if self.parts.len() + new.len() <= MOST_TOGETHER {
            self.parts.extend(new);
            self.checks.push(check);
        }
    }
}

/// All checks that are about few integers with few values, and nothing else.
fn all_checks(known: &mut Known<'_>, few: &FewValues) -> Vec<Check> {
    let mut checks = Vec::new();
    for index in 0..known.store.kept.len() {
        let kept = known.store.kept.get(index).copied();
        let Some(condition) = kept else { break };
        if let Some(parts) = few_parts(known, few, condition) {
            let claim = Claim::Condition(condition);
            checks.push(Check { claim, parts });
        }
    }
    for index in 0..known.store.constraints.len() {
        let constraint = known.store.constraints.get(index).cloned();
        let Some(constraint) = constraint else { break };
        if let Some(parts) = few_parts_of_sum(known, few, &constraint) {
            let claim = Claim::Sum(constraint);
            checks.push(Check { claim, parts });
        }
    }
    checks
}

/// The integers that a condition is about; `None` if there are none, too many, or others.
fn few_parts(known: &mut Known<'_>, few: &FewValues, condition: Condition) -> Option<Vec<NodeId>> {
    let parts = known.parts_of(condition);
    let mut found = Vec::new();
    for part in &*parts {
        add_part(known, few, *part, &mut found)?;
    }
    (!found.is_empty()).then_some(found)
}

fn few_parts_of_sum(
    known: &mut Known<'_>,
    few: &FewValues,
    constraint: &Constraint,
) -> Option<Vec<NodeId>> {
    let mut found = Vec::new();
    let mut open: Vec<NodeId> = constraint.linear.terms.iter().map(|it| it.0).collect();
    while let Some(node) = open.pop() {
        if let Node::Arithmetic(_, left, right) = *known.graph.node(node) {
            open.extend([left, right]);
        } else if known.graph.is_part(node) {
            add_part(known, few, node, &mut found)?;
        } else if !known.graph.is_ground(node) {
            return None;
        }
    }
    (!found.is_empty()).then_some(found)
}

/// Adds a part of the input, unless it has a value; `None` if it may have many values.
fn add_part(
    known: &mut Known<'_>,
    few: &FewValues,
    part: NodeId,
    found: &mut Vec<NodeId>,
) -> Option<()> {
    let part = known.resolve(part);
    if known.graph.is_ground(part) {
        return Some(());
    }
    if !few.has(known, part) {
        return None;
    }
    if !found.contains(&part) {
        found.push(part);
    }
    (found.len() <= MOST_PARTS).then_some(())
}
