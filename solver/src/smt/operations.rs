//! Operations on integers in Z3's terms.
//!
//! Operations on bits in which one side is a constant are sums, quotients and remainders of the
//! other side. Z3's integers have no width, so this is true of all integers.

use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive, Zero};
use z3::ast::Int;

use super::fractions::number;
use crate::graph::Operator;

/// A result with more operations in it, counted as often as they occur, gets a name of its own. Z3
/// walks through what results share again and again, and does not look at its budget meanwhile.
pub(crate) const LARGE: usize = 500;

/// Masks with more gaps are not written out.
const MOST_RUNS: usize = 8;
/// Longer shifts are not written out.
const MOST_SHIFT: i64 = 4096;

/// A side of an operation, and its value if that is a constant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Side<'query> {
    pub(crate) value: &'query Int,
    pub(crate) constant: Option<&'query BigInt>,
}

/// The value of an operation on bits; `None` if it cannot be written in this way.
pub(crate) fn with_constant(operator: Operator, left: Side<'_>, right: Side<'_>) -> Option<Int> {
    if operator.is_shift() {
        let by = right.constant?.to_i64()?;
        let up = if operator == Operator::ShiftLeft {
            by
        } else {
            by.checked_neg()?
        };
        return shifted(left.value, up);
    }
    let (value, mask) = match (left.constant, right.constant) {
        (_, Some(mask)) => (left.value, mask),
        (Some(mask), None) => (right.value, mask),
        (None, None) => return None,
    };
    let common = masked(value, mask)?;
    let either = || Int::add(&[value, &number(mask)]);
    match operator {
        Operator::And => Some(common),
        Operator::Or => Some(Int::sub(&[either(), common])),
        Operator::Xor => Some(Int::sub(&[either(), common.clone(), common])),
        Operator::Add
        | Operator::Subtract
        | Operator::Multiply
        | Operator::Divide
        | Operator::Remainder
        | Operator::Modulo
        | Operator::Quotient
        | Operator::ShiftLeft
        | Operator::ShiftRight => None,
    }
}

fn shifted(value: &Int, up: i64) -> Option<Int> {
    if up.abs() > MOST_SHIFT {
        return None;
    }
    let factor = number(&(BigInt::one() << up.unsigned_abs()));
    Some(if up >= 0 {
        Int::mul(&[value.clone(), factor])
    } else {
        // Z3 rounds down if the divisor is positive.
        value.div(factor)
    })
}

/// The bits that a value has in common with a mask: for each run of ones in it a remainder of a
/// quotient.
fn masked(value: &Int, mask: &BigInt) -> Option<Int> {
    if mask.is_negative() {
        let others = masked(value, &!mask)?;
        return Some(Int::sub(&[value.clone(), others]));
    }
    let runs = runs(mask)?;
    let runs = runs.iter().map(|(low, length)| {
        let (below, size) = (
            number(&(BigInt::one() << *low)),
            number(&(BigInt::one() << *length)),
        );
        Int::mul(&[value.div(&below).modulo(&size), below])
    });
    let sum: Vec<Int> = std::iter::once(Int::from(0)).chain(runs).collect();
    Some(Int::add(&sum))
}

/// Where the runs of ones in a number begin, and how long they are; `None` if these are many.
fn runs(mask: &BigInt) -> Option<Vec<(u64, u64)>> {
    let mut runs = Vec::new();
    let mut rest = mask.clone();
    let mut place = 0;
    while !rest.is_zero() {
        let gap = rest.trailing_zeros()?;
        rest >>= gap;
        let length = (&rest + 1_u32).trailing_zeros()?;
        rest >>= length;
        runs.push((place + gap, length));
        place += gap + length;
    }
    (runs.len() <= MOST_RUNS).then_some(runs)
}

/// Z3 rounds so that the rest is never negative, Erlang towards zero: the two agree if the left
/// side is not negative. `None` for other operations.
pub(crate) fn computed(operator: Operator, left: &Int, right: &Int) -> Option<Int> {
    let by_sign = |of: fn(&Int, &Int) -> Int| {
        let positive = of(left, right);
        let negative = of(&left.unary_minus(), right).unary_minus();
        left.ge(0).ite(&positive, &negative)
    };
    Some(match operator {
        Operator::Add => Int::add(&[left, right]),
        Operator::Subtract => Int::sub(&[left, right]),
        Operator::Multiply => Int::mul(&[left, right]),
        Operator::Divide => by_sign(|left, right| left.div(right)),
        Operator::Remainder => by_sign(|left, right| left.modulo(right)),
        Operator::Modulo => left.modulo(right),
        Operator::Quotient
        | Operator::And
        | Operator::Or
        | Operator::Xor
        | Operator::ShiftLeft
        | Operator::ShiftRight => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_runs_of_ones() {
        assert_eq!(runs(&BigInt::from(0)), Some(vec![]));
        assert_eq!(runs(&BigInt::from(0b1101_1000)), Some(vec![(3, 2), (6, 2)]));
        assert_eq!(runs(&BigInt::from(0x5555_5555_u32)), None);
    }
}
