//! Sums and products that are too large for a float.

use erlang_term::Term;
use flattener::ast::deep;
use num_bigint::BigInt;

use super::assertion::constant;
use super::ranges::Range;
use super::{Solver, Step};
use crate::graph::{Condition, Formula, Kinds, NodeId, Operator, may_be_too_large};

/// A float that is too large if it is added to itself or multiplied by something.
const LARGE: f64 = 1e308;
/// Numbers up to this are certainly not too large.
const HARMLESS: f64 = 1e300;
/// An integer that no float is as large as.
const LARGE_DIGITS: u32 = 309;
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
        let (left, right) = (self.range(left), self.range(right));
        let ranges = [left, right, Range::of(operator, left, right)];
        !ranges.iter().all(|it| it.is_within(HARMLESS))
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
                    vec![Term::Integer(large.into())]
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
