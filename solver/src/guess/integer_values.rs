//! Values for integers that are related to others or bounded.

use std::collections::HashSet;

use super::integer_draft::Draft;
use super::parent::Parent;
use crate::conflict::Conflict;
use crate::graph::NodeId;
use crate::integers::{Constraint, Integers, Problem, Relation, Solution, with_sums};
use crate::known::Known;
use crate::store::NodeMap;
use crate::types::{LAST_CHARACTER, READABLE};

/// Values for all integers that are related to others or bounded.
pub(crate) fn integer_values(
    known: &mut Known<'_>,
    parent: &mut Parent,
    integers: &mut dyn Integers,
) -> Result<NodeMap<i128>, Conflict> {
    let mut draft = Draft::default();
    for index in 0..known.store.constraints.len() {
        let Some(constraint) = known.store.constraints.get(index).cloned() else {
            break;
        };
        if draft.add(known, &constraint)?.is_none() {
            return Err(known.give_up());
        }
    }
    if draft.constraints.is_empty() {
        return Ok(NodeMap::default());
    }
    draft.limit_parts(known);
    solve(draft, known, parent, integers)
}

pub(super) fn solve(
    mut draft: Draft,
    known: &mut Known<'_>,
    parent: &mut Parent,
    integers: &mut dyn Integers,
) -> Result<NodeMap<i128>, Conflict> {
    let mut variables = wanted_values(&draft, known, parent);
    let mut kept = NodeMap::default();
    if parent.keeps_integers && draft.products.is_empty() {
        kept = keep_wanted(&mut draft.constraints, &mut variables);
        parent.kept += kept.len() as u64;
    }
    if draft.constraints.is_empty() {
        return Ok(kept);
    }
    let problem = Problem {
        constraints: &draft.constraints,
        variables: &variables,
        products: &draft.products,
    };
    let sums = with_sums(&problem);
    let problem = match &sums {
        Some((constraints, products)) => Problem {
            constraints,
            products,
            ..problem
        },
        None => problem,
    };
    match integers.solve(&problem, &known.effort.patience) {
        Solution::Values(values) => {
            let nodes = variables.iter().map(|it| it.0);
            kept.extend(nodes.zip(values));
            Ok(kept)
        }
        Solution::None => Err(Conflict),
        Solution::Unknown => Err(known.give_up()),
    }
}

/// The parts of a question, with the values that they should have if possible.
fn wanted_values(draft: &Draft, known: &mut Known<'_>, parent: &mut Parent) -> Vec<(NodeId, i128)> {
    let characters: HashSet<NodeId> = draft.constraints.iter().filter_map(character).collect();
    let mut variables = Vec::with_capacity(draft.parts.len());
    for part in &draft.parts {
        let otherwise = if characters.contains(part) || known.graph.node(*part).is_byte() {
            READABLE
        } else {
            0
        };
        let wanted = parent.wanted_integer(known.graph, *part);
        variables.push((*part, wanted.unwrap_or(otherwise.into())));
    }
    variables
}

/// The part that a constraint limits to the last character.
fn character(constraint: &Constraint) -> Option<NodeId> {
    let Constraint { linear, relation } = constraint;
    match linear.terms.as_slice() {
        [(part, 1)] => {
            let is_bound = linear.constant == -i128::from(LAST_CHARACTER);
            (is_bound && *relation == Relation::AtMost).then_some(*part)
        }
        _ => None,
    }
}

/// Removes the variables that can keep their wanted values, with their constraints: no broken
/// constraint is connected to them.
fn keep_wanted(
    constraints: &mut Vec<Constraint>,
    variables: &mut Vec<(NodeId, i128)>,
) -> NodeMap<i128> {
    let wanted: NodeMap<i128> = variables.iter().copied().collect();
    let mut touched: HashSet<NodeId> = HashSet::new();
    let (mut open, mut fulfilled): (Vec<Constraint>, Vec<Constraint>) = constraints
        .drain(..)
        .partition(|constraint| !is_fulfilled(constraint, &wanted));
    let mut new = open.len();
    // Constraints that share a variable with an open one become open, and so on.
    while new > 0 {
        let nodes = open.iter().rev().take(new);
        let nodes = nodes.flat_map(|constraint| constraint.linear.terms.iter());
        touched.extend(nodes.map(|term| term.0));
        let before = open.len();
        let (more, rest): (Vec<_>, Vec<_>) = fulfilled.into_iter().partition(|constraint| {
            let mut terms = constraint.linear.terms.iter();
            terms.any(|term| touched.contains(&term.0))
        });
        open.extend(more);
        fulfilled = rest;
        new = open.len() - before;
    }
    *constraints = open;
    let (left, kept) = variables.drain(..).partition(|it| touched.contains(&it.0));
    *variables = left;
    kept.into_iter().collect()
}

fn is_fulfilled(constraint: &Constraint, values: &NodeMap<i128>) -> bool {
    let mut terms = constraint.linear.terms.iter();
    let sum = terms.try_fold(constraint.linear.constant, |sum, (node, coefficient)| {
        sum.checked_add(values.get(node)?.checked_mul(*coefficient)?)
    });
    sum.is_some_and(|sum| constraint.relation.holds(sum))
}
