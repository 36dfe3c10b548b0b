//! Numbers as people write them.

use std::fmt;

use num_bigint::{BigInt, BigUint, Sign};
use num_traits::ToPrimitive;

use crate::integer::Integer;

/// Integers with more bits are written as powers of two, where they are near one.
const MOST_BITS: u64 = 100;
/// How many bits the factor of a power has at most.
const FACTOR_BITS: u64 = 64;
/// How far from a multiple of a power a number may be.
const NEAR: u32 = 1_000;

/// Writes an integer. One that is long and near a power of two is written as `1 bsl 1023 - 1`.
pub(crate) fn write_integer(out: &mut impl fmt::Write, integer: &Integer) -> fmt::Result {
    match integer {
        Integer::Small(small) => write!(out, "{small}"),
        Integer::Big(big) => match shifted(big.magnitude()) {
            Some(shifted) => write_shifted(out, big.sign(), &shifted),
            None => write!(out, "{big}"),
        },
    }
}

/// `factor bsl shift + rest`.
struct Shifted {
    factor: BigUint,
    shift: u64,
    rest: i64,
}

fn shifted(number: &BigUint) -> Option<Shifted> {
    let bits = number.bits();
    if bits <= MOST_BITS {
        return None;
    }
    let shift = bits - FACTOR_BITS;
    let factor = number >> shift;
    let low = number - (&factor << shift);
    let missing = (BigUint::from(1_u32) << shift) - &low;
    let near = |it: &BigUint| it.to_i64().filter(|it| *it <= i64::from(NEAR));
    let (factor, rest) = match (near(&low), near(&missing)) {
        (Some(low), _) => (factor, low),
        (None, Some(missing)) => (factor + 1_u32, -missing),
        (None, None) => return None,
    };
    let zeros = factor.trailing_zeros().unwrap_or(0);
    Some(Shifted {
        factor: factor >> zeros,
        shift: shift + zeros,
        rest,
    })
}

fn write_shifted(out: &mut impl fmt::Write, sign: Sign, shifted: &Shifted) -> fmt::Result {
    let Shifted {
        factor,
        shift,
        rest,
    } = shifted;
    let rest = if sign == Sign::Minus {
        write!(out, "-({factor} bsl {shift})")?;
        -rest
    } else {
        write!(out, "{factor} bsl {shift}")?;
        *rest
    };
    match rest {
        0 => Ok(()),
        1.. => write!(out, " + {rest}"),
        ..0 => write!(out, " - {}", rest.unsigned_abs()),
    }
}

/// Writes the shortest text that reads back to exactly `value`, as `io:format("~p")` does.
pub(crate) fn write_short_float(out: &mut impl fmt::Write, value: f64) -> fmt::Result {
    let shortest = format!("{:e}", value.abs());
    let (mantissa, exponent) = shortest.split_once('e').unwrap_or((&shortest, "0"));
    let digits: String = mantissa.chars().filter(|it| *it != '.').collect();
    // The point is after this many digits.
    let place = exponent.parse::<i64>().unwrap_or(0) + 1;
    if value.is_sign_negative() {
        out.write_str("-")?;
    }
    write_decimal(out, &digits, place, value)
}

fn write_decimal(out: &mut impl fmt::Write, digits: &str, place: i64, value: f64) -> fmt::Result {
    let length = i64::try_from(digits.len()).unwrap_or(i64::MAX);
    let zeros = |count: i64| "0".repeat(usize::try_from(count).unwrap_or(0));
    let exponent = (place - 1).to_string();
    let point = if length == 1 { 2 } else { 1 };
    let cost = i64::try_from(exponent.len()).unwrap_or(i64::MAX) + 1 + point;
    // From here on not every integer is a float.
    let is_small = value.abs() < 9_007_199_254_740_992.0;
    if place == 0 {
        write!(out, "0.{digits}")
    } else if place < 0 && 2 - place <= cost {
        write!(out, "0.{}{digits}", zeros(-place))
    } else if place > 0 && place < length {
        let (before, after) = digits.split_at(usize::try_from(place).unwrap_or(0));
        write!(out, "{before}.{after}")
    } else if place >= length && is_small && place - length + 2 <= cost {
        write!(out, "{digits}{}.0", zeros(place - length))
    } else {
        let (first, rest) = digits.split_at(1);
        let rest = if rest.is_empty() { "0" } else { rest };
        write!(out, "{first}.{rest}e{exponent}")
    }
}

/// The integer of a text that [`write_integer`] wrote.
pub fn read_integer(text: &str) -> Option<BigInt> {
    let (number, rest) = match text.rsplit_once(' ') {
        Some((before, rest)) if before.ends_with(" +") => (before.trim_end_matches(" +"), rest),
        Some((before, rest)) if before.ends_with(" -") => (before.trim_end_matches(" -"), rest),
        Some(_) | None => (text, "0"),
    };
    let rest: BigInt = rest.parse().ok()?;
    let rest = if text.contains(" - ") { -rest } else { rest };
    let inside = number
        .strip_prefix("-(")
        .and_then(|it| it.strip_suffix(')'));
    let (is_negative, power) = (inside.is_some(), inside.unwrap_or(number));
    let value = match power.split_once(" bsl ") {
        Some((factor, shift)) => factor.parse::<BigInt>().ok()? << shift.parse::<u32>().ok()?,
        None => power.parse().ok()?,
    };
    Some(if is_negative { -value } else { value } + rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn integer(value: BigInt) -> String {
        let mut text = String::new();
        write_integer(&mut text, &value.into()).expect("writing to a string cannot fail");
        text
    }

    fn power(exponent: u32) -> BigInt {
        BigInt::from(1) << exponent
    }

    #[test]
    fn long_integers_near_powers_of_two_are_short() {
        let digits = "1234567890123456789012345678901234567890123456789012345678901234567890";
        let cases = [
            (power(1023), "1 bsl 1023"),
            (-power(1023), "-(1 bsl 1023)"),
            (power(1023) - 1, "1 bsl 1023 - 1"),
            (-power(1023) + 1, "-(1 bsl 1023) + 1"),
            (-power(1023) - 7, "-(1 bsl 1023) - 7"),
            (power(200) * 3 + 12, "3 bsl 200 + 12"),
            (power(100) - 1, "1267650600228229401496703205375"),
            (power(100), "1 bsl 100"),
            (digits.parse().expect("these are digits"), digits),
        ];
        for (value, expected) in cases {
            assert_eq!(integer(value.clone()), expected);
            assert_eq!(read_integer(expected), Some(value));
        }
    }

    #[test]
    fn floats_are_as_the_shell_prints_them() {
        let cases = [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (0.1, "0.1"),
            (-2.5, "-2.5"),
            (100.0, "100.0"),
            (0.001, "0.001"),
            (0.0001, "0.0001"),
            (0.00015, "1.5e-4"),
            (123_456.75, "123456.75"),
            (1e22, "1.0e22"),
            (1e300, "1.0e300"),
            (5e-324, "5.0e-324"),
            (9_007_199_254_740_991.0, "9007199254740991.0"),
            (9_007_199_254_740_992.0, "9.007199254740992e15"),
        ];
        for (value, expected) in cases {
            let mut text = String::new();
            write_short_float(&mut text, value).expect("writing to a string cannot fail");
            assert_eq!(text, expected);
        }
    }
}
