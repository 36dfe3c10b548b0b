//! What the bounds of the sides of an operation say about its result, and the other way round.

use super::bounds::{Bounds, FAR};
use super::exact::exact;
use crate::graph::Operator;

/// Shifts by more bits say nothing.
const MOST_SHIFT: i128 = 100;

/// Bounds of all results of an operation on values within bounds.
pub(super) fn result(operator: Operator, left: Bounds, right: Bounds) -> Bounds {
    if let (Some(left), Some(right)) = (left.only(), right.only()) {
        return exact(operator, left, right).map_or(Bounds::ALL, Bounds::point);
    }
    match operator {
        Operator::Add | Operator::Subtract | Operator::Multiply => ends(operator, left, right),
        Operator::Divide => quotient(left, right),
        Operator::Remainder => remainder(left, right),
        Operator::Modulo => match right.only() {
            Some(by) if by > 0 => modulo(left, by),
            _ => Bounds::ALL,
        },
        Operator::And => common_bits(left, right),
        Operator::Or | Operator::Xor => all_bits(operator, left, right),
        Operator::ShiftLeft => shift(right).map_or(Bounds::ALL, |by| shifted_left(left, by)),
        Operator::ShiftRight => shift(right).map_or(Bounds::ALL, |by| Bounds {
            low: if is_far(left.low) {
                -FAR
            } else {
                left.low >> by
            },
            high: if is_far(left.high) {
                FAR
            } else {
                left.high >> by
            },
        }),
        Operator::Quotient => Bounds::ALL,
    }
}

/// Bounds of the values that the left side can have, given those of the result and the right side.
pub(super) fn left_side(
    operator: Operator,
    left: Bounds,
    right: Bounds,
    result: Bounds,
) -> Option<Bounds> {
    let by = right.only();
    match (operator, by) {
        (Operator::Multiply, _) => factor(right, result),
        (Operator::Divide, Some(by)) if by > 0 => dividend(by, result),
        (Operator::Modulo, Some(by)) if by > 0 => with_rest(left, by, result),
        (Operator::Remainder, Some(by)) if by > 0 && left.low >= 0 => with_rest(left, by, result),
        (Operator::And, Some(mask)) if left.low >= 0 => with_rest(left, period(mask)?, result),
        (Operator::ShiftRight, Some(by)) if (0..MOST_SHIFT).contains(&by) => {
            Some(unshifted(result, 1 << by))
        }
        _ => None,
    }
}

/// Bounds of the values that the right side can have.
pub(super) fn right_side(operator: Operator, left: Bounds, result: Bounds) -> Option<Bounds> {
    if operator == Operator::Multiply {
        factor(left, result)
    } else {
        None
    }
}

fn is_far(value: i128) -> bool {
    value.abs() >= FAR
}

fn near(value: i128) -> i128 {
    value.clamp(-FAR, FAR)
}

/// The hull of what an operation makes of the ends.
fn ends(operator: Operator, left: Bounds, right: Bounds) -> Bounds {
    if [left.low, left.high, right.low, right.high]
        .into_iter()
        .any(is_far)
    {
        return far_ends(operator, left, right);
    }
    let corners = [left.low, left.high].into_iter();
    let corners = corners.flat_map(|it| [(it, right.low), (it, right.high)]);
    let values = corners.map(|(one, other)| exact(operator, one, other));
    hull(values)
}

/// Sums and products of values without bounds, where these are known to be positive.
fn far_ends(operator: Operator, left: Bounds, right: Bounds) -> Bounds {
    let not_negative = left.low >= 0 && right.low >= 0;
    if not_negative && matches!(operator, Operator::Add | Operator::Multiply) {
        Bounds { low: 0, high: FAR }
    } else {
        Bounds::ALL
    }
}

fn hull(mut values: impl Iterator<Item = Option<i128>> + Clone) -> Bounds {
    let low = values
        .clone()
        .try_fold(i128::MAX, |low, it| Some(low.min(it?)));
    let high = values.try_fold(i128::MIN, |high, it| Some(high.max(it?)));
    match (low, high) {
        (Some(low), Some(high)) if !is_far(low) && !is_far(high) => Bounds { low, high },
        _ => Bounds::ALL,
    }
}

