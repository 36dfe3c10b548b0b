//! Conditions on floats, and on integers together with floats.
//!
//! They are asked of Z3 as conditions on real numbers, once all kinds are known. What it finds is
//! rounded to floats, which are tried like other cases: so no answer is wrong. If there is none,
//! each result of float arithmetic is let be any number that is as near to the exact one as
//! rounding allows. If there is none even then, there is none at all.

mod meeting;
mod reals;

use std::time::Duration;

use z3::ast::{Bool, Int, Real};
use z3::{SatResult, Solver as Z3};

use super::Solver;
use super::budget::Budget;
use super::encoding::{exact, real};
use super::integers::number;
use super::model::Guess;
use crate::graph::{Condition, Formula, Kinds, Node, NodeId};
use reals::{Number, Precision, Reals};

/// For one check.
const BUDGET: Budget = Budget {
    units: 500_000,
    time: Duration::from_millis(500),
};
/// For a check that is only about nicer numbers.
const WISH: Budget = Budget {
    units: 50_000,
    time: Duration::from_millis(200),
};
/// So often Z3 is asked for one question.
const MOST_ASKED: u32 = 12;
/// More conditions are not translated.
const MOST_CONDITIONS: usize = 200;
/// Numbers next to those that were found are tried for so many of them.
const MOST_SHAKEN: usize = 4;
/// So many models are looked at if the first one is not right.
const MOST_MODELS: u32 = 6;
/// Numbers that one variable is given where the whole is too hard, and how often.
const SIMPLE: [i64; 5] = [1, 2, 4, 0, 10];
const MOST_FIXED: usize = 8;
/// So many constants are told to Z3.
const MOST_CONSTANTS: usize = 12;
/// So many wishes are looked at.
const MOST_WISHES: u32 = 24;
/// Floats that are wished for are multiples of one over this, and not larger than that.
const WISHES: [(i64, i64); 4] = [(1, 10), (1, 1000), (4, 1000), (1024, 1_000_000)];

/// A question about numbers.
struct Asked {
    /// The parts of the input in it.
    parts: Vec<NodeId>,
    /// What has to hold. The first one is what was broken.
    conditions: Vec<Condition>,
}

/// What came out.
enum Found {
    /// These are right.
    Values(Vec<NodeId>),
    /// There are none.
    None,
    /// None were found.
    Nothing,
}

