//! Easy questions, which most are: bounds are narrowed, then each variable gets the possible value
//! nearest to the wanted one.

use super::all_values::try_all;
use super::bounds::Bounds;
use super::halving;
use super::problem::{Integers, Problem, Solution};
use super::rows::{Row, narrow_all};
use crate::graph::NodeId;
use crate::patience::Patience;

/// How far we look for values when the nearest ones are excluded.
const STEPS: i128 = 64;

/// Answers easy questions. All others are unknown.
#[derive(Debug, Default)]
pub struct NativeIntegers {
    /// How many questions were answered.
    pub answered: u64,
}

impl Integers for NativeIntegers {
    fn solve(&mut self, problem: &Problem<'_>, patience: &Patience<'_>) -> Solution {
        let solution = solve(problem, patience);
        if solution != Solution::Unknown {
            self.answered += 1;
        }
        solution
    }
}

/// The constraints that are linear.
fn rows(problem: &Problem<'_>) -> Vec<Row> {
    let index = |node: NodeId| problem.variables.iter().position(|it| it.0 == node);
    let constraints = problem.constraints.iter();
    constraints.filter_map(|it| Row::new(it, index)).collect()
}

/// The values that the variables can have; `None` if there are none.
pub(super) fn bounds(problem: &Problem<'_>) -> Option<Vec<Bounds>> {
    let mut bounds = vec![Bounds::ALL; problem.variables.len()];
    narrow_all(&rows(problem), &mut bounds).then_some(bounds)
}

fn solve(problem: &Problem<'_>, patience: &Patience<'_>) -> Solution {
    let rows = rows(problem);
    let mut bounds = vec![Bounds::ALL; problem.variables.len()];
    if !narrow_all(&rows, &mut bounds) {
        return Solution::None;
    }
    if rows.len() < problem.constraints.len() {
        let tried = try_all(problem, &bounds, patience);
        return tried.unwrap_or_else(|| halving::solve(problem, &bounds, patience));
    }
    let mut values: Vec<i128> = Vec::with_capacity(bounds.len());
    for (number, (_, wanted)) in problem.variables.iter().enumerate() {
        if patience.ends() {
            return Solution::Unknown;
        }
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

/// The value nearest to the wanted one that leaves values for the other variables.
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
