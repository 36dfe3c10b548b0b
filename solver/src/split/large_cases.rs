//! Numbers with which a result is too large.

use erlang_term::Term;
use num_bigint::BigInt;

use super::{Case, Split};
use crate::graph::{Condition, Kinds, NodeId};

/// Added to itself or multiplied by something, this float is too large.
const LARGE: f64 = 1e308;
/// An integer with this many digits is larger than every float.
const LARGE_DIGITS: u32 = 309;
/// How many parts of the input are tried with such numbers.
const MOST_TRIED: usize = 2;

impl Split<'_, '_> {
    /// The cases of a condition that a result is too large. First they say which parts of the input
    /// are floats, then which of them is a very large number. `None` if nothing is left to try.
    pub(super) fn split_too_large(&mut self, condition: Condition) -> Option<Vec<Case>> {
        if !self.known.graph.wants_too_large(condition) {
            return None;
        }
        for part in self.known.parts_of(condition).iter() {
            let part = self.known.resolve(*part);
            if !self.known.graph.is_part(part) || self.known.store.part(part).kinds.is_single() {
                continue;
            }
            let kinds = self.known.store.part(part).kinds;
            let cases = [Kinds::FLOAT, Kinds::INTEGER, kinds & !Kinds::NUMBER];
            let cases = cases.into_iter().filter(|it| kinds.intersects(*it));
            let cases = cases.map(|it| vec![self.known.graph.kind(it, part), condition]);
            return Some(cases.collect());
        }
        self.split_into_large(condition)
    }

    /// One of the parts is a very large number, or it is not.
    fn split_into_large(&mut self, condition: Condition) -> Option<Vec<Case>> {
        let mut tried = 0;
        for part in self.known.parts_of(condition).iter() {
            let part = self.known.resolve(*part);
            if !self.known.graph.is_part(part) {
                continue;
            }
            let large = match self.known.store.part(part).kinds {
                Kinds::FLOAT => [LARGE, -LARGE].map(Term::Float).to_vec(),
                Kinds::INTEGER => {
                    let large = BigInt::from(10).pow(LARGE_DIGITS);
                    [large.clone(), -large]
                        .map(|it| Term::Integer(it.into()))
                        .to_vec()
                }
                _ => continue,
            };
            let values = large.iter().map(|it| self.known.graph.constant(it));
            let values: Vec<NodeId> = values.collect();
            let not = &self.known.store.part(part).not;
            if values.iter().any(|it| not.contains(it)) {
                tried += 1;
                continue;
            }
            if tried == MOST_TRIED {
                return None;
            }
            let is_large = values.iter().map(|it| self.known.graph.equal(part, *it));
            let is_large: Vec<Condition> = is_large.collect();
            let none = is_large.iter().map(|it| !*it).chain([condition]).collect();
            let cases = is_large.iter().map(|it| vec![*it, condition]);
            return Some(cases.chain([none]).collect());
        }
        None
    }
}
