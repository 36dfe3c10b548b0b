//! Questions about integers.

use std::collections::HashMap;

use super::linear::{Constraint, Linear};
use crate::graph::{NodeId, Operator};
use crate::patience::Patience;

/// A product, quotient or other combination of sums that is not a sum itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Product {
    /// The node that stands for it in sums.
    pub node: NodeId,
    /// The operation.
    pub operator: Operator,
    /// Its left side.
    pub left: Linear,
    /// Its right side.
    pub right: Linear,
}

/// A question about integers.
#[derive(Debug)]
pub struct Problem<'query> {
    /// What has to hold.
    pub constraints: &'query [Constraint],
    /// The parts of the input in them, with the values they should have if possible.
    pub variables: &'query [(NodeId, i128)],
    /// The other nodes in them, each after the nodes that it is made of.
    pub products: &'query [Product],
}

impl Problem<'_> {
    /// A key for a cache. Questions that differ only in their parts of the input have the same key.
    pub(super) fn key(&self) -> Vec<i128> {
        let variables = self.variables.iter().map(|it| it.0);
        let products = self.products.iter().map(|it| it.node);
        let numbers: HashMap<NodeId, i128> = variables.chain(products).zip(0..).collect();
        let mut key: Vec<i128> = self.variables.iter().map(|it| it.1).collect();
        let mut add = |tag: i128, linear: &Linear| {
            key.extend([tag, linear.constant, linear.terms.len() as i128]);
            for (node, coefficient) in &linear.terms {
                key.extend([numbers.get(node).copied().unwrap_or(-1), *coefficient]);
            }
        };
        for product in self.products {
            add(-1 - product.operator as i128, &product.left);
            add(-1, &product.right);
        }
        for constraint in self.constraints {
            add(constraint.relation as i128, &constraint.linear);
        }
        key
    }
}

/// The answer to a question about integers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Solution {
    /// The values of the variables, in their order.
    Values(Vec<i128>),
    /// There are none.
    None,
    /// It is not known.
    Unknown,
}

impl Solution {
    /// Another solution, if this one is unknown.
    pub(super) fn or_else(self, otherwise: impl FnOnce() -> Self) -> Self {
        match self {
            Self::Unknown => otherwise(),
            known @ (Self::Values(_) | Self::None) => known,
        }
    }
}

/// Solves constraints between integers.
pub trait Integers {
    /// Answers a question, as long as there is time.
    fn solve(&mut self, problem: &Problem<'_>, patience: &Patience<'_>) -> Solution;

    /// How many questions were too hard for it and handed on to another solver.
    fn asked_elsewhere(&self) -> u64 {
        0
    }

    /// How many questions were answered from a cache.
    fn cached(&self) -> u64 {
        0
    }
}
