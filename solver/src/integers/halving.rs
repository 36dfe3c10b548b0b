//! Questions about products, quotients and bits of integers with bounds.
//!
//! Bounds are narrowed through sums and operations. If some variable is still open, its bounds are
//! halved, and the half with the wanted value comes first. Values that are nearly fixed make nearly all
//! operations exact, so chains of `div` and `rem`, as in calendars, are no harder than sums.

use std::collections::HashMap;

use super::all_values::Equations;
use super::bounds::{Bounds, FAR};
use super::operation_bounds::{left_side, result, right_side};
use super::problem::{Problem, Solution};
use super::rows::{Row, at_most, narrow_all};
use crate::graph::{NodeId, Operator};
use crate::patience::Patience;

/// How many halves are looked at.
const MOST_HALVES: usize = 3_000;
/// How often operations are narrowed for one half.
const ROUNDS: usize = 8;
/// Variables without bounds are searched only so far from 0, or from the bound that they have.
const REACH: i128 = 1 << 40;

/// Answers a question whose variables have these bounds, unless that takes too long.
pub(super) fn solve(
    problem: &Problem<'_>,
    variables: &[Bounds],
    patience: &Patience<'_>,
) -> Solution {
    let Some(mut halving) = Halving::new(problem, patience) else {
        return Solution::Unknown;
    };
    let mut bounds = variables.to_vec();
    bounds.resize(variables.len() + problem.products.len(), Bounds::ALL);
    if !halving.narrow(&mut bounds) {
        return Solution::None;
    }
    let mut has_bounds = true;
    for own in bounds.iter_mut().take(variables.len()) {
        if own.interval().is_none() {
            has_bounds = false;
            *own = within_reach(*own);
        }
    }
    match halving.search(&mut bounds) {
        Found::Values(values) => Solution::Values(values),
        Found::None if has_bounds && !halving.is_undefined => Solution::None,
        Found::None | Found::GaveUp => Solution::Unknown,
    }
}

fn within_reach(bounds: Bounds) -> Bounds {
    let mut near = bounds;
    if bounds.low <= -FAR {
        near.low = bounds.high.min(0) - REACH;
    }
    if bounds.high >= FAR {
        near.high = bounds.low.max(0) + REACH;
    }
    near
}

/// What a search found.
enum Found {
    Values(Vec<i128>),
    None,
    GaveUp,
}

/// An operation, with places for nodes.
struct Operation {
    operator: Operator,
    left: Row,
    right: Row,
    /// The place of its result.
    place: usize,
}

struct Halving<'query> {
    problem: &'query Problem<'query>,
    patience: &'query Patience<'query>,
    equations: Equations<'query>,
    constraints: Vec<Row>,
    operations: Vec<Operation>,
    halves: usize,
    /// Whether something could not be computed.
    is_undefined: bool,
}

impl<'query> Halving<'query> {
    /// `None` if something in the question is not understood.
    fn new(problem: &'query Problem<'query>, patience: &'query Patience<'query>) -> Option<Self> {
        let variables = problem.variables.iter().map(|it| it.0);
        let nodes = variables.chain(problem.products.iter().map(|it| it.node));
        let places: HashMap<NodeId, usize> = nodes.zip(0..).collect();
        let index = |node: NodeId| places.get(&node).copied();
        let constraints = problem.constraints.iter().map(|it| Row::new(it, index));
        let operations = problem.products.iter().map(|it| {
            Some(Operation {
                operator: it.operator,
                left: Row::of_sum(&it.left, index)?,
                right: Row::of_sum(&it.right, index)?,
                place: index(it.node)?,
            })
        });
        Some(Self {
            problem,
            patience,
            equations: Equations::new(problem)?,
            constraints: constraints.collect::<Option<_>>()?,
            operations: operations.collect::<Option<_>>()?,
            halves: 0,
            is_undefined: false,
        })
    }

