//! Questions about few integers with close bounds: all values are tried. This way products and
//! quotients are no harder than sums.

use std::collections::HashMap;

use super::bounds::Bounds;
use super::exact::exact;
use super::linear::Linear;
use super::problem::{Problem, Solution};
use crate::graph::{NodeId, Operator};
use crate::patience::Patience;

/// At most this many combinations of values are tried.
const MOST: u64 = 4096;

/// Answers a question whose variables have these bounds; `None` if there are too many values.
pub(super) fn try_all(
    problem: &Problem<'_>,
    bounds: &[Bounds],
    patience: &Patience<'_>,
) -> Option<Solution> {
    let mut count = 1_u64;
    for bounds in bounds {
        let size = bounds.high.checked_sub(bounds.low)?.checked_add(1)?;
        count = count.checked_mul(u64::try_from(size).ok()?)?;
        if count > MOST {
            return None;
        }
    }
    let wanted = problem.variables.iter().map(|it| it.1);
    let choices: Vec<Vec<i128>> = wanted.zip(bounds).map(|(it, of)| nearest(it, of)).collect();
    let question = Equations::new(problem)?;
    let mut is_undefined = false;
    for number in 0..count {
        if patience.ends() {
            return Some(Solution::Unknown);
        }
        let mut values = combination(&choices, number)?;
        match question.holds(&mut values) {
            Some(true) => {
                values.truncate(choices.len());
                return Some(Solution::Values(values));
            }
            Some(false) => {}
            None => is_undefined = true,
        }
    }
    Some(if is_undefined {
        Solution::Unknown
    } else {
        Solution::None
    })
}

/// Whether values of the variables fulfil all constraints.
pub(super) fn is_solution(problem: &Problem<'_>, values: &[i128]) -> bool {
    let question = Equations::new(problem);
    question.is_some_and(|it| it.holds(&mut values.to_vec()) == Some(true))
}

/// The values within bounds, those near the wanted one first.
fn nearest(wanted: i128, bounds: &Bounds) -> Vec<i128> {
    let mut values: Vec<i128> = (bounds.low..=bounds.high).collect();
    values.sort_by_key(|value| value.abs_diff(wanted));
    values
}

/// One choice for each variable. The last one changes with each number.
fn combination(choices: &[Vec<i128>], number: u64) -> Option<Vec<i128>> {
    let mut rest = number;
    let mut values = Vec::with_capacity(choices.len());
    for of in choices.iter().rev() {
        let size = u64::try_from(of.len()).ok()?;
        let index = usize::try_from(rest.checked_rem(size)?).ok()?;
        values.push(*of.get(index)?);
        rest /= size;
    }
    values.reverse();
    Some(values)
}

/// A sum of numbers, by their places.
struct Sum {
    terms: Vec<(usize, i128)>,
    constant: i128,
}

impl Sum {
    fn new(linear: &Linear, places: &HashMap<NodeId, usize>) -> Option<Self> {
        let terms = linear.terms.iter();
        let terms = terms.map(|(node, coefficient)| Some((*places.get(node)?, *coefficient)));
        Some(Self {
            terms: terms.collect::<Option<_>>()?,
            constant: linear.constant,
        })
    }

    fn value(&self, values: &[i128]) -> Option<i128> {
        let mut terms = self.terms.iter();
        terms.try_fold(self.constant, |sum, (place, coefficient)| {
            sum.checked_add(values.get(*place)?.checked_mul(*coefficient)?)
        })
    }
}

/// A question in terms of places: variables first, then products in their order.
pub(super) struct Equations<'problem> {
    products: Vec<(Operator, Sum, Sum)>,
    constraints: Vec<Sum>,
    problem: &'problem Problem<'problem>,
}

impl<'problem> Equations<'problem> {
    pub(super) fn new(problem: &'problem Problem<'_>) -> Option<Self> {
        let variables = problem.variables.iter().map(|it| it.0);
        let nodes = variables.chain(problem.products.iter().map(|it| it.node));
        let places: HashMap<NodeId, usize> = nodes.zip(0..).collect();
        let products = problem.products.iter().map(|it| {
            let (left, right) = (Sum::new(&it.left, &places)?, Sum::new(&it.right, &places)?);
            Some((it.operator, left, right))
        });
        let constraints = problem.constraints.iter();
        let constraints = constraints.map(|it| Sum::new(&it.linear, &places));
        Some(Self {
            products: products.collect::<Option<_>>()?,
            constraints: constraints.collect::<Option<_>>()?,
            problem,
        })
    }

    /// Whether values fulfil all constraints; `None` if something cannot be computed. Products are
    /// added to the values.
    pub(super) fn holds(&self, values: &mut Vec<i128>) -> Option<bool> {
        for (operator, left, right) in &self.products {
            let (left, right) = (left.value(values)?, right.value(values)?);
            values.push(exact(*operator, left, right)?);
        }
        let relations = self.problem.constraints.iter().map(|it| it.relation);
        for (sum, relation) in self.constraints.iter().zip(relations) {
            if !relation.holds(sum.value(values)?) {
                return Some(false);
            }
        }
        Some(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Graph;
    use crate::integers::{Constraint, Product, Relation};

    /// `X` from 1 to 200 with `X div 9 = 8` and `X rem 7 = rest`.
    fn ask(rest: i128) -> Option<Solution> {
        let mut graph = Graph::default();
        let x = graph.input(0);
        let (nine, seven) = (graph.integer(9), graph.integer(7));
        let operations = [
            (Operator::Divide, nine, 9, 8),
            (Operator::Remainder, seven, 7, rest),
        ];
        let mut products = Vec::new();
        let mut constraints = Vec::new();
        for (operator, divisor, right, result) in operations {
            let node = graph.arithmetic(operator, x, divisor);
            products.push(Product {
                node,
                operator,
                left: Linear::node(x),
                right: Linear::constant(right),
            });
            constraints.push(Constraint {
                linear: Linear::node(node).plus(&Linear::constant(-result))?,
                relation: Relation::Equal,
            });
        }
        let problem = Problem {
            constraints: &constraints,
            variables: &[(x, 0)],
            products: &products,
        };
        try_all(
            &problem,
            &[Bounds { low: 1, high: 200 }],
            &Patience::endless(),
        )
    }

    #[test]
    fn finds_a_quotient_with_a_remainder() {
        assert_eq!(ask(3), Some(Solution::Values(vec![73])));
    }

    #[test]
    fn proves_that_there_is_none() {
        assert_eq!(ask(7), Some(Solution::None));
    }

    #[test]
    fn far_bounds_give_too_many_values() {
        let variables = [(Graph::default().input(0), 0)];
        let problem = Problem {
            constraints: &[],
            variables: &variables,
            products: &[],
        };
        let bounds = [Bounds { low: 0, high: 9999 }];
        assert_eq!(try_all(&problem, &bounds, &Patience::endless()), None);
    }
}
