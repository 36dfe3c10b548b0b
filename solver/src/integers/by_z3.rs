//! Questions that are not easy, answered by Z3.
//!
//! A Z3 solver is slow to make and fast to use, so there is only one, and each question is asked
//! between a push and a pop. Of all answers we look for one near the wanted values: variables keep
//! their wanted values where they can, and get small ones where they cannot.

use std::collections::HashMap;
use std::time::Duration;

use num_bigint::BigInt;
use z3::ast::{Bool, Int};
use z3::{SatResult, Solver as Z3};

use super::bit_vectors;
use super::linear::{Constraint, Linear, Relation};
use super::narrowing::NativeIntegers;
use super::problem::{Integers, Problem, Product, Solution};
use crate::graph::NodeId;
use crate::patience::Patience;
use crate::smt::{Budget, LARGE, Side, computed, with_constant};

/// For one check. Most need less than a tenth of it.
const BUDGET: Budget = Budget {
    units: 20_000,
    time: Duration::from_millis(500),
};
/// With more operations on bits, bit vectors are asked first. They are better at many such
/// operations, integers without a width at few.
const FEW_BITWISE: usize = 2;
/// The sizes of values to try, the nicest first.
const SIZES: [i64; 3] = [10, 100, 1000];

/// The version of the Z3 that this program runs with.
pub fn z3_version() -> &'static str {
    let text = z3::full_version();
    text.strip_prefix("Z3 ").unwrap_or(text)
}

/// Answers easy questions by itself, and asks Z3 the others.
#[derive(Debug)]
pub struct Z3Integers {
    native: NativeIntegers,
    /// Made when it is needed, which may be never: that takes milliseconds.
    solver: Option<Z3>,
    /// The answers to questions that Z3 was asked before; `None` if they are not cached.
    cache: Option<HashMap<Vec<i128>, Solution>>,
    /// How many questions were answered from the cache.
    cached: u64,
    /// How many questions Z3 was asked.
    pub asked: u64,
    /// How many of them it answered.
    pub answered: u64,
}

impl Default for Z3Integers {
    fn default() -> Self {
        Self {
            native: NativeIntegers::default(),
            solver: None,
            cache: Some(HashMap::new()),
            cached: 0,
            asked: 0,
            answered: 0,
        }
    }
}

impl Z3Integers {
    /// Turns the cache off.
    #[must_use]
    pub fn without_cache(self) -> Self {
        Self {
            cache: None,
            ..self
        }
    }

    fn ask_z3(&mut self, problem: &Problem<'_>, patience: &Patience<'_>) -> Solution {
        self.asked += 1;
        let bitwise = problem.products.iter();
        let bitwise = bitwise.filter(|it| it.operator.is_bitwise()).count();
        let solution = match bitwise {
            0 => self.ask_as_integers(problem, patience),
            1..=FEW_BITWISE => self
                .ask_as_integers(problem, patience)
                .or_else(|| bit_vectors::solve(problem, patience)),
            _ => bit_vectors::solve(problem, patience)
                .or_else(|| self.ask_as_integers(problem, patience)),
        };
        if solution != Solution::Unknown {
            self.answered += 1;
        }
        solution
    }

    fn ask_as_integers(&mut self, problem: &Problem<'_>, patience: &Patience<'_>) -> Solution {
        let solver = self.solver.get_or_insert_with(|| BUDGET.solver());
        solver.push();
        let query = IntegerQuery::new(solver, problem, patience);
        let solution = query.map_or(Solution::Unknown, |it| it.solve());
        solver.pop(1);
        solution
    }

    /// How many questions were answered without Z3.
    pub fn answered_natively(&self) -> u64 {
        self.native.answered
    }
}

impl Integers for Z3Integers {
    fn solve(&mut self, problem: &Problem<'_>, patience: &Patience<'_>) -> Solution {
        let native = self.native.solve(problem, patience);
        if native != Solution::Unknown {
            return native;
        }
        let key = self.cache.as_ref().map(|_| problem.key());
        if let (Some(cache), Some(key)) = (&self.cache, &key)
            && let Some(known) = cache.get(key)
        {
            self.cached += 1;
            return known.clone();
        }
        let solution = self.ask_z3(problem, patience);
        // An answer that was cut short says nothing about the next time.
        if !patience.has_ended()
            && let (Some(cache), Some(key)) = (&mut self.cache, key)
        {
            cache.insert(key, solution.clone());
        }
        solution
    }

    fn cached(&self) -> u64 {
        self.cached
    }

    fn asked_elsewhere(&self) -> u64 {
        self.asked
    }
}

/// A question, translated.
struct IntegerQuery<'query> {
    solver: &'query Z3,
    patience: &'query Patience<'query>,
    /// The variables with the values they should have.
    variables: Vec<(Int, i128)>,
    /// No divisor is zero. A division comes after a condition that says so, but that condition may
    /// not be among the constraints, and Z3 lets a division by zero be anything.
    is_defined: Vec<Bool>,
}