    /// Narrows bounds; `false` if no values are left.
    fn narrow(&self, bounds: &mut [Bounds]) -> bool {
        for _ in 0..ROUNDS {
            let before = bounds.to_vec();
            if !narrow_all(&self.constraints, bounds) {
                return false;
            }
            for operation in &self.operations {
                if operation.narrow(bounds).is_none() {
                    return false;
                }
            }
            if before == bounds {
                break;
            }
        }
        true
    }

    /// Looks for values within bounds that were narrowed.
    fn search(&mut self, bounds: &mut [Bounds]) -> Found {
        self.halves += 1;
        if self.halves > MOST_HALVES || self.patience.ends() {
            return Found::GaveUp;
        }
        let variables = self.problem.variables.iter().zip(&*bounds);
        let mut values: Vec<i128> = variables.map(|(it, own)| own.nearest(it.1)).collect();
        let count = values.len();
        let holds = self.equations.holds(&mut values);
        if holds == Some(true) {
            values.truncate(count);
            return Found::Values(values);
        }
        let open = bounds.iter().take(count).enumerate();
        let open = open.filter(|(_, own)| own.low < own.high);
        let Some((place, own)) = open.max_by_key(|(place, own)| (own.high - own.low, !place))
        else {
            self.is_undefined |= holds.is_none();
            return Found::None;
        };
        let wanted = self.problem.variables.get(place).map_or(0, |it| it.1);
        for half in halves(*own, wanted) {
            let mut tried = bounds.to_vec();
            if let Some(own) = tried.get_mut(place) {
                *own = half;
            }
            if self.narrow(&mut tried) {
                match self.search(&mut tried) {
                    Found::None => {}
                    found @ (Found::Values(_) | Found::GaveUp) => return found,
                }
            }
        }
        Found::None
    }
}

/// Both halves of bounds. The one with the wanted value comes first.
fn halves(bounds: Bounds, wanted: i128) -> [Bounds; 2] {
    let middle = bounds.low + (bounds.high - bounds.low) / 2;
    let lower = Bounds {
        high: middle,
        ..bounds
    };
    let upper = Bounds {
        low: middle + 1,
        ..bounds
    };
    if wanted <= middle {
        [lower, upper]
    } else {
        [upper, lower]
    }
}

impl Operation {
    /// Narrows the result by the sides, and the sides by the result; `None` if no values are left.
    fn narrow(&self, bounds: &mut [Bounds]) -> Option<()> {
        let (left, right) = (self.left.bounds(bounds), self.right.bounds(bounds));
        let own = bounds.get_mut(self.place)?;
        *own = own.within(result(self.operator, left, right))?;
        let own = *own;
        if let Some(side) = left_side(self.operator, left, right, own) {
            narrow_side(&self.left, left, side, bounds)?;
        }
        if let Some(side) = right_side(self.operator, left, own) {
            narrow_side(&self.right, right, side, bounds)?;
        }
        Some(())
    }
}