/// A division that may have no result says nothing: values for which it has none must not be lost.
fn has_zero(bounds: Bounds) -> bool {
    bounds.low <= 0 && bounds.high >= 0
}

fn quotient(left: Bounds, right: Bounds) -> Bounds {
    if has_zero(right) {
        return Bounds::ALL;
    }
    if is_far(left.low) || is_far(left.high) {
        return match right.low >= 1 && left.low >= 0 {
            true => Bounds { low: 0, high: FAR },
            false => Bounds::ALL,
        };
    }
    ends(Operator::Divide, left, right)
}

fn remainder(left: Bounds, right: Bounds) -> Bounds {
    if has_zero(right) {
        return Bounds::ALL;
    }
    if let Some(by) = right.only()
        && by > 0
        && left.low >= 0
    {
        return modulo(left, by);
    }
    let most = near(right.low.abs().max(right.high.abs()) - 1);
    Bounds {
        low: if left.low >= 0 {
            0
        } else {
            left.low.max(-most)
        },
        high: if left.high <= 0 {
            0
        } else {
            left.high.min(most)
        },
    }
}

/// The remainder of a division by a positive number, never negative.
fn modulo(left: Bounds, by: i128) -> Bounds {
    let is_bounded = !is_far(left.low) && !is_far(left.high);
    if is_bounded && left.low.div_euclid(by) == left.high.div_euclid(by) {
        return Bounds {
            low: left.low.rem_euclid(by),
            high: left.high.rem_euclid(by),
        };
    }
    let most = if left.low >= 0 { left.high } else { FAR };
    Bounds {
        low: 0,
        high: (by - 1).min(most),
    }
}

/// The number of values that a mask of the last bits leaves.
fn period(mask: i128) -> Option<i128> {
    let period = mask.checked_add(1).filter(|it| it.count_ones() == 1);
    period.filter(|it| *it > 0)
}

fn common_bits(left: Bounds, right: Bounds) -> Bounds {
    for (value, mask) in [(left, right), (right, left)] {
        if let Some(period) = mask.only().and_then(period) {
            return modulo(value, period);
        }
    }
    let highs = [left, right].into_iter().filter(|it| it.low >= 0);
    match highs.map(|it| it.high).min() {
        Some(high) => Bounds { low: 0, high },
        None => Bounds::ALL,
    }
}

fn all_bits(operator: Operator, left: Bounds, right: Bounds) -> Bounds {
    let high = left.high.max(right.high);
    if left.low < 0 || right.low < 0 || is_far(high) {
        return Bounds::ALL;
    }
    let bits = i128::BITS - high.leading_zeros();
    Bounds {
        low: if operator == Operator::Or {
            left.low.max(right.low)
        } else {
            0
        },
        high: (1 << bits) - 1,
    }
}

fn shift(by: Bounds) -> Option<u32> {
    let by = by.only().filter(|by| (0..MOST_SHIFT).contains(by))?;
    u32::try_from(by).ok()
}

fn shifted_left(value: Bounds, by: u32) -> Bounds {
    ends(Operator::Multiply, value, Bounds::point(1 << by))
}

/// What a shift by so many bits that this is their number of values makes these values of.
fn unshifted(result: Bounds, values: i128) -> Bounds {
    let low = result.low.checked_mul(values);
    let high = result
        .high
        .checked_add(1)
        .and_then(|it| it.checked_mul(values));
    Bounds {
        low: low.map_or(-FAR, near),
        high: high.map_or(FAR, |it| near(it - 1)),
    }
}

