//! Questions about the bits of integers, as bit vectors of Z3.
//!
//! Variables get few bits first, then more. This determines how many bits each sum and product
//! needs. All vectors are as wide as the widest one, so nothing overflows. If Z3 finds no answer,
//! there is none only if the bounds of the variables fit in their bits. An answer is computed again
//! without bit vectors.

use std::collections::HashMap;
use std::time::Duration;

use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use z3::ast::{BV, Bool};
use z3::{SatResult, Solver as Z3};

use super::all_values::is_solution;
use super::bounds::Bounds;
use super::intervals::{Interval, of_linear, of_product};
use super::linear::{Constraint, Linear, Relation};
use super::masked_variables::bounded;
use super::narrowing::bounds;
use super::problem::{Problem, Solution};
use crate::graph::{NodeId, Operator};
use crate::patience::Patience;
use crate::smt::Budget;

/// For one check.
const BUDGET: Budget = Budget {
    units: 2_000_000,
    time: Duration::from_millis(1000),
};
/// How many bits the variables have in each attempt.
const WIDTHS: [u64; 5] = [8, 16, 32, 64, 120];
/// Nothing is shifted by more bits, in either direction.
const MOST_SHIFT: u64 = 256;
/// Wider vectors are not made.
const WIDEST: u64 = 1024;
/// The sizes of values to try, the nicest first.
const SIZES: [i128; 3] = [10, 100, 1000];

/// Answers a question, if it can.
pub(super) fn solve(problem: &Problem<'_>, patience: &Patience<'_>) -> Solution {
    let Some(bounds) = bounds(problem) else {
        return Solution::None;
    };
    let bounds = bounded(problem, bounds);
    let mut last = None;
    for bits in WIDTHS {
        let Some(question) = BitQuestion::new(problem, &bounds, bits) else {
            continue;
        };
        // Variables that are bounded anyway do not need more bits.
        if last.as_ref() == Some(&question.variables) {
            break;
        }
        let solution = question.solve(patience);
        if solution != Solution::Unknown {
            return solution;
        }
        last = Some(question.variables);
    }
    Solution::Unknown
}

/// A question in which variables have this many bits.
struct BitQuestion<'problem> {
    problem: &'problem Problem<'problem>,
    /// Where the variables lie.
    variables: Vec<Interval>,
    width: u32,
    /// Whether there is no answer at all if this question has none.
    is_whole: bool,
}

impl<'problem> BitQuestion<'problem> {
    /// `None` if there are no such values, or all would be too wide.
    fn new(problem: &'problem Problem<'_>, bounds: &[Bounds], bits: u64) -> Option<Self> {
        let few = Interval::of_bits(bits);
        let mut is_whole = true;
        let mut variables = Vec::with_capacity(bounds.len());
        for own in bounds {
            let own = own.interval();
            is_whole &= own.as_ref().is_some_and(|own| own.is_within(&few));
            let own = own.unwrap_or_else(|| few.clone());
            let low = own.low.max(few.low.clone());
            let high = own.high.min(few.high.clone());
            if low > high {
                return None;
            }
            variables.push(Interval { low, high });
        }
        let nodes = problem.variables.iter().map(|it| it.0);
        let mut nodes: HashMap<NodeId, Interval> = nodes.zip(variables.clone()).collect();
        let mut widest = variables.iter().map(Interval::bits).max().unwrap_or(1);
        let most_shift = BigInt::from(MOST_SHIFT);
        let most_shift = Interval {
            low: -&most_shift,
            high: most_shift,
        };
        for product in problem.products {
            let right = of_linear(&product.right, &nodes)?;
            let left = of_linear(&product.left, &nodes)?;
            is_whole &= !product.operator.is_shift() || right.is_within(&most_shift);
            is_whole &= !product.operator.is_division() || !right.contains(&BigInt::zero());
            let own = of_product(product, &nodes, &most_shift)?;
            widest = widest.max(own.bits()).max(left.bits()).max(right.bits());
            nodes.insert(product.node, own);
        }
        for constraint in problem.constraints {
            widest = widest.max(of_linear(&constraint.linear, &nodes)?.bits());
        }
        // One more, so that signs can be changed.
        let width = u32::try_from(widest + 1).ok()?;
        (widest < WIDEST).then_some(Self {
            problem,
            variables,
            width,
            is_whole,
        })
    }

    fn solve(&self, patience: &Patience<'_>) -> Solution {
        let Some(solver) = Z3::new_for_logic("QF_BV") else {
            return Solution::Unknown;
        };
        BUDGET.limit(&solver);
        let Some(variables) = self.assert(&solver) else {
            return Solution::Unknown;
        };
        match BUDGET.check(patience, &solver, &[]) {
            SatResult::Sat => {
                let found = self.values(&solver, &variables);
                let nicer = found.map(|it| self.nicer(patience, &solver, &variables, it));
                let right = nicer.filter(|it| is_solution(self.problem, it));
                right.map_or(Solution::Unknown, Solution::Values)
            }
            SatResult::Unsat if self.is_whole => Solution::None,
            SatResult::Unsat | SatResult::Unknown => Solution::Unknown,
        }
    }

