//! Operations on integers that fit in 128 bits.

use crate::graph::Operator;

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

/// An integer moved to the left by so many bits, or to the right.
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
