//! Conditions on floats, and on integers together with floats.
//!
//! Once all kinds are known, Z3 is asked about them as conditions on real numbers. Its answer is
//! rounded to floats, which are tried like other cases, so no answer is wrong. If there is no
//! answer, results of float arithmetic may be any number as near to the exact one as rounding
//! allows. If there is no answer even then, there is none at all.

use super::meeting::near_meeting;
use super::real_values::{FoundNumbers, NumberQuestion, RealQuestion};
use super::reals::Precision;
use super::{Case, Split};
use crate::graph::{Condition, Formula, Kinds, NodeId};

/// How often Z3 is asked for one question.
const MOST_ASKED: u32 = 12;
/// At most this many conditions are translated.
const MOST_CONDITIONS: usize = 200;

impl Split<'_, '_> {
    /// Cases of a condition on numbers: their kinds, then values that fulfil it.
    pub(super) fn split_numbers(&mut self, condition: Condition) -> Vec<Case> {
        let asked = self.connected(condition);
        for part in &asked.parts {
            if let Some(cases) = self.split_node(*part) {
                return cases
                    .into_iter()
                    .map(|case| vec![case, condition])
                    .collect();
            }
        }
        if !self.floats.has_guessed_float {
            self.floats.has_guessed_float = true;
            if let Some(float) = near_meeting(&asked, self.known, self.parent) {
                let equal = asked
                    .parts
                    .iter()
                    .map(|it| self.known.graph.equal(*it, float));
                return vec![equal.chain([condition]).collect(), vec![condition]];
            }
        }
        if asked.parts.is_empty() || self.floats.asked_reals >= MOST_ASKED {
            self.known.give_up();
            return Vec::new();
        }
        self.floats.asked_reals += 1;
        match self.ask_reals(&asked) {
            FoundNumbers::None => Vec::new(),
            FoundNumbers::Nothing => {
                self.known.give_up();
                Vec::new()
            }
            FoundNumbers::Values(values) => {
                self.known.give_up();
                let values = asked.parts.iter().zip(values);
                let equal = values.map(|(part, value)| self.known.graph.equal(*part, value));
                vec![equal.chain([condition]).collect()]
            }
        }
    }

    /// The numbers that a condition is about, the numbers that share a kept condition with them,
    /// and so on; and all these conditions.
    fn connected(&mut self, condition: Condition) -> NumberQuestion {
        let mut parts = self.open_numbers(condition);
        let mut conditions = vec![condition];
        let mut seen = 0;
        while seen < parts.len() && conditions.len() < MOST_CONDITIONS {
            seen = parts.len();
            for index in 0..self.known.store.kept.len() {
                if self.known.ends() {
                    return NumberQuestion { parts, conditions };
                }
                let Some(kept) = self.known.store.kept.get(index).copied() else {
                    break;
                };
                let is_new = !matches!(self.known.graph.formula(kept), Formula::TooLarge(..))
                    && !conditions.contains(&kept);
                let own = if is_new {
                    self.open_numbers(kept)
                } else {
                    Vec::new()
                };
                if own.iter().any(|it| parts.contains(it)) {
                    conditions.push(kept);
                    parts.extend(own);
                }
            }
            for constraint in &self.known.store.constraints {
                let terms = constraint.linear.terms.iter().map(|it| it.0);
                let own: Vec<NodeId> = terms.filter(|it| self.known.graph.is_part(*it)).collect();
                if own.iter().any(|it| parts.contains(it)) {
                    parts.extend(own);
                }
            }
            parts.sort_unstable();
            parts.dedup();
        }
        NumberQuestion { parts, conditions }
    }

    /// The unbound parts of the input in a condition that are certainly numbers.
    fn open_numbers(&mut self, condition: Condition) -> Vec<NodeId> {
        let parts = self.known.parts_of(condition);
        let parts = parts.iter().map(|it| self.known.resolve(*it));
        let mut parts: Vec<NodeId> = parts.collect();
        parts.retain(|it| {
            let is_part = self.known.graph.is_part(*it);
            is_part && self.known.store.part(*it).kinds.is_within(Kinds::NUMBER)
        });
        parts
    }

    fn ask_reals(&mut self, asked: &NumberQuestion) -> FoundNumbers {
        let mut ask = |precision| {
            let question = RealQuestion::new(asked, precision, self.known, self.parent);
            question.map(RealQuestion::ask)
        };
        let Some(exact) = ask(Precision::Exact) else {
            return FoundNumbers::Nothing;
        };
        if matches!(exact, FoundNumbers::Values(_)) {
            return exact;
        }
        // Where the exact numbers do not fit, rounded ones may.
        ask(Precision::Rounded).unwrap_or(FoundNumbers::Nothing)
    }
}
