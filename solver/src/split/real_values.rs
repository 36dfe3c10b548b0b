//! Numbers that fulfil conditions, found by Z3 as real numbers.

use std::time::Duration;

use z3::ast::{Bool, Int, Real};
use z3::{SatResult, Solver as Z3};

use super::reals::{Number, Precision, Reals, nearest};
use crate::graph::{Condition, Formula, Graph, Node, NodeId, exact_float};
use crate::guess::{Guess, Parent};
use crate::known::Known;
use crate::smt::{Budget, exact_fraction, number, parse_integer, real};

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
/// For at most this many floats their neighbours are tried.
const MOST_SHAKEN: usize = 4;
/// How many more models are tried if the first one is not right.
const MOST_MODELS: u32 = 6;
/// Numbers that one variable is fixed to if the question is too hard, and how often that is tried.
const SIMPLE: [i64; 5] = [1, 2, 4, 0, 10];
const MOST_FIXED: usize = 8;
/// At most this many constants are passed to Z3.
const MOST_CONSTANTS: usize = 12;
/// At most this many wishes are tried.
const MOST_WISHES: u32 = 24;
/// Wishes for floats: multiples of one divided by the first number, not larger than the second.
const WISHES: [(i64, i64); 4] = [(1, 10), (1, 1000), (4, 1000), (1024, 1_000_000)];

/// A question about numbers.
pub(super) struct NumberQuestion {
    /// The parts of the input in it.
    pub(super) parts: Vec<NodeId>,
    /// What has to hold. The first one is what was broken.
    pub(super) conditions: Vec<Condition>,
}

impl NumberQuestion {
    /// Whether all conditions hold for these values, as far as they can be checked.
    pub(super) fn is_answered_by(
        &self,
        known: &mut Known<'_>,
        parent: &mut Parent,
        values: &[NodeId],
    ) -> bool {
        let values = self.parts.iter().copied().zip(values.iter().copied());
        let mut guess = Guess::with_values(known, parent, values);
        let mut conditions = self.conditions.iter();
        conditions.all(|it| guess.holds(*it) != Some(false))
    }
}

/// What Z3 found.
pub(super) enum FoundNumbers {
    /// These are right.
    Values(Vec<NodeId>),
    /// There are none.
    None,
    /// None were found.
    Nothing,
}

/// A question in Z3's terms.
pub(super) struct RealQuestion<'known, 'run> {
    asked: &'known NumberQuestion,
    parent: &'known mut Parent,
    /// The parts of the input, with what the parent's input has there.
    variables: Vec<(Number, Option<NodeId>)>,
    /// Z3's answers depend on which of its terms are alive, so all terms live until the end.
    reals: Reals<'known, 'run>,
    solver: Z3,
}

impl<'known, 'run> RealQuestion<'known, 'run> {
    /// `None` if the first condition cannot be translated.
    pub(super) fn new(
        asked: &'known NumberQuestion,
        precision: Precision,
        known: &'known mut Known<'run>,
        parent: &'known mut Parent,
    ) -> Option<Self> {
        let constants = constants(known.graph, &asked.conditions);
        let mut reals = Reals::new(known, precision, constants);
        let mut variables = Vec::with_capacity(asked.parts.len());
        for part in &asked.parts {
            let variable = reals.variable(*part);
            variables.push((variable, parent.wanted(reals.known.graph, *part)));
        }
        for (number, condition) in asked.conditions.iter().enumerate() {
            match reals.condition(*condition) {
                Some(said) => reals.said.push(said),
                None if number == 0 => return None,
                None => {}
            }
        }
        reals.add_constraints();
        let solver = BUDGET.solver();
        reals.said.iter().for_each(|it| solver.assert(it));
        Some(Self {
            asked,
            parent,
            variables,
            reals,
            solver,
        })
    }

    fn check(&self, budget: Budget, assumptions: &[Bool]) -> SatResult {
        let patience = &self.reals.known.effort.patience;
        budget.check(patience, &self.solver, assumptions)
    }

    pub(super) fn ask(mut self) -> FoundNumbers {
        let first = self.check(BUDGET, &[]);
        if first == SatResult::Unsat {
            return FoundNumbers::None;
        }
        let found = (first == SatResult::Sat)
            .then(|| self.among_models())
            .flatten()
            .or_else(|| self.with_one_fixed());
        found.map_or(FoundNumbers::Nothing, FoundNumbers::Values)
    }

    /// Right values among what Z3 finds, one model after the other.
    fn among_models(&mut self) -> Option<Vec<NodeId>> {
        let values = self.nicest()?;
        if let Some(right) = self.right_near(&values) {
            return Some(right);
        }
        let mut assumptions = vec![self.others(&values)];
        for _ in 0..MOST_MODELS {
            if self.check(WISH, &assumptions) != SatResult::Sat {
                return None;
            }
            let values = self.values_of()?;
            if let Some(right) = self.right_near(&values) {
                return Some(right);
            }
            assumptions.push(self.others(&values));
        }
        None
    }

