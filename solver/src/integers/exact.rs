//! Operations on integers that fit in 128 bits.

use erlang_term::Integer;
use num_traits::ToPrimitive;

use crate::graph::Operator;

/// Larger constants are not used in sums, so that a few of them do not overflow.
const LARGEST: i128 = 1 << 120;

/// The value of an integer, if it is not too large.
pub(crate) fn to_i128(value: &Integer) -> Option<i128> {
    let value = match value {
        Integer::Small(value) => i128::from(*value),
        Integer::Big(value) => value.to_i128()?,
    };
    (value.abs() <= LARGEST).then_some(value)
}

/// The value of an operation on two integers; `None` if it has none, or is too large.
pub(crate) fn exact(operator: Operator, left: i128, right: i128) -> Option<i128> {
    match operator {
        Operator::Add => left.checked_add(right),
        Operator::Subtract => left.checked_sub(right),
        Operator::Multiply => left.checked_mul(right),
        Operator::Divide => left.checked_div(right),
        Operator::Remainder => left.checked_rem(right),
        Operator::Modulo => left.checked_rem_euclid(right),
        Operator::And => Some(left & right),
        Operator::Or => Some(left | right),
        Operator::Xor => Some(left ^ right),
        Operator::ShiftLeft => shifted(left, right),
        Operator::ShiftRight => shifted(left, right.checked_neg()?),
        Operator::Quotient => None,
    }
}

/// An integer shifted to the left, or to the right where `by` is negative.
fn shifted(value: i128, by: i128) -> Option<i128> {
    if by < 0 {
        let by = u32::try_from(by.unsigned_abs()).unwrap_or(u32::MAX);
        return Some(value >> by.min(i128::BITS - 1));
    }
    if value == 0 {
        return Some(0);
    }
    let by = u32::try_from(by).ok().filter(|by| *by < i128::BITS - 1)?;
    value.checked_mul(1 << by)
}
