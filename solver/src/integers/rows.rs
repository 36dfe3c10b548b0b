//! Sums of integers by their places, and bounds that are narrowed by what they are related to.

use super::bounds::{Bounds, FAR};
use super::linear::{Constraint, Linear, Relation};
use crate::graph::NodeId;

/// How often all bounds are narrowed.
const ROUNDS: usize = 20;

/// A constraint on variables by their numbers.
pub(super) struct Row {
    terms: Vec<(usize, i128)>,
    constant: i128,
    relation: Relation,
}

impl Row {
    /// `None` if a node in it has no number.
    pub(super) fn new(
        constraint: &Constraint,
        index: impl Fn(NodeId) -> Option<usize>,
    ) -> Option<Self> {
        let row = Self::of_sum(&constraint.linear, index)?;
        Some(Self {
            relation: constraint.relation,
            ..row
        })
    }

    /// The same for a sum that is related to nothing.
    pub(super) fn of_sum(sum: &Linear, index: impl Fn(NodeId) -> Option<usize>) -> Option<Self> {
        let terms = sum.terms.iter();
        let terms = terms.map(|(node, coefficient)| Some((index(*node)?, *coefficient)));
        Some(Self {
            terms: terms.collect::<Option<_>>()?,
            constant: sum.constant,
            relation: Relation::Equal,
        })
    }

    /// The bounds of the sum.
    pub(super) fn bounds(&self, bounds: &[Bounds]) -> Bounds {
        let least = |sign: i128| match least_sum(self, sign, bounds) {
            Some((least, 0)) if least.abs() < FAR => least,
            _ => -FAR,
        };
        Bounds {
            low: least(1),
            high: -least(-1),
        }
    }

    pub(super) fn holds(&self, values: &[i128]) -> bool {
        let mut terms = self.terms.iter().map(|(number, coefficient)| {
            let value = values.get(*number)?;
            value.checked_mul(*coefficient)
        });
        let sum = terms.try_fold(self.constant, |sum, term| sum.checked_add(term?));
        sum.is_some_and(|sum| self.relation.holds(sum))
    }
}

/// Narrows all bounds; `false` if there are no values.
pub(super) fn narrow_all(rows: &[Row], bounds: &mut [Bounds]) -> bool {
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

/// `sign · sum ≤ limit`. Nothing is narrowed where numbers become too large.
pub(super) fn at_most(row: &Row, sign: i128, limit: i128, bounds: &mut [Bounds]) -> Option<bool> {
    let Some((least, unbounded)) = least_sum(row, sign, bounds) else {
        return Some(false);
    };
    if unbounded == 0 && least > limit {
        return None;
    }
    let mut changed = false;
    for (number, coefficient) in &row.terms {
        let own = bounds.get_mut(*number)?;
        let coefficient = coefficient.checked_mul(sign);
        let Some(coefficient) = coefficient.filter(|it| *it != i128::MIN) else {
            continue;
        };
        let rest = match least_of(own, coefficient) {
            Least::Value(term) if unbounded == 0 => least.checked_sub(term),
            Least::None if unbounded == 1 => Some(least),
            Least::Value(_) | Least::None | Least::TooLarge => None,
        };
        let Some(room) = rest.and_then(|rest| limit.checked_sub(rest)) else {
            continue;
        };
        if coefficient > 0 {
            let high = room.div_euclid(coefficient).max(-FAR);
            if high < own.high {
                own.high = high;
                changed = true;
            }
        } else {
            let low = room.div_euclid(-coefficient).saturating_neg().min(FAR);
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

/// The least value of `sign · sum` without its unbounded terms, and how many of these there are;
/// `None` if it cannot be computed.
fn least_sum(row: &Row, sign: i128, bounds: &[Bounds]) -> Option<(i128, usize)> {
    let mut least = row.constant.checked_mul(sign)?;
    let mut unbounded = 0;
    for (number, coefficient) in &row.terms {
        match least_of(bounds.get(*number)?, coefficient.checked_mul(sign)?) {
            Least::Value(term) => least = least.checked_add(term)?,
            Least::None => unbounded += 1,
            Least::TooLarge => return None,
        }
    }
    Some((least, unbounded))
}

/// The least value of a term.
enum Least {
    Value(i128),
    /// There is no known bound.
    None,
    /// It cannot be computed.
    TooLarge,
}

fn least_of(bounds: &Bounds, coefficient: i128) -> Least {
    let end = if coefficient > 0 {
        bounds.low
    } else {
        bounds.high
    };
    if end.abs() >= FAR {
        return Least::None;
    }
    let product = end.checked_mul(coefficient);
    product.map_or(Least::TooLarge, Least::Value)
}

/// Narrows by a sum that is not 0. If only one variable is open and the excluded value is at an end
/// of its bounds, it is removed.
fn narrow_different(row: &Row, bounds: &mut [Bounds]) -> Option<bool> {
    let mut sum = row.constant;
    let mut open = None;
    for (number, coefficient) in &row.terms {
        let own = bounds.get(*number)?;
        if own.low == own.high && own.low.abs() < FAR {
            let term = own.low.checked_mul(*coefficient);
            match term.and_then(|term| sum.checked_add(term)) {
                Some(more) => sum = more,
                None => return Some(false),
            }
        } else if open.replace((*number, *coefficient)).is_some() {
            return Some(false);
        }
    }
    let Some((number, coefficient)) = open else {
        return (sum != 0).then_some(false);
    };
    let excluded = sum.checked_neg().filter(|sum| sum % coefficient == 0);
    let Some(excluded) = excluded.map(|sum| sum / coefficient) else {
        return Some(false);
    };
    let own = bounds.get_mut(number)?;
    // A far bound is no bound.
    if excluded.abs() >= FAR {
        return Some(false);
    }
    if own.low == excluded {
        own.low += 1;
    } else if own.high == excluded {
        own.high -= 1;
    } else {
        return Some(false);
    }
    Some(true)
}
