//! The easy questions, which are most: bounds are narrowed, then each variable gets the value
//! nearest to the wanted one.

use super::{Constraint, Integers, Linear, Problem, Relation, Solution};
use crate::graph::NodeId;

/// How often all bounds are narrowed.
const ROUNDS: usize = 20;
/// How far values are looked for when the nearest ones are excluded.
const STEPS: i128 = 64;

/// Answers easy questions, and hands the others on.
#[derive(Debug, Default)]
pub struct NativeIntegers {
    /// How many questions were answered.
    pub answered: u64,
}

/// The values that a variable can have.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    low: i128,
    high: i128,
}

/// Beyond this nothing is narrowed, so that sums do not overflow. A bound at this distance says
/// nothing about how far a value is.
const FAR: i128 = 1 << 100;

impl Bounds {
    const ALL: Self = Self {
        low: -FAR,
        high: FAR,
    };

    fn nearest(self, wanted: i128) -> i128 {
        wanted.clamp(self.low, self.high)
    }
}

impl Integers for NativeIntegers {
    fn solve(&mut self, problem: &Problem<'_>) -> Solution {
        let solution = solve(problem);
        if solution != Solution::Unknown {
            self.answered += 1;
        }
        solution
    }
}

fn solve(problem: &Problem<'_>) -> Solution {
    let index = |node: NodeId| problem.variables.iter().position(|it| it.0 == node);
    let mut rows = Vec::with_capacity(problem.constraints.len());
    for constraint in problem.constraints {
        match row(constraint, index) {
            Some(row) => rows.push(row),
            None => return Solution::Unknown,
        }
    }
    let mut bounds = vec![Bounds::ALL; problem.variables.len()];
    if !narrow_all(&rows, &mut bounds) {
        return Solution::None;
    }
    let mut values: Vec<i128> = Vec::with_capacity(bounds.len());
    for (number, (_, wanted)) in problem.variables.iter().enumerate() {
        match choose(&rows, &mut bounds, number, *wanted) {
            Some(value) => values.push(value),
            None => return Solution::Unknown,
        }
    }
    if rows.iter().all(|row| row.holds(&values)) {
        Solution::Values(values)
    } else {
        Solution::Unknown
    }
}

/// A constraint on variables by their numbers.
struct Row {
    terms: Vec<(usize, i128)>,
    constant: i128,
    relation: Relation,
}

impl Row {
    fn holds(&self, values: &[i128]) -> bool {
        let mut terms = self.terms.iter().map(|(number, coefficient)| {
            let value = values.get(*number)?;
            value.checked_mul(*coefficient)
        });
        let sum = terms.try_fold(self.constant, |sum, term| sum.checked_add(term?));
        sum.is_some_and(|sum| self.relation.holds(sum))
    }
}

/// `None` if something in it is not linear.
fn row(constraint: &Constraint, index: impl Fn(NodeId) -> Option<usize>) -> Option<Row> {
    let Linear { terms, constant } = &constraint.linear;
    let terms = terms
        .iter()
        .map(|(node, coefficient)| Some((index(*node)?, *coefficient)))
        .collect::<Option<_>>()?;
    Some(Row {
        terms,
        constant: *constant,
        relation: constraint.relation,
    })
}

/// The value nearest to the wanted one with which the bounds of the others do not become empty.
fn choose(rows: &[Row], bounds: &mut Vec<Bounds>, number: usize, wanted: i128) -> Option<i128> {
    let own = *bounds.get(number)?;
    let nearest = own.nearest(wanted);
    let near = (0..STEPS).flat_map(|step| [nearest + step, nearest - step]);
    for value in near.filter(|value| (own.low..=own.high).contains(value)) {
        let mut tried = bounds.clone();
        *tried.get_mut(number)? = Bounds {
            low: value,
            high: value,
        };
        if narrow_all(rows, &mut tried) {
            *bounds = tried;
            return Some(value);
        }
    }
    None
}

/// Narrows all bounds; `false` if there are no values.
fn narrow_all(rows: &[Row], bounds: &mut [Bounds]) -> bool {
    for _ in 0..ROUNDS {
        let mut changed = false;
        for row in rows {
            match narrow(row, bounds) {
                Some(more) => changed |= more,
                None => return false,
            }
        }
        if !changed {
            break;
        }
    }
    true
}

/// Narrows by one constraint: whether something changed, `None` if it cannot hold.
fn narrow(row: &Row, bounds: &mut [Bounds]) -> Option<bool> {
    let changed = match row.relation {
        Relation::Different => return narrow_different(row, bounds),
        Relation::Less => at_most(row, 1, -1, bounds)?,
        Relation::AtMost => at_most(row, 1, 0, bounds)?,
        Relation::Equal => {
            let up = at_most(row, 1, 0, bounds)?;
            let down = at_most(row, -1, 0, bounds)?;
            up || down
        }
    };
    Some(changed)
}

/// `sign · sum ≤ limit`.
fn at_most(row: &Row, sign: i128, limit: i128, bounds: &mut [Bounds]) -> Option<bool> {
    let mut least = row.constant.checked_mul(sign)?;
    let mut unbounded = 0;
    for (number, coefficient) in &row.terms {
        match least_of(bounds.get(*number)?, coefficient * sign) {
            Some(term) => least = least.saturating_add(term),
            None => unbounded += 1,
        }
    }
    if unbounded == 0 && least > limit {
        return None;
    }
    let mut changed = false;
    for (number, coefficient) in &row.terms {
        let coefficient = coefficient * sign;
        let own = bounds.get_mut(*number)?;
        let rest = match (least_of(own, coefficient), unbounded) {
            (Some(term), 0) => least.saturating_sub(term),
            (None, 1) => least,
            _ => continue,
        };
        let room = limit.saturating_sub(rest);
        if coefficient > 0 {
            let high = room.div_euclid(coefficient).max(-FAR);
            if high < own.high {
                own.high = high;
                changed = true;
            }
        } else {
            let low = (-(room.div_euclid(-coefficient))).min(FAR);
            if low > own.low {
                own.low = low;
                changed = true;
            }
        }
        if own.low > own.high {
            return None;
        }
    }
    Some(changed)
}

/// The least value of a term, if there is one.
fn least_of(bounds: &Bounds, coefficient: i128) -> Option<i128> {
    let end = if coefficient > 0 {
        bounds.low
    } else {
        bounds.high
    };
    (end.abs() < FAR).then(|| end.saturating_mul(coefficient))
}

/// A sum that is not 0 takes a value off the end of the bounds of its only open variable.
fn narrow_different(row: &Row, bounds: &mut [Bounds]) -> Option<bool> {
    let mut sum = row.constant;
    let mut open = None;
    for (number, coefficient) in &row.terms {
        let own = bounds.get(*number)?;
        if own.low == own.high && own.low.abs() < FAR {
            sum = sum.saturating_add(own.low.saturating_mul(*coefficient));
        } else if open.replace((*number, *coefficient)).is_some() {
            return Some(false);
        }
    }
    let Some((number, coefficient)) = open else {
        return (sum != 0).then_some(false);
    };
    if sum % coefficient != 0 {
        return Some(false);
    }
    let excluded = -sum / coefficient;
    let own = bounds.get_mut(number)?;
    if own.low == excluded {
        own.low += 1;
    } else if own.high == excluded {
        own.high -= 1;
    } else {
        return Some(false);
    }
    Some(true)
}