/// What times a factor can give a product.
fn factor(other: Bounds, product: Bounds) -> Option<Bounds> {
    if is_far(product.low) || is_far(product.high) {
        return None;
    }
    let (other, product) = match (other.low > 0, other.high < 0) {
        (true, _) => (other, product),
        (_, true) => (negated(other), negated(product)),
        (false, false) => return None,
    };
    let ceiling = |of: i128, by: i128| -(-of).div_euclid(by);
    Some(Bounds {
        low: ceiling(product.low, other.low).min(ceiling(product.low, other.high)),
        high: (product.high.div_euclid(other.low)).max(product.high.div_euclid(other.high)),
    })
}

fn negated(bounds: Bounds) -> Bounds {
    Bounds {
        low: -bounds.high,
        high: -bounds.low,
    }
}

/// What `div` a positive number can give a quotient.
fn dividend(by: i128, quotient: Bounds) -> Option<Bounds> {
    let low = match quotient.low {
        low if is_far(low) => -FAR,
        low if low <= 0 => low.checked_mul(by)?.checked_sub(by - 1)?,
        low => low.checked_mul(by)?,
    };
    let high = match quotient.high {
        high if is_far(high) => FAR,
        high if high >= 0 => high.checked_mul(by)?.checked_add(by - 1)?,
        high => high.checked_mul(by)?,
    };
    Some(Bounds {
        low: near(low),
        high: near(high),
    })
}

/// The values within bounds whose remainder can be within others, from the first to the last one.
fn with_rest(value: Bounds, by: i128, rest: Bounds) -> Option<Bounds> {
    let (least, most) = (rest.low.max(0), rest.high.min(by - 1));
    if is_far(value.low) || is_far(value.high) || least > most {
        return None;
    }
    let (first, last) = (value.low.rem_euclid(by), value.high.rem_euclid(by));
    let low = match first {
        _ if first < least => value.low - first + least,
        _ if first > most => value.low - first + by + least,
        _ => value.low,
    };
    let high = match last {
        _ if last > most => value.high - last + most,
        _ if last < least => value.high - last - by + most,
        _ => value.high,
    };
    Some(Bounds { low, high })
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPERATORS: [Operator; 11] = [
        Operator::Add,
        Operator::Subtract,
        Operator::Multiply,
        Operator::Divide,
        Operator::Remainder,
        Operator::Modulo,
        Operator::And,
        Operator::Or,
        Operator::Xor,
        Operator::ShiftLeft,
        Operator::ShiftRight,
    ];

    fn has(bounds: Bounds, value: i128) -> bool {
        (bounds.low..=bounds.high).contains(&value)
    }

    /// All bounds from -7 to 9.
    fn all() -> impl Iterator<Item = Bounds> + Clone {
        (-7..=9_i128).flat_map(|low| (low..=9).map(move |high| Bounds { low, high }))
    }

    /// Calls a function with all bounds and all values within them.
    fn for_all(operator: Operator, check: impl Fn([Bounds; 2], i128, i128, i128)) {
        for left in all() {
            for right in all() {
                for one in left.low..=left.high {
                    for other in right.low..=right.high {
                        if let Some(value) = exact(operator, one, other) {
                            check([left, right], one, other, value);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn every_result_is_within_its_bounds() {
        for operator in OPERATORS {
            // The right side of `Modulo` is positive.
            for_all(operator, |[left, right], one, other, value| {
                if operator != Operator::Modulo || right.low > 0 {
                    let bounds = result(operator, left, right);
                    assert!(has(bounds, value), "{operator:?} {one} {other}: {bounds:?}");
                }
            });
        }
    }

    #[test]
    fn no_side_that_has_the_result_is_lost() {
        for operator in OPERATORS {
            for_all(operator, |[left, right], one, other, value| {
                if operator == Operator::Modulo && right.low <= 0 {
                    return;
                }
                for room in [0, 1, 3] {
                    let result = Bounds {
                        low: value - room,
                        high: value + room,
                    };
                    let sides = [
                        (left_side(operator, left, right, result), one),
                        (right_side(operator, left, result), other),
                    ];
                    for (bounds, side) in sides {
                        let is_kept = bounds.is_none_or(|it| has(it, side));
                        assert!(is_kept, "{operator:?} {one} {other} {result:?}: {bounds:?}");
                    }
                }
            });
        }
    }
}
