//! Sums of integers, and their relation to 0.

use crate::graph::NodeId;

/// `Σ coefficient · node + constant`. The nodes are integers: parts of the input, or products and
/// quotients that are not linear.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Linear {
    /// Each node once, in the order of their numbers; no coefficient is 0.
    pub terms: Vec<(NodeId, i128)>,
    /// The constant part.
    pub constant: i128,
}

impl Linear {
    pub(crate) fn constant(constant: i128) -> Self {
        Self {
            terms: Vec::new(),
            constant,
        }
    }

    pub(crate) fn node(node: NodeId) -> Self {
        Self {
            terms: vec![(node, 1)],
            constant: 0,
        }
    }

    pub(crate) fn scaled(mut self, factor: i128) -> Option<Self> {
        for term in &mut self.terms {
            term.1 = term.1.checked_mul(factor)?;
        }
        self.constant = self.constant.checked_mul(factor)?;
        self.terms.retain(|term| term.1 != 0);
        Some(self)
    }

    pub(crate) fn plus(mut self, other: &Self) -> Option<Self> {
        for (node, coefficient) in &other.terms {
            match self.terms.binary_search_by_key(node, |term| term.0) {
                Ok(index) => {
                    let term = self.terms.get_mut(index)?;
                    term.1 = term.1.checked_add(*coefficient)?;
                }
                Err(index) => self.terms.insert(index, (*node, *coefficient)),
            }
        }
        self.terms.retain(|term| term.1 != 0);
        self.constant = self.constant.checked_add(other.constant)?;
        Some(self)
    }

    pub(crate) fn minus(self, other: Self) -> Option<Self> {
        self.plus(&other.scaled(-1)?)
    }
}

/// How a sum is related to 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// It is 0.
    Equal,
    /// It is not 0.
    Different,
    /// It is less than 0.
    Less,
    /// It is at most 0.
    AtMost,
}

impl Relation {
    /// Whether a value is related to 0 in this way.
    pub fn holds(self, value: i128) -> bool {
        match self {
            Self::Equal => value == 0,
            Self::Different => value != 0,
            Self::Less => value < 0,
            Self::AtMost => value <= 0,
        }
    }
}

/// A sum related to 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constraint {
    /// The sum.
    pub linear: Linear,
    /// How it is related to 0.
    pub relation: Relation,
}

impl Constraint {
    /// Whether it holds, if it does not depend on the input.
    pub fn constant(&self) -> Option<bool> {
        self.linear
            .terms
            .is_empty()
            .then(|| self.relation.holds(self.linear.constant))
    }
}