/// Narrows a sum that had some bounds to others.
fn narrow_side(sum: &Row, had: Bounds, side: Bounds, bounds: &mut [Bounds]) -> Option<()> {
    if side.high < had.high && side.high < FAR {
        at_most(sum, 1, side.high, bounds)?;
    }
    if side.low > had.low && side.low > -FAR {
        at_most(sum, -1, -side.low, bounds)?;
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Graph;
    use crate::integers::{Constraint, Linear, Product, Relation};

    /// Builds questions.
    #[derive(Default)]
    struct Question {
        graph: Graph,
        products: Vec<Product>,
        constraints: Vec<Constraint>,
        variables: Vec<(NodeId, i128)>,
        bounds: Vec<Bounds>,
    }

    impl Question {
        fn variable(&mut self, low: i128, high: i128) -> Linear {
            let node = self.graph.input(self.variables.len());
            self.variables.push((node, 0));
            self.bounds.push(Bounds { low, high });
            Linear::node(node)
        }

        fn operation(&mut self, operator: Operator, left: &Linear, right: &Linear) -> Linear {
            // Any node that is not used yet.
            let number = i64::try_from(self.products.len()).expect("few") + 1_000_000;
            let node = self.graph.integer(number);
            self.products.push(Product {
                node,
                operator,
                left: left.clone(),
                right: right.clone(),
            });
            Linear::node(node)
        }

        fn by(&mut self, operator: Operator, left: &Linear, right: i128) -> Linear {
            self.operation(operator, left, &Linear::constant(right))
        }

        fn equal(&mut self, left: Linear, right: i128) {
            let linear = left.minus(Linear::constant(right)).expect("small");
            let relation = Relation::Equal;
            self.constraints.push(Constraint { linear, relation });
        }

        fn answer(&self) -> Solution {
            let problem = Problem {
                constraints: &self.constraints,
                variables: &self.variables,
                products: &self.products,
            };
            solve(&problem, &self.bounds, &Patience::endless())
        }
    }

    /// Seconds of a day with this hour, minute and second.
    fn time(hour: i128, minute: i128, second: i128) -> Solution {
        let mut question = Question::default();
        let time = question.variable(0, 1_000_000_000);
        let day = question.by(Operator::Remainder, &time, 86_400);
        let hours = question.by(Operator::Divide, &day, 3_600);
        let rest = question.by(Operator::Remainder, &day, 3_600);
        let minutes = question.by(Operator::Divide, &rest, 60);
        let seconds = question.by(Operator::Remainder, &rest, 60);
        question.equal(hours, hour);
        question.equal(minutes, minute);
        question.equal(seconds, second);
        question.answer()
    }

    #[test]
    fn chains_of_quotients_and_remainders_are_solved() {
        let expected = 13 * 3_600 + 37 * 60 + 42;
        assert_eq!(time(13, 37, 42), Solution::Values(vec![expected]));
        assert_eq!(time(24, 0, 0), Solution::None);
    }

    #[test]
    fn squares_are_solved() {
        let squares = |sum: i128| {
            let mut question = Question::default();
            let sides = [question.variable(11, 500), question.variable(11, 500)];
            let [one, other] = sides.map(|it| question.operation(Operator::Multiply, &it, &it));
            question.equal(one.plus(&other).expect("small"), sum);
            question.answer()
        };
        assert!(matches!(squares(29 * 29), Solution::Values(_)));
        assert_eq!(squares(19 * 19 + 18 * 18 + 2), Solution::None);
    }

    #[test]
    fn bits_are_solved() {
        let mut question = Question::default();
        let number = question.variable(0, 1 << 90);
        let low = question.by(Operator::And, &number, 0xffff);
        let high = question.by(Operator::ShiftRight, &number, 80);
        question.equal(low, 0xbeef);
        question.equal(high, 77);
        assert_eq!(
            question.answer(),
            Solution::Values(vec![(77 << 80) + 0xbeef])
        );
    }

    #[test]
    fn a_divisor_that_may_be_zero_proves_nothing() {
        let mut question = Question::default();
        let [number, divisor] = [question.variable(1, 9_000), question.variable(0, 1)];
        let quotient = question.operation(Operator::Divide, &number, &divisor);
        question.equal(quotient, 9_001);
        assert_eq!(question.answer(), Solution::Unknown);
    }

    #[test]
    fn values_without_bounds_are_found_near_zero() {
        let mut question = Question::default();
        let number = question.variable(-FAR, FAR);
        let rest = question.by(Operator::Remainder, &number, 1_000);
        let quotient = question.by(Operator::Divide, &number, 1_000);
        question.equal(rest, 77);
        question.equal(quotient, 12);
        assert_eq!(question.answer(), Solution::Values(vec![12_077]));
    }

    #[test]
    fn values_with_one_bound_are_found_near_it() {
        let bound = 1 << 70;
        for (low, high, sign) in [(bound, FAR, 1), (-FAR, -bound, -1)] {
            let mut question = Question::default();
            let number = question.variable(low, high);
            let rest = question.by(Operator::Remainder, &number, 1_000);
            question.equal(rest, 77 * sign);
            let Solution::Values(values) = question.answer() else {
                panic!("there is a value");
            };
            let value = values.first().copied().expect("there is one variable");
            assert!((low..=high).contains(&value), "{value}");
            assert_eq!(value % 1_000, 77 * sign);
        }
    }
}