    /// Asserts the question, and gives its variables.
    fn assert(&self, solver: &Z3) -> Option<Vec<BV>> {
        let mut nodes = HashMap::new();
        let mut variables = Vec::new();
        let own = self.problem.variables.iter().zip(&self.variables);
        for (number, ((node, _), within)) in (0_u32..).zip(own) {
            let variable = BV::new_const(number, self.width);
            solver.assert(variable.bvsge(self.number(&within.low)));
            solver.assert(variable.bvsle(self.number(&within.high)));
            nodes.insert(*node, variable.clone());
            variables.push(variable);
        }
        for product in self.problem.products {
            let left = self.sum(&product.left, &nodes)?;
            let right = self.sum(&product.right, &nodes)?;
            if product.operator.is_division() {
                solver.assert(!right.eq(self.number(&BigInt::zero())));
            }
            if product.operator.is_shift() {
                let most = BigInt::from(MOST_SHIFT);
                solver.assert(right.bvsle(self.number(&most)));
                solver.assert(right.bvsge(self.number(&-most)));
            }
            nodes.insert(
                product.node,
                self.computed(product.operator, &left, &right)?,
            );
        }
        for constraint in self.problem.constraints {
            solver.assert(self.relation(constraint, &nodes)?);
        }
        Some(variables)
    }

    fn number(&self, value: &BigInt) -> BV {
        let modulus = BigInt::one() << self.width;
        let value = ((value % &modulus) + &modulus) % &modulus;
        let number = BV::from_str(self.width, &value.to_string());
        number.expect("an integer is written in digits")
    }

    fn sum(&self, linear: &Linear, nodes: &HashMap<NodeId, BV>) -> Option<BV> {
        let mut sum = self.number(&linear.constant.into());
        for (node, coefficient) in &linear.terms {
            let node = nodes.get(node)?;
            sum = match coefficient {
                1 => sum.bvadd(node),
                -1 => sum.bvsub(node),
                _ => sum.bvadd(node.bvmul(self.number(&(*coefficient).into()))),
            };
        }
        Some(sum)
    }

    fn relation(&self, constraint: &Constraint, nodes: &HashMap<NodeId, BV>) -> Option<Bool> {
        let sum = self.sum(&constraint.linear, nodes)?;
        let zero = self.number(&BigInt::zero());
        Some(match constraint.relation {
            Relation::Equal => sum.eq(&zero),
            Relation::Different => !sum.eq(&zero),
            Relation::Less => sum.bvslt(&zero),
            Relation::AtMost => sum.bvsle(&zero),
        })
    }

    fn computed(&self, operator: Operator, left: &BV, right: &BV) -> Option<BV> {
        let shifted = |up: &BV| {
            let is_left = up.bvsge(self.number(&BigInt::zero()));
            is_left.ite(&left.bvshl(up), &left.bvashr(up.bvneg()))
        };
        Some(match operator {
            Operator::Add => left.bvadd(right),
            Operator::Subtract => left.bvsub(right),
            Operator::Multiply => left.bvmul(right),
            Operator::Divide => left.bvsdiv(right),
            Operator::Remainder => left.bvsrem(right),
            Operator::Modulo => left.bvsmod(right),
            Operator::And => left.bvand(right),
            Operator::Or => left.bvor(right),
            Operator::Xor => left.bvxor(right),
            Operator::ShiftLeft => shifted(right),
            Operator::ShiftRight => shifted(&right.bvneg()),
            Operator::Quotient => return None,
        })
    }

    fn values(&self, solver: &Z3, variables: &[BV]) -> Option<Vec<i128>> {
        let model = solver.get_model()?;
        let variables = variables.iter();
        variables
            .map(|variable| {
                let digits = model.eval(variable, true)?.to_string();
                let value = self.signed(parse(&digits)?);
                i128::try_from(value).ok()
            })
            .collect()
    }

    fn signed(&self, value: BigInt) -> BigInt {
        let modulus = BigInt::one() << self.width;
        if value.bits() == u64::from(self.width) {
            value - modulus
        } else {
            value
        }
    }

    /// Values that are nearer to the wanted ones, or smaller.
    fn nicer(
        &self,
        patience: &Patience<'_>,
        solver: &Z3,
        variables: &[BV],
        mut values: Vec<i128>,
    ) -> Vec<i128> {
        let mut assumptions = Vec::new();
        let wanted = self.problem.variables.iter().map(|it| it.1);
        for (number, (variable, wanted)) in variables.iter().zip(wanted).enumerate() {
            let exactly = (wanted, wanted);
            let small = SIZES.into_iter().map(|size| (-size, size));
            for (low, high) in std::iter::once(exactly).chain(small) {
                let (low, high) = (BigInt::from(low), BigInt::from(high));
                let own = values.get(number).copied().map(BigInt::from);
                let fits = |it: &BigInt| low <= *it && *it <= high;
                let within = [
                    variable.bvsge(self.number(&low)),
                    variable.bvsle(self.number(&high)),
                ];
                if self.is_too_wide(&low) || self.is_too_wide(&high) {
                    continue;
                }
                assumptions.push(Bool::and(&within));
                if own.as_ref().is_some_and(fits) {
                    break;
                }
                if BUDGET.check(patience, solver, &assumptions) == SatResult::Sat
                    && let Some(better) = self.values(solver, variables)
                {
                    values = better;
                    break;
                }
                assumptions.pop();
            }
        }
        values
    }

    fn is_too_wide(&self, value: &BigInt) -> bool {
        value.abs().bits() >= u64::from(self.width)
    }
}

/// A value as Z3 writes it: `#xff` or `#b1`.
fn parse(digits: &str) -> Option<BigInt> {
    let (digits, base) = match digits.strip_prefix("#x") {
        Some(digits) => (digits, 16),
        None => (digits.strip_prefix("#b")?, 2),
    };
    BigInt::parse_bytes(digits.as_bytes(), base)
}

#[cfg(test)]
mod tests;
