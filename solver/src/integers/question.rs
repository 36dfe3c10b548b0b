//! What the solver knows about integers, as a question.

use std::collections::HashSet;

use flattener::ast::deep;

use super::{Constraint, Linear, Problem, Product, Relation, Solution, to_i128};
use crate::graph::{Node, NodeId, Operator};
use crate::store::Index;
use crate::types::{LAST_CHARACTER, READABLE};
use crate::{Conflict, Solver};

/// What a question is put together from.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub(super) constraints: Vec<Constraint>,
    /// Quotients that constraints say what they are.
    pub(super) quotients: HashSet<NodeId>,
    /// The parts of the input in it.
    parts: Vec<NodeId>,
    products: Vec<Product>,
}

impl Solver<'_> {
    /// Values for all integers that are related to others or bounded.
    pub(crate) fn guess_integers(&mut self) -> Result<Index<i128>, Conflict> {
        let mut draft = Draft::default();
        for index in 0..self.store.constraints.len() {
            let Some(constraint) = self.store.constraints.get(index).cloned() else {
                break;
            };
            if self.draft_constraint(&constraint, &mut draft)?.is_none() {
                self.gave_up = true;
                return Err(Conflict);
            }
        }
        if draft.constraints.is_empty() {
            return Ok(Index::default());
        }
        draft.parts.sort_unstable();
        draft.parts.dedup();
        for part in &draft.parts {
            match *self.graph.node(*part) {
                Node::MapSize(map) => self.limit_map_size(*part, map, &mut draft.constraints),
                _ => self.exclude_integers(*part, &mut draft.constraints),
            }
        }
        self.solve_integers(draft)
    }

    fn solve_integers(&mut self, mut draft: Draft) -> Result<Index<i128>, Conflict> {
        let characters: HashSet<NodeId> = draft.constraints.iter().filter_map(character).collect();
        let mut variables: Vec<(NodeId, i128)> = Vec::with_capacity(draft.parts.len());
        for part in &draft.parts {
            let otherwise = if characters.contains(part) || self.graph.is_byte(*part) {
                READABLE
            } else {
                0
            };
            let wanted = self.wanted_integer(*part).unwrap_or(otherwise.into());
            variables.push((*part, wanted));
        }
        let mut kept = Index::default();
        if self.limits.shortcuts.parent_values && draft.products.is_empty() {
            kept = keep_wanted(&mut draft.constraints, &mut variables);
            self.savings.parent_values += kept.len() as u64;
        }
        if draft.constraints.is_empty() {
            return Ok(kept);
        }
        let problem = Problem {
            constraints: &draft.constraints,
            variables: &variables,
            products: &draft.products,
        };
        match self.integers.solve(&problem, &self.patience) {
            Solution::Values(values) => {
                let nodes = variables.iter().map(|it| it.0);
                kept.extend(nodes.zip(values));
                Ok(kept)
            }
            Solution::None => Err(Conflict),
            Solution::Unknown => {
                self.gave_up = true;
                Err(Conflict)
            }
        }
    }

    /// `None` if it cannot be written as a sum.
    fn draft_constraint(
        &mut self,
        constraint: &Constraint,
        draft: &mut Draft,
    ) -> Result<Option<()>, Conflict> {
        let Some(constraint) = self.refreshed(constraint) else {
            return Ok(None);
        };
        match constraint.constant() {
            Some(true) => return Ok(Some(())),
            Some(false) => return Err(Conflict),
            None => {}
        }
        let first = draft.constraints.len();
        let Some(linear) = self.without_quotients(&constraint.linear, draft) else {
            return Ok(None);
        };
        let relation = constraint.relation;
        draft.constraints.push(Constraint { linear, relation });
        for index in first..draft.constraints.len() {
            let Some(linear) = draft.constraints.get(index).map(|it| it.linear.clone()) else {
                break;
            };
            if self.draft_terms(&linear, draft).is_none() {
                return Ok(None);
            }
        }
        Ok(Some(()))
    }

    /// Takes in what the terms of a sum are, and what these are made of before them.
    fn draft_terms(&mut self, linear: &Linear, draft: &mut Draft) -> Option<()> {
        for (node, _) in &linear.terms {
            match *self.graph.node(*node) {
                Node::Arithmetic(operator, left, right) if !draft.quotients.contains(node) => {
                    if draft.products.iter().any(|it| it.node == *node) {
                        continue;
                    }
                    let (left, right) = (self.linear(left)?, self.linear(right)?);
                    deep(|| self.draft_terms(&left, draft))?;
                    deep(|| self.draft_terms(&right, draft))?;
                    draft.products.push(Product {
                        node: *node,
                        operator,
                        left,
                        right,
                    });
                }
                _ => draft.parts.push(*node),
            }
        }
        Some(())
    }

    fn exclude_integers(&self, part: NodeId, constraints: &mut Vec<Constraint>) {
        if !self.graph.is_part(part) {
            return;
        }
        for excluded in &self.store.part(part).not {
            if let Node::Integer(value) = self.graph.node(*excluded)
                && let Some(value) = to_i128(value)
            {
                constraints.push(Constraint {
                    linear: Linear {
                        terms: vec![(part, 1)],
                        constant: -value,
                    },
                    relation: Relation::Different,
                });
            }
        }
    }

    fn wanted_integer(&mut self, part: NodeId) -> Option<i128> {
        if let Node::Arithmetic(Operator::Modulo, left, right) = *self.graph.node(part) {
            // It stands for the quotient.
            let (left, right) = (self.wanted_integer(left)?, self.wanted_integer(right)?);
            return left.checked_div_euclid(right);
        }
        let wanted = self.wanted(part)?;
        match self.graph.node(wanted) {
            Node::Integer(value) => to_i128(value),
            _ => None,
        }
    }
}

/// The part that a constraint says to be no larger than the last character.
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

/// Takes those variables out, with their constraints, that can keep the values they should have:
/// no constraint that these values break has anything to do with them.
fn keep_wanted(
    constraints: &mut Vec<Constraint>,
    variables: &mut Vec<(NodeId, i128)>,
) -> Index<i128> {
    let wanted: Index<i128> = variables.iter().copied().collect();
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

fn is_fulfilled(constraint: &Constraint, values: &Index<i128>) -> bool {
    let mut terms = constraint.linear.terms.iter();
    let sum = terms.try_fold(constraint.linear.constant, |sum, (node, coefficient)| {
        sum.checked_add(values.get(node)?.checked_mul(*coefficient)?)
    });
    sum.is_some_and(|sum| constraint.relation.holds(sum))
}
