//! Integers as sums of parts of the input.

use flattener::ast::deep;

use super::Known;
use crate::graph::{Condition, Formula, Kinds, Node, NodeId, Operator};
use crate::integers::{Constraint, Linear, Relation, exact, to_i128};

impl Known<'_> {
    /// The difference of two integers as a sum; `None` if it contains what has to be split into
    /// cases first, or numbers that are too large.
    pub(crate) fn linear_difference(&mut self, left: NodeId, right: NodeId) -> Option<Linear> {
        let left = self.linear(left)?;
        left.minus(self.linear(right)?)
    }

    pub(crate) fn linear(&mut self, node: NodeId) -> Option<Linear> {
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
            Node::Float(_)
            | Node::Atom(_)
            | Node::Nil
            | Node::Other(..)
            | Node::Cons(..)
            | Node::Tuple(_)
            | Node::Map(_)
            | Node::Put(..)
            | Node::Without(..)
            | Node::AtomOf(_)
            | Node::Bits(_)
            | Node::FloatOf(..)
            | Node::Truth(_)
            | Node::Closure(_)
            | Node::Table(_)
            | Node::Unknown(_) => None,
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
            Operator::Quotient => None,
            Operator::Multiply
            | Operator::Divide
            | Operator::Remainder
            | Operator::Modulo
            | Operator::And
            | Operator::Or
            | Operator::Xor
            | Operator::ShiftLeft
            | Operator::ShiftRight => {
                if !left.terms.is_empty() || !right.terms.is_empty() {
                    return Some(Linear::node(node));
                }
                let value = exact(operator, left.constant, right.constant)?;
                Some(Linear::constant(value))
            }
        }
    }

    fn linear_length(&mut self, list: NodeId) -> Option<Linear> {
        let (count, end) = self.known_cells(list);
        (self.kinds(end) == Kinds::NIL).then(|| Linear::constant(count))
    }

    /// The size of a map as a sum.
    fn linear_map_size(&mut self, node: NodeId, map: NodeId) -> Option<Linear> {
        let resolved = self.resolve(map);
        if self.graph.is_part(resolved) {
            let size = self.graph.map_size(resolved);
            return (self.kinds(resolved) == Kinds::MAP).then(|| Linear::node(size));
        }
        let size = self.graph.map_size(resolved);
        if size == node {
            return None;
        }
        deep(|| self.linear(size))
    }

    /// The constraint with its bound parts replaced by their values.
    pub(crate) fn refreshed(&mut self, constraint: &Constraint) -> Option<Constraint> {
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

    /// Whether the condition of a choice holds. An asserted comparison of integers is recognised by
    /// its constraint. Otherwise a choice would be split into the same cases forever.
    pub(crate) fn status_of_choice(&mut self, condition: Condition) -> Option<bool> {
        let status = self.status(condition);
        if status.is_some() {
            return status;
        }
        let holds = match *self.graph.formula(condition) {
            Formula::Less(left, right) => {
                if self.is_asserted(left, Relation::Less, right) {
                    true
                } else if self.is_asserted(right, Relation::AtMost, left) {
                    false
                } else {
                    return None;
                }
            }
            Formula::Equal(left, right) => {
                let either = [(left, right), (right, left)];
                let mut is = |relation| {
                    let mut either = either.into_iter();
                    either.any(|(left, right)| self.is_asserted(left, relation, right))
                };
                if is(Relation::Equal) {
                    true
                } else if is(Relation::Different) {
                    false
                } else {
                    return None;
                }
            }
            Formula::True
            | Formula::All(_)
            | Formula::Kind(..)
            | Formula::Arity(..)
            | Formula::FunArity(..)
            | Formula::ProperList(_)
            | Formula::Member(..)
            | Formula::HasKey(..)
            | Formula::Fields(..)
            | Formula::Utf8(..)
            | Formula::Same(..)
            | Formula::Before(..)
            | Formula::TooLarge(..) => return None,
        };
        Some(holds != condition.is_negated())
    }

    /// Whether two values are integers whose difference is known to have this relation to 0:
    /// because it is a constant, or because exactly this constraint was added.
    fn is_asserted(&mut self, left: NodeId, relation: Relation, right: NodeId) -> bool {
        let (left, right) = (self.resolve(left), self.resolve(right));
        if !(self.kinds(left) | self.kinds(right)).is_within(Kinds::INTEGER) {
            return false;
        }
        let Some(linear) = self.linear_difference(left, right) else {
            return false;
        };
        let constraint = Constraint { linear, relation };
        constraint
            .constant()
            .unwrap_or_else(|| self.store.constraints.contains(&constraint))
    }

    pub(crate) fn known_arity(&self, node: NodeId) -> Option<u32> {
        if let Node::Tuple(elements) = self.graph.node(node) {
            return u32::try_from(elements.len()).ok();
        }
        let is_part = self.graph.is_part(node);
        is_part.then(|| self.store.part(node).arity).flatten()
    }
}

/// Whether a sum is a constant, and a shift to the left by it is a multiplication.
fn is_short(by: &Linear) -> bool {
    by.terms.is_empty() && (0..i128::from(i128::BITS) - 1).contains(&by.constant)
}
