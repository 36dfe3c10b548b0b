//! A question about integers, drafted from what is known.

use flattener::ast::deep;

use super::quotients::Quotients;
use crate::conflict::Conflict;
use crate::graph::{Node, NodeId};
use crate::integers::{Constraint, Linear, Product, Relation, to_i128};
use crate::known::Known;

/// The parts of a question about integers.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub(super) constraints: Vec<Constraint>,
    /// The parts of the input in it.
    pub(super) parts: Vec<NodeId>,
    pub(super) products: Vec<Product>,
    quotients: Quotients,
}

impl Draft {
    /// Adds a constraint; `None` if it cannot be written as a sum.
    pub(super) fn add(
        &mut self,
        known: &mut Known<'_>,
        constraint: &Constraint,
    ) -> Result<Option<()>, Conflict> {
        let Some(constraint) = known.refreshed(constraint) else {
            return Ok(None);
        };
        match constraint.constant() {
            Some(true) => return Ok(Some(())),
            Some(false) => return Err(Conflict),
            None => {}
        }
        let first = self.constraints.len();
        let Some(linear) = self.quotients.write_out(known, &constraint.linear) else {
            return Ok(None);
        };
        self.constraints.append(&mut self.quotients.constraints);
        let relation = constraint.relation;
        self.constraints.push(Constraint { linear, relation });
        for index in first..self.constraints.len() {
            let Some(linear) = self.constraints.get(index).map(|it| it.linear.clone()) else {
                break;
            };
            if self.add_terms(known, &linear).is_none() {
                return Ok(None);
            }
        }
        Ok(Some(()))
    }

    /// Adds the terms of a sum, each after the terms that it is made of.
    fn add_terms(&mut self, known: &mut Known<'_>, linear: &Linear) -> Option<()> {
        for (node, _) in &linear.terms {
            let Node::Arithmetic(operator, left, right) = *known.graph.node(*node) else {
                self.parts.push(*node);
                continue;
            };
            if self.quotients.contains(*node) {
                self.parts.push(*node);
                continue;
            }
            if self.products.iter().any(|it| it.node == *node) {
                continue;
            }
            let (left, right) = (known.linear(left)?, known.linear(right)?);
            deep(|| self.add_terms(known, &left))?;
            deep(|| self.add_terms(known, &right))?;
            self.products.push(Product {
                node: *node,
                operator,
                left,
                right,
            });
        }
        Some(())
    }

    /// Adds what is known about each part alone: excluded values, or the size of a map.
    pub(super) fn limit_parts(&mut self, known: &mut Known<'_>) {
        self.parts.sort_unstable();
        self.parts.dedup();
        for index in 0..self.parts.len() {
            let Some(part) = self.parts.get(index).copied() else {
                break;
            };
            if let Node::MapSize(map) = *known.graph.node(part) {
                self.limit_map_size(known, part, map);
            } else {
                self.exclude_integers(known, part);
            }
        }
    }

    fn exclude_integers(&mut self, known: &Known<'_>, part: NodeId) {
        if !known.graph.is_part(part) {
            return;
        }
        for excluded in &known.store.part(part).not {
            if let Node::Integer(value) = known.graph.node(*excluded)
                && let Some(value) = to_i128(value)
            {
                self.constraints.push(Constraint {
                    linear: Linear {
                        terms: vec![(part, 1)],
                        constant: -value,
                    },
                    relation: Relation::Different,
                });
            }
        }
    }

    /// A map has at least as many keys as are known, and at most as many as its type allows.
    fn limit_map_size(&mut self, known: &mut Known<'_>, size: NodeId, map: NodeId) {
        let part = known.store.part(map).clone();
        // Keys that are not known may be the same.
        let there = part.keys.iter().filter(|it| it.1);
        let mut keys: Vec<NodeId> = there.map(|it| known.resolve(it.0)).collect();
        let least = usize::from(!keys.is_empty());
        keys.retain(|it| known.graph.is_ground(*it));
        keys.sort_unstable();
        keys.dedup();
        self.constraints
            .push(map_bound(size, -1, keys.len().max(least) as i128));
        for fields in part.fields {
            let all_single = fields
                .iter()
                .all(|it| known.graph.single_key(*it).is_some());
            if all_single {
                self.constraints
                    .push(map_bound(size, 1, -(fields.len() as i128)));
            }
        }
    }
}

/// `coefficient · size + constant` is at most 0.
fn map_bound(size: NodeId, coefficient: i128, constant: i128) -> Constraint {
    Constraint {
        linear: Linear {
            terms: vec![(size, coefficient)],
            constant,
        },
        relation: Relation::AtMost,
    }
}