impl Solver<'_> {
    /// Cases of a condition on numbers: their kinds, then values that fulfil it.
    pub(super) fn split_numbers(&mut self, condition: Condition) -> Vec<Vec<Condition>> {
        let asked = self.connected(condition);
        for part in &asked.parts {
            if let Some(cases) = self.split_node(*part) {
                return cases
                    .into_iter()
                    .map(|case| vec![case, condition])
                    .collect();
            }
        }
        if !self.has_guessed_float {
            self.has_guessed_float = true;
            if let Some(float) = self.near_meeting(&asked) {
                let equal = asked.parts.iter().map(|it| self.graph.equal(*it, float));
                return vec![equal.chain([condition]).collect(), vec![condition]];
            }
        }
        if asked.parts.is_empty() || self.asked_reals >= MOST_ASKED {
            self.gave_up = true;
            return Vec::new();
        }
        self.asked_reals += 1;
        let mut found = self.ask_reals(&asked, Precision::Exact);
        if !matches!(found, Found::Values(_)) {
            let rounded = self.ask_reals(&asked, Precision::Rounded);
            if !matches!(rounded, Found::Nothing) || matches!(found, Found::None) {
                found = rounded;
            }
        }
        match found {
            Found::None => Vec::new(),
            Found::Nothing => {
                self.gave_up = true;
                Vec::new()
            }
            Found::Values(values) => {
                self.gave_up = true;
                let values = asked.parts.iter().zip(values);
                let equal = values.map(|(part, value)| self.graph.equal(*part, value));
                vec![equal.chain([condition]).collect()]
            }
        }
    }

    /// The numbers that a condition is about, those that are in other kept conditions with these,
    /// and so on; and all these conditions.
    fn connected(&mut self, condition: Condition) -> Asked {
        let mut parts = self.open_numbers(condition);
        let mut conditions = vec![condition];
        let mut seen = 0;
        while seen < parts.len() && conditions.len() < MOST_CONDITIONS {
            seen = parts.len();
            for index in 0..self.store.kept.len() {
                if self.ends() {
                    return Asked { parts, conditions };
                }
                let Some(kept) = self.store.kept.get(index).copied() else {
                    break;
                };
                let is_new = !matches!(self.graph.formula(kept), Formula::TooLarge(..))
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
            for constraint in &self.store.constraints {
                let terms = constraint.linear.terms.iter().map(|it| it.0);
                let own: Vec<NodeId> = terms.filter(|it| self.graph.is_part(*it)).collect();
                if own.iter().any(|it| parts.contains(it)) {
                    parts.extend(own);
                }
            }
            parts.sort_unstable();
            parts.dedup();
        }
        Asked { parts, conditions }
    }

    /// The parts of the input in a condition that are certainly numbers and not bound.
    fn open_numbers(&mut self, condition: Condition) -> Vec<NodeId> {
        let parts = self.parts_of(condition);
        let parts = parts.iter().map(|it| self.resolve(*it));
        let mut parts: Vec<NodeId> = parts.collect();
        parts.retain(|it| {
            let is_part = self.graph.is_part(*it);
            is_part && self.store.part(*it).kinds.is_within(Kinds::NUMBER)
        });
        parts
    }

    fn ask_reals(&mut self, asked: &Asked, precision: Precision) -> Found {
        let solver = BUDGET.solver();
        let constants = self.constants(&asked.conditions);
        let mut reals = Reals::new(&solver, precision, &constants);
        let mut variables = Vec::with_capacity(asked.parts.len());
        for part in &asked.parts {
            let variable = self.variable(&mut reals, *part);
            variables.push((variable, self.wanted(*part)));
        }
        for (number, condition) in asked.conditions.iter().enumerate() {
            match self.real_condition(&mut reals, *condition) {
                Some(said) => solver.assert(said),
                None if number == 0 => return Found::Nothing,
                None => {}
            }
        }
        for index in 0..self.store.constraints.len() {
            let constraint = self.store.constraints.get(index).cloned();
            let said = constraint.and_then(|it| self.real_constraint(&mut reals, &it));
            if let Some(said) = said {
                solver.assert(said);
            }
        }
        let first = BUDGET.check(&self.patience, &solver, &[]);
        if first == SatResult::Unsat {
            return Found::None;
        }
        let found = (first == SatResult::Sat)
            .then(|| self.among_models(asked, &solver, &variables))
            .flatten()
            .or_else(|| self.with_one_fixed(asked, &solver, &variables));
        found.map_or(Found::Nothing, Found::Values)
    }

    /// Floats that conditions compare with. Rounding does not go beyond them.
    fn constants(&self, conditions: &[Condition]) -> Vec<f64> {
        let mut constants = vec![0.0];
        for condition in conditions {
            if let Formula::Less(left, right)
            | Formula::Same(left, right)
            | Formula::Equal(left, right) = *self.graph.formula(*condition)
            {
                let floats = [left, right]
                    .into_iter()
                    .filter_map(|it| self.graph.to_float(it));
                constants.extend(floats);
            }
        }
        constants.truncate(MOST_CONSTANTS);
        constants
    }

    /// Right values among what Z3 finds, one model after the other.
    fn among_models(
        &mut self,
        asked: &Asked,
        solver: &Z3,
        variables: &[(Number, Option<NodeId>)],
    ) -> Option<Vec<NodeId>> {
        let values = self.nicest(solver, variables)?;
        if let Some(right) = self.right_near(asked, &values) {
            return Some(right);
        }
        let mut assumptions = vec![self.others(variables, &values)];
        for _ in 0..MOST_MODELS {
            if WISH.check(&self.patience, solver, &assumptions) != SatResult::Sat {
                return None;
            }
            let values = self.values_of(solver, variables)?;
            if let Some(right) = self.right_near(asked, &values) {
                return Some(right);
            }
            assumptions.push(self.others(variables, &values));
        }
        None
    }

    /// Right values with a simple number for one variable: that makes products sums.
    fn with_one_fixed(
        &mut self,
        asked: &Asked,
        solver: &Z3,
        variables: &[(Number, Option<NodeId>)],
    ) -> Option<Vec<NodeId>> {
        if variables.len() < 2 {
            return None;
        }
        let simple = SIMPLE.iter();
        let tried = simple.flat_map(|it| variables.iter().map(move |(of, _)| (of, *it)));
        for (variable, value) in tried.take(MOST_FIXED) {
            let is_fixed = match variable {
                Number::Int(variable) => variable.eq(value),
                Number::Real(variable) => variable.eq(Int::from(value).to_real()),
            };
            if WISH.check(&self.patience, solver, &[is_fixed]) == SatResult::Sat
                && let Some(values) = self.values_of(solver, variables)
                && let Some(right) = self.right_near(asked, &values)
            {
                return Some(right);
            }
        }
        None
    }

    /// Values for which all conditions hold: these, or with a float next to one of them.
    fn right_near(&mut self, asked: &Asked, values: &[NodeId]) -> Option<Vec<NodeId>> {
        let mut near = self.shaken(values).into_iter();
        near.find(|values| self.are_right(asked, values))
    }

    /// Whether all conditions hold, as far as that can be told.
    fn are_right(&mut self, asked: &Asked, values: &[NodeId]) -> bool {
        let mut guess = Guess::default();
        let parts = asked.parts.iter().copied();
        guess.values.extend(parts.zip(values.iter().copied()));
        let mut conditions = asked.conditions.iter();
        conditions.all(|it| self.holds(&mut guess, *it) != Some(false))
    }

    /// Some variable has another value.
    fn others(&self, variables: &[(Number, Option<NodeId>)], values: &[NodeId]) -> Bool {
        let same = variables
            .iter()
            .zip(values)
            .filter_map(|((variable, _), value)| self.is_value(variable, *value));
        !Bool::and(&same.collect::<Vec<_>>())
    }

    fn is_value(&self, variable: &Number, value: NodeId) -> Option<Bool> {
        match (variable, self.graph.node(value)) {
            (Number::Real(variable), Node::Float(bits)) => {
                Some(variable.eq(real(&exact(f64::from_bits(*bits)))))
            }
            (Number::Int(variable), Node::Integer(value)) => {
                Some(variable.eq(number(&value.to_big())))
            }
            _ => None,
        }
    }

    /// The values that Z3 found, nearer to the wanted ones or simpler where that is possible.
    fn nicest(
        &mut self,
        solver: &Z3,
        variables: &[(Number, Option<NodeId>)],
    ) -> Option<Vec<NodeId>> {
        let mut values = self.values_of(solver, variables)?;
        let mut assumptions: Vec<Bool> = Vec::new();
        let mut left = MOST_WISHES;
        for (variable, wanted) in variables {
            for wish in self.number_wishes(variable, *wanted) {
                if left == 0 {
                    return Some(values);
                }
                left -= 1;
                assumptions.push(wish);
                if WISH.check(&self.patience, solver, &assumptions) == SatResult::Sat
                    && let Some(better) = self.values_of(solver, variables)
                {
                    values = better;
                    break;
                }
                assumptions.pop();
            }
        }
        Some(values)
    }

    /// What would be nice about a number, the nicest first.
    fn number_wishes(&self, variable: &Number, wanted: Option<NodeId>) -> Vec<Bool> {
        let wanted = wanted.and_then(|it| self.is_value(variable, it));
        let mut wishes: Vec<Bool> = wanted.into_iter().collect();
        for (parts, size) in WISHES {
            match variable {
                Number::Int(variable) if parts == 1 => {
                    wishes.push(Bool::and(&[variable.ge(-size), variable.le(size)]));
                }
                Number::Int(_) => {}
                Number::Real(variable) => {
                    let multiple = Int::fresh_const("multiple");
                    let most = size.saturating_mul(parts);
                    let scaled = Real::mul(&[variable, &Int::from(parts).to_real()]);
                    wishes.push(Bool::and(&[
                        scaled.eq(multiple.to_real()),
                        multiple.ge(-most),
                        multiple.le(most),
                    ]));
                }
            }
        }
        wishes
    }

    fn values_of(
        &mut self,
        solver: &Z3,
        variables: &[(Number, Option<NodeId>)],
    ) -> Option<Vec<NodeId>> {
        let model = solver.get_model()?;
        let values = variables.iter().map(|(variable, _)| match variable {
            Number::Int(variable) => {
                let digits = model.eval(variable, true)?.to_string();
                reals::integer(&digits).map(|it| self.graph.big_integer(it.into()))
            }
            Number::Real(variable) => {
                let float = reals::nearest(&model.eval(variable, true)?)?;
                Some(self.graph.float(float))
            }
        });
        values.collect()
    }

    /// Values, and then others with a float next to one of them.
    fn shaken(&mut self, values: &[NodeId]) -> Vec<Vec<NodeId>> {
        let mut all = vec![values.to_vec()];
        let mut shaken = 0;
        for (place, value) in values.iter().enumerate() {
            let Node::Float(bits) = *self.graph.node(*value) else {
                continue;
            };
            shaken += 1;
            if shaken > MOST_SHAKEN {
                break;
            }
            let float = f64::from_bits(bits);
            for next in [float.next_up(), float.next_down()] {
                if next.is_finite() {
                    let mut others = values.to_vec();
                    let next = self.graph.float(next);
                    others.splice(place..=place, [next]);
                    all.push(others);
                }
            }
        }
        all
    }
}
