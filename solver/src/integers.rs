//! Constraints between integers: sums of parts of the input with coefficients.

mod bit_vectors;
mod bits;
mod intervals;
mod low_bits;
mod native;
mod question;
mod quotients;
mod trying;
mod z3;

use erlang_term::Integer;
use std::collections::HashMap;

use flattener::ast::deep;
use num_traits::ToPrimitive;

use super::{Patience, Solver};
use crate::graph::{Kinds, Node, NodeId, Operator};

pub(super) use self::bits::{Side, number, with_constant};
pub(super) use self::z3::computed;
pub use self::z3::{Z3Integers, z3_version};
pub use native::NativeIntegers;

/// `Σ coefficient · node + constant`. The nodes are integers: parts of the input, or products and
/// quotients that are not linear.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Linear {
    /// Each node once, in the order of their numbers; no coefficient is 0.
    pub terms: Vec<(NodeId, i128)>,
    /// What is added.
    pub constant: i128,
}

impl Linear {
    fn constant(constant: i128) -> Self {
        Self {
            terms: Vec::new(),
            constant,
        }
    }

    pub(super) fn node(node: NodeId) -> Self {
        Self {
            terms: vec![(node, 1)],
            constant: 0,
        }
    }

    fn scaled(mut self, factor: i128) -> Option<Self> {
        for term in &mut self.terms {
            term.1 = term.1.checked_mul(factor)?;
        }
        self.constant = self.constant.checked_mul(factor)?;
        self.terms.retain(|term| term.1 != 0);
        Some(self)
    }

