//! Results that are too large for a float, and integers that are shifted too far.

use erlang_term::Term;
use flattener::ast::deep;
use num_bigint::BigInt;

use super::assertion::constant;
use super::ranges::Range;
use super::{Solver, Step};
use crate::graph::{
    Condition, Formula, Kinds, Node, NodeId, Operator, SHORT_SHIFT, may_be_too_large,
};

/// A float that is too large if it is added to itself or multiplied by something.
const LARGE: f64 = 1e308;
/// Numbers up to this are certainly not too large.
const HARMLESS: f64 = 1e300;
/// An integer that no float is as large as.
const LARGE_DIGITS: u32 = 309;
/// Values are chosen so that a result is not too large if it is made of at most so many parts.
const FEW_PARTS: usize = 6;
/// How many parts of the input are tried with such numbers.
const MOST_TRIED: usize = 2;

impl Solver<'_> {
    /// Whether a condition says that some result is too large.
    pub(super) fn wants_too_large(&self, condition: Condition) -> bool {
        !condition.is_negated() && matches!(self.graph.formula(condition), Formula::TooLarge(..))
    }

    pub(super) fn status_of_too_large(
        &mut self,
        operator: Operator,
        left: NodeId,
        right: NodeId,
    ) -> Option<bool> {
        let (left, right) = (self.resolve(left), self.resolve(right));
        if !self.may_be_too_large(operator, left, right) {
            return Some(false);
        }
        constant(self.graph.too_large(operator, left, right))
    }

    fn may_be_too_large(&mut self, operator: Operator, left: NodeId, right: NodeId) -> bool {
        if !may_be_too_large(operator, self.kinds(left), self.kinds(right)) {
            return false;
        }
        if operator.is_shift() {
            return !self.range(right).is_within(SHORT_SHIFT as f64);
        }
        // In a sum of many parts one side is a single one, which mostly tells enough.
        let (first, second) = if self.graph.is_part(left) {
            (left, right)
        } else {
            (right, left)
        };
        let first = self.range(first);
        if !first.is_within(HARMLESS) {
            return true;
        }
        let second = self.range(second);
        // The farthest result is as far from 0 whichever side comes first, but for quotients.
        let results = if operator == Operator::Quotient {
            // No divisor is 0, and an integer is then at least 1.
            let is_integer = self.kinds(right) == Kinds::INTEGER;
            let (left, right) = (self.range(left), self.range(right));
            Range::of(operator, left, right.not_near_zero(is_integer))
        } else {
            Range::of(operator, first, second)
        };
        !(second.is_within(HARMLESS) && results.is_within(HARMLESS))
    }

    /// The parts of the input that a result is made of; `None` if they are many.
    pub(super) fn few_parts(&self, left: NodeId, right: NodeId) -> Option<Vec<NodeId>> {
        let mut parts = Vec::new();
        let mut open = vec![left, right];
        while let Some(node) = open.pop() {
            match *self.graph.node(node) {
                Node::Arithmetic(_, left, right) => open.extend([left, right]),
                Node::Rounded(_, number) => open.push(number),
                _ if self.graph.is_part(node) => parts.push(node),
                _ if self.graph.is_symbolic(node) => return None,
                _ => {}
            }
            if parts.len() + open.len() > FEW_PARTS {
                return None;
            }
        }
        Some(parts)
    }

    pub(super) fn assert_too_large(
        &mut self,
        condition: Condition,
        operator: Operator,
        left: NodeId,
        right: NodeId,
    ) -> Step {
        let (left, right) = (self.resolve(left), self.resolve(right));
        let holds = !condition.is_negated();
        if !self.may_be_too_large(operator, left, right) {
            return self.require(!holds);
        }
        let now = self.graph.too_large(operator, left, right);
        if *self.graph.formula(now) != Formula::TooLarge(operator, left, right) {
            return deep(|| self.assert(now.signed_as(condition)));
        }
        for side in [left, right] {
            if holds && self.graph.is_part(side) {
                self.store.narrow(self.graph, side, Kinds::NUMBER)?;
            }
        }
        self.keep(now.signed_as(condition))
    }

    /// The cases of a condition that something is too large: which parts of the input are floats,
    /// then which of them is a very large number; `None` if there is nothing left to try.
    pub(super) fn split_too_large(&mut self, condition: Condition) -> Option<Vec<Vec<Condition>>> {
        if !self.wants_too_large(condition) {
            return None;
        }
        for part in self.parts_of(condition).iter() {
            let part = self.resolve(*part);
            if !self.graph.is_part(part) || self.store.part(part).kinds.is_single() {
                continue;
            }
            let kinds = self.store.part(part).kinds;
            let cases = [Kinds::FLOAT, Kinds::INTEGER, kinds & !Kinds::NUMBER];
            let cases = cases.into_iter().filter(|it| kinds.intersects(*it));
            let cases = cases.map(|it| vec![self.graph.kind(it, part), condition]);
            return Some(cases.collect());
        }
        self.split_into_large(condition)
    }

    /// One of the parts is a very large number, or it is not.
    fn split_into_large(&mut self, condition: Condition) -> Option<Vec<Vec<Condition>>> {
        let mut tried = 0;
        for part in self.parts_of(condition).iter() {
            let part = self.resolve(*part);
            if !self.graph.is_part(part) {
                continue;
            }
            let large = match self.store.part(part).kinds {
                Kinds::FLOAT => [LARGE, -LARGE].map(Term::Float).to_vec(),
                Kinds::INTEGER => {
                    let large = BigInt::from(10).pow(LARGE_DIGITS);
                    [large.clone(), -large]
                        .map(|it| Term::Integer(it.into()))
                        .to_vec()
                }
                _ => continue,
            };
            let values = large.iter().map(|it| self.graph.constant(it));
            let values: Vec<NodeId> = values.collect();
            let not = &self.store.part(part).not;
            if values.iter().any(|it| not.contains(it)) {
                tried += 1;
                continue;
            }
            if tried == MOST_TRIED {
                return None;
            }
            let is_large = values.iter().map(|it| self.graph.equal(part, *it));
            let is_large: Vec<Condition> = is_large.collect();
            let none = is_large.iter().map(|it| !*it).chain([condition]).collect();
            let cases = is_large.iter().map(|it| vec![*it, condition]);
            return Some(cases.chain([none]).collect());
        }
        None
    }
}