impl<'query> IntegerQuery<'query> {
    /// `None` if something in it cannot be translated.
    fn new(
        solver: &'query Z3,
        problem: &Problem<'_>,
        patience: &'query Patience<'query>,
    ) -> Option<Self> {
        let mut nodes = HashMap::new();
        let mut variables = Vec::new();
        for (number, (node, wanted)) in (0u32..).zip(problem.variables) {
            let variable = Int::new_const(number);
            nodes.insert(*node, variable.clone());
            variables.push((variable, *wanted));
        }
        let mut is_defined = Vec::new();
        let mut sizes: HashMap<NodeId, usize> = HashMap::new();
        for product in problem.products {
            if patience.ends() {
                return None;
            }
            let (left, right) = (sum(&product.left, &nodes), sum(&product.right, &nodes));
            if product.operator.is_division() {
                is_defined.push(!right.eq(0));
            }
            let value = computed(product.operator, &left, &right);
            let mut value = value.or_else(|| by_bits(product, &left, &right))?;
            let mut size = size_of(product, &sizes);
            if size > LARGE {
                let name = Int::fresh_const("named");
                solver.assert(name.eq(&value));
                (value, size) = (name, 0);
            }
            sizes.insert(product.node, size);
            nodes.insert(product.node, value);
        }
        for constraint in problem.constraints {
            if patience.ends() {
                return None;
            }
            solver.assert(relation(constraint, &nodes));
        }
        Some(Self {
            solver,
            patience,
            variables,
            is_defined,
        })
    }

    fn solve(&self) -> Solution {
        let assumptions = self.is_defined.clone();
        match BUDGET.check(self.patience, self.solver, &assumptions) {
            SatResult::Sat => match self.values() {
                Some(values) => Solution::Values(self.nicer(assumptions, values)),
                None => Solution::Unknown,
            },
            SatResult::Unsat
                if BUDGET.check(self.patience, self.solver, &[]) == SatResult::Unsat =>
            {
                Solution::None
            }
            SatResult::Unsat => Solution::Unknown,
            SatResult::Unknown => self.solve_bounded(assumptions),
        }
    }

    /// Tries small values, which Z3 may find where it finds no others.
    fn solve_bounded(&self, mut assumptions: Vec<Bool>) -> Solution {
        for (variable, _) in &self.variables {
            assumptions.push(within(variable, SIZES[1]));
        }
        match self.check(&assumptions) {
            Some(values) => Solution::Values(self.nicer(assumptions, values)),
            None => Solution::Unknown,
        }
    }

    /// Values that are nearer to the wanted ones, or smaller.
    fn nicer(&self, mut assumptions: Vec<Bool>, mut values: Vec<i128>) -> Vec<i128> {
        for (number, (variable, wanted)) in self.variables.iter().enumerate() {
            for (wish, is_fulfilled) in wishes(variable, *wanted) {
                assumptions.push(wish);
                if values.get(number).copied().is_some_and(is_fulfilled) {
                    break;
                }
                if let Some(better) = self.check(&assumptions) {
                    values = better;
                    break;
                }
                assumptions.pop();
            }
        }
        values
    }

    fn check(&self, assumptions: &[Bool]) -> Option<Vec<i128>> {
        match BUDGET.check(self.patience, self.solver, assumptions) {
            SatResult::Sat => self.values(),
            SatResult::Unsat | SatResult::Unknown => None,
        }
    }

    /// The values found; `None` if one is too large.
    fn values(&self) -> Option<Vec<i128>> {
        let model = self.solver.get_model()?;
        let variables = self.variables.iter();
        variables
            .map(|(variable, _)| model.eval(variable, true)?.as_i128())
            .collect()
    }
}

/// How many operations a product consists of.
fn size_of(product: &Product, sizes: &HashMap<NodeId, usize>) -> usize {
    let terms = product.left.terms.iter().chain(&product.right.terms);
    let inside = terms.filter_map(|(node, _)| sizes.get(node));
    1 + inside.sum::<usize>()
}

type Wish = (Bool, Box<dyn Fn(i128) -> bool>);

/// Wishes for the value of a variable, the nicest first, each with a check of a value.
fn wishes(variable: &Int, wanted: i128) -> impl Iterator<Item = Wish> {
    let same: Wish = (
        variable.eq(Int::from(wanted)),
        Box::new(move |value| value == wanted),
    );
    let small = SIZES.into_iter().map(|size| -> Wish {
        let is_within = move |value: i128| value.unsigned_abs() <= u128::from(size.unsigned_abs());
        (within(variable, size), Box::new(is_within))
    });
    std::iter::once(same).chain(small)
}

fn within(variable: &Int, size: i64) -> Bool {
    Bool::and(&[variable.ge(-size), variable.le(size)])
}

fn relation(constraint: &Constraint, nodes: &HashMap<NodeId, Int>) -> Bool {
    let sum = sum(&constraint.linear, nodes);
    match constraint.relation {
        Relation::Equal => sum.eq(0),
        Relation::Different => !sum.eq(0),
        Relation::Less => sum.lt(0),
        Relation::AtMost => sum.le(0),
    }
}

fn sum(linear: &Linear, nodes: &HashMap<NodeId, Int>) -> Int {
    let constant = Int::from(linear.constant);
    let terms = linear.terms.iter().filter_map(|(node, coefficient)| {
        let node = nodes.get(node)?;
        Some(match coefficient {
            1 => node.clone(),
            _ => Int::mul(&[Int::from(*coefficient), node.clone()]),
        })
    });
    let all: Vec<Int> = terms.chain(std::iter::once(constant)).collect();
    Int::add(&all)
}

/// An operation on bits with a constant.
fn by_bits(product: &Product, left: &Int, right: &Int) -> Option<Int> {
    let constant = |linear: &Linear| {
        let is_constant = linear.terms.is_empty();
        is_constant.then(|| BigInt::from(linear.constant))
    };
    let constants = (constant(&product.left), constant(&product.right));
    let side = |value, constant| Side { value, constant };
    with_constant(
        product.operator,
        side(left, constants.0.as_ref()),
        side(right, constants.1.as_ref()),
    )
}

#[cfg(test)]
mod tests;