    fn plus(mut self, other: &Self) -> Option<Self> {
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

    fn minus(self, other: Self) -> Option<Self> {
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
    /// Whether it holds, if it says nothing about the input.
    pub fn constant(&self) -> Option<bool> {
        self.linear
            .terms
            .is_empty()
            .then(|| self.relation.holds(self.linear.constant))
    }
}

/// A product, quotient or other combination of sums that is no sum itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Product {
    /// What stands for it in sums.
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
    /// The other nodes in them, each behind those that it is made of.
    pub products: &'query [Product],
}

impl Problem<'_> {
    /// Numbers that are the same for questions that have the same answer, whichever parts of the
    /// input they are about.
    fn key(&self) -> Vec<i128> {
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

/// What came out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Solution {
    /// The values of the variables, in their order.
    Values(Vec<i128>),
    /// There are none.
    None,
    /// It could not be found out.
    Unknown,
}

impl Solution {
    /// What is found otherwise, if it could not be found out.
    fn or_else(self, otherwise: impl FnOnce() -> Self) -> Self {
        match self {
            Self::Unknown => otherwise(),
            known => known,
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

    /// How many questions were answered before.
    fn cached(&self) -> u64 {
        0
    }
}

/// Constants beyond this are not reasoned about, so that sums of some of them do not overflow.
const LARGEST: i128 = 1 << 120;

/// The value of an integer that is not too large.
fn to_i128(value: &Integer) -> Option<i128> {
    let value = match value {
        Integer::Small(value) => i128::from(*value),
        Integer::Big(value) => value.to_i128()?,
    };
    (value.abs() <= LARGEST).then_some(value)
}

/// The value of an operation on two integers; `None` if it has none, or is too large.
fn exact(operator: Operator, left: i128, right: i128) -> Option<i128> {
    match operator {
        Operator::Add => left.checked_add(right),
        Operator::Subtract => left.checked_sub(right),
        Operator::Multiply => left.checked_mul(right),
        Operator::Divide => left.checked_div(right),
        Operator::Remainder => left.checked_rem(right),
        Operator::Modulo => left.checked_rem_euclid(right),
        Operator::And => Some(left & right),
        Operator::Or => Some(left | right),
        Operator::Xor => Some(left ^ right),
        Operator::ShiftLeft => shifted(left, right),
        Operator::ShiftRight => shifted(left, right.checked_neg()?),
        Operator::Quotient => None,
    }
}

/// An integer moved to the left by so many bits, or to the right.
fn shifted(value: i128, by: i128) -> Option<i128> {
    if by < 0 {
        let by = u32::try_from(by.unsigned_abs()).unwrap_or(u32::MAX);
        return Some(value >> by.min(i128::BITS - 1));
    }
    if value == 0 {
        return Some(0);
    }
    let by = u32::try_from(by).ok().filter(|by| *by < i128::BITS - 1)?;
    value.checked_mul(1 << by)
}

/// Whether a sum is a constant by which a shift to the left is a multiplication.
fn is_short(by: &Linear) -> bool {
    by.terms.is_empty() && (0..i128::from(i128::BITS) - 1).contains(&by.constant)
}

impl Solver<'_> {
    /// The difference of two integers as a sum; `None` if it contains what has to be split into
    /// cases first, or numbers that are too large.
    pub(super) fn linear_difference(&mut self, left: NodeId, right: NodeId) -> Option<Linear> {
        let left = self.linear(left)?;
        left.minus(self.linear(right)?)
    }

    pub(super) fn linear(&mut self, node: NodeId) -> Option<Linear> {
        if self.ends() {
            return None;
        }
        let node = self.resolve(node);
        if let Some(known) = self.store.known_sum(node) {
            return Some(known.clone());
        }
        let linear = self.new_linear(node)?;
        self.store.keep_sum(node, linear.clone());
        Some(linear)
    }

    fn new_linear(&mut self, node: NodeId) -> Option<Linear> {
        match *self.graph.node(node) {
            Node::Integer(ref value) => Some(Linear::constant(to_i128(value)?)),
            Node::Arithmetic(operator, left, right) => {
                let left = deep(|| self.linear(left))?;
                let right = deep(|| self.linear(right))?;
                self.combine(operator, left, right, node)
            }
            Node::Rounded(_, number) => {
                let number = self.resolve(number);
                if self.kinds(number) == Kinds::INTEGER {
                    deep(|| self.linear(number))
                } else {
                    None
                }
            }
            Node::Length(list) => self.linear_length(list),
            Node::TupleSize(tuple) => {
                let tuple = self.resolve(tuple);
                let size = self.known_arity(tuple)?;
                Some(Linear::constant(size.into()))
            }
            Node::MapSize(map) => self.linear_map_size(node, map),
            Node::Input(_) | Node::Part(..) => {
                (self.kinds(node) == Kinds::INTEGER).then(|| Linear::node(node))
            }
            Node::Choice(condition, yes, no) => {
                let holds = self.status_of_choice(condition)?;
                deep(|| self.linear(if holds { yes } else { no }))
            }
            _ => None,
        }
    }

    fn combine(
        &mut self,
        operator: Operator,
        left: Linear,
        right: Linear,
        node: NodeId,
    ) -> Option<Linear> {
        match operator {
            Operator::Add => left.plus(&right),
            Operator::Subtract => left.minus(right),
            Operator::Multiply if left.terms.is_empty() => right.scaled(left.constant),
            Operator::Multiply if right.terms.is_empty() => left.scaled(right.constant),
            Operator::ShiftLeft if is_short(&right) => left.scaled(1 << right.constant),
            _ if left.terms.is_empty() && right.terms.is_empty() => {
                let value = exact(operator, left.constant, right.constant)?;
                Some(Linear::constant(value))
            }
            Operator::Quotient => None,
            _ => Some(Linear::node(node)),
        }
    }

    fn linear_length(&mut self, list: NodeId) -> Option<Linear> {
        let (count, end) = self.known_cells(list);
        (self.kinds(end) == Kinds::NIL).then(|| Linear::constant(count))
    }

    /// The constraint with what its parts are bound to by now.
    pub(super) fn refreshed(&mut self, constraint: &Constraint) -> Option<Constraint> {
        let mut linear = Linear::constant(constraint.linear.constant);
        for (node, coefficient) in &constraint.linear.terms {
            let term = self.linear(*node)?.scaled(*coefficient)?;
            linear = linear.plus(&term)?;
        }
        Some(Constraint {
            linear,
            relation: constraint.relation,
        })
    }
}