    /// Right values with a simple number for one variable, which turns products into sums.
    fn with_one_fixed(&mut self) -> Option<Vec<NodeId>> {
        let variables = self.variables.clone();
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
            if self.check(WISH, &[is_fixed]) == SatResult::Sat
                && let Some(values) = self.values_of()
                && let Some(right) = self.right_near(&values)
            {
                return Some(right);
            }
        }
        None
    }

    /// Values for which all conditions hold: these, or these with one float replaced by a
    /// neighbour.
    fn right_near(&mut self, values: &[NodeId]) -> Option<Vec<NodeId>> {
        let mut near = self.shaken(values).into_iter();
        near.find(|values| {
            self.asked
                .is_answered_by(self.reals.known, self.parent, values)
        })
    }

    /// Some variable has another value.
    fn others(&self, values: &[NodeId]) -> Bool {
        let same = self
            .variables
            .iter()
            .zip(values)
            .filter_map(|((variable, _), value)| self.is_value(variable, *value));
        !Bool::and(&same.collect::<Vec<_>>())
    }

    fn is_value(&self, variable: &Number, value: NodeId) -> Option<Bool> {
        match variable {
            Number::Real(variable) => {
                let Node::Float(bits) = self.reals.known.graph.node(value) else {
                    return None;
                };
                Some(variable.eq(real(&exact_fraction(f64::from_bits(*bits)))))
            }
            Number::Int(variable) => {
                let Node::Integer(value) = self.reals.known.graph.node(value) else {
                    return None;
                };
                Some(variable.eq(number(&value.to_big())))
            }
        }
    }

    /// The values that Z3 found, if possible nearer to the wanted ones or simpler.
    fn nicest(&mut self) -> Option<Vec<NodeId>> {
        let mut values = self.values_of()?;
        let mut assumptions: Vec<Bool> = Vec::new();
        let mut left = MOST_WISHES;
        for (variable, wanted) in self.variables.clone() {
            for wish in self.number_wishes(&variable, wanted) {
                if left == 0 {
                    return Some(values);
                }
                left -= 1;
                assumptions.push(wish);
                if self.check(WISH, &assumptions) == SatResult::Sat
                    && let Some(better) = self.values_of()
                {
                    values = better;
                    break;
                }
                assumptions.pop();
            }
        }
        Some(values)
    }

    /// Wishes for a number, the nicest first.
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

    fn values_of(&mut self) -> Option<Vec<NodeId>> {
        let model = self.solver.get_model()?;
        let graph = &mut *self.reals.known.graph;
        let values = self.variables.iter().map(|(variable, _)| match variable {
            Number::Int(variable) => {
                let digits = model.eval(variable, true)?.to_string();
                parse_integer(&digits).map(|it| graph.big_integer(it.into()))
            }
            Number::Real(variable) => {
                let float = nearest(&model.eval(variable, true)?)?;
                Some(graph.float(float))
            }
        });
        values.collect()
    }

    /// These values, and then these values with one float replaced by a neighbour.
    fn shaken(&mut self, values: &[NodeId]) -> Vec<Vec<NodeId>> {
        let mut all = vec![values.to_vec()];
        let mut shaken = 0;
        for (place, value) in values.iter().enumerate() {
            let Node::Float(bits) = *self.reals.known.graph.node(*value) else {
                continue;
            };
            shaken += 1;
            if shaken > MOST_SHAKEN {
                break;
            }
            let float = f64::from_bits(bits);
            let is_signed_zero = float == 0.0 && self.reals.known.graph.tells_zeros_apart();
            let other_zero = is_signed_zero.then_some(-float);
            let next = [float.next_up(), float.next_down()];
            for next in other_zero.into_iter().chain(next) {
                if next.is_finite() {
                    let mut others = values.to_vec();
                    let next = self.reals.known.graph.float(next);
                    others.splice(place..=place, [next]);
                    all.push(others);
                }
            }
        }
        all
    }
}

/// Floats that conditions compare with. Rounding does not go beyond them.
fn constants(graph: &Graph, conditions: &[Condition]) -> Vec<f64> {
    let mut constants = vec![0.0];
    for condition in conditions {
        if let Formula::Less(left, right)
        | Formula::Same(left, right)
        | Formula::Equal(left, right) = *graph.formula(*condition)
        {
            let floats = [left, right]
                .into_iter()
                .filter_map(|it| exact_float(graph.node(it)));
            constants.extend(floats);
        }
    }
    constants.truncate(MOST_CONSTANTS);
    constants
}
