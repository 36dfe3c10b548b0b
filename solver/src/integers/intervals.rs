//! Intervals of integers, exact enough to compute how many bits sums and products need.

use std::collections::HashMap;

use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive, Zero};

use super::linear::Linear;
use super::problem::Product;
use crate::graph::{NodeId, Operator};

/// All integers from one to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Interval {
    pub(super) low: BigInt,
    pub(super) high: BigInt,
}

impl Interval {
    fn point(value: impl Into<BigInt>) -> Self {
        let value = value.into();
        Self {
            low: value.clone(),
            high: value,
        }
    }

    /// All integers that need at most this many bits, with their sign.
    pub(super) fn of_bits(bits: u64) -> Self {
        let half = BigInt::one() << bits.saturating_sub(1);
        Self {
            low: -&half,
            high: half - 1,
        }
    }

    /// How many bits are needed for each of them, with its sign.
    pub(super) fn bits(&self) -> u64 {
        let ends = [&self.low, &self.high].into_iter();
        let needed = ends.map(|end| {
            1 + if end.is_negative() {
                (!end).bits()
            } else {
                end.bits()
            }
        });
        needed.max().unwrap_or(1)
    }

    pub(super) fn is_within(&self, other: &Self) -> bool {
        other.low <= self.low && self.high <= other.high
    }

    pub(super) fn contains(&self, value: &BigInt) -> bool {
        self.low <= *value && *value <= self.high
    }

    fn hull(values: impl IntoIterator<Item = BigInt>) -> Self {
        let values: Vec<BigInt> = values.into_iter().collect();
        Self {
            low: values.iter().min().cloned().unwrap_or_default(),
            high: values.iter().max().cloned().unwrap_or_default(),
        }
    }

    fn plus(&self, other: &Self) -> Self {
        Self {
            low: &self.low + &other.low,
            high: &self.high + &other.high,
        }
    }

    fn times(&self, other: &Self) -> Self {
        let ends = [&self.low, &self.high];
        let products = ends.map(|end| [end * &other.low, end * &other.high]);
        Self::hull(products.into_iter().flatten())
    }

    fn farthest(&self) -> BigInt {
        self.low.abs().max(self.high.abs())
    }

    /// The common bits of two integers.
    fn and(&self, other: &Self) -> Self {
        let zero = BigInt::zero();
        let not_negative = [self, other].into_iter().filter(|it| !it.low.is_negative());
        match not_negative.map(|it| &it.high).min() {
            Some(high) => Self {
                low: zero,
                high: high.clone(),
            },
            None => Self::of_bits(self.bits().max(other.bits())),
        }
    }

    /// All bits of two integers, or those in which they differ.
    fn or(&self, other: &Self) -> Self {
        let all = Self::of_bits(self.bits().max(other.bits()));
        if self.low.is_negative() || other.low.is_negative() {
            return all;
        }
        Self {
            low: BigInt::zero(),
            ..all
        }
    }

    /// Integers shifted to the left, or to the right where `by` is negative.
    fn shifted(&self, by: &Self) -> Option<Self> {
        let up = by.high.clone().max(BigInt::zero()).to_u64()?;
        let least = if self.high.is_negative() { -1 } else { 0 };
        Some(Self::hull([
            BigInt::from(least),
            &self.low << up,
            &self.high << up,
        ]))
    }

    fn negated(&self) -> Self {
        Self {
            low: -&self.high,
            high: -&self.low,
        }
    }
}

/// The interval of the values of a sum.
pub(super) fn of_linear(linear: &Linear, nodes: &HashMap<NodeId, Interval>) -> Option<Interval> {
    let mut sum = Interval::point(linear.constant);
    for (node, coefficient) in &linear.terms {
        let term = nodes.get(node)?.times(&Interval::point(*coefficient));
        sum = sum.plus(&term);
    }
    Some(sum)
}

/// The interval of the results of an operation. Shifts are limited to `most_shift` bits.
pub(super) fn of_product(
    product: &Product,
    nodes: &HashMap<NodeId, Interval>,
    most_shift: &Interval,
) -> Option<Interval> {
    let left = of_linear(&product.left, nodes)?;
    let right = of_linear(&product.right, nodes)?;
    Some(match product.operator {
        Operator::Add => left.plus(&right),
        Operator::Subtract => left.plus(&right.negated()),
        Operator::Multiply => left.times(&right),
        Operator::Modulo => Interval {
            low: BigInt::from(0),
            high: right.farthest(),
        },
        Operator::Divide | Operator::Remainder => {
            let farthest = left.farthest();
            Interval {
                low: -&farthest,
                high: farthest,
            }
        }
        Operator::And => left.and(&right),
        Operator::Or | Operator::Xor => left.or(&right),
        Operator::ShiftLeft => left.shifted(&within(&right, most_shift))?,
        Operator::ShiftRight => left.shifted(&within(&right, most_shift).negated())?,
        Operator::Quotient => return None,
    })
}

/// The integers in both intervals; `other` if there are none.
fn within(one: &Interval, other: &Interval) -> Interval {
    let (low, high) = ((&one.low).max(&other.low), (&one.high).min(&other.high));
    if low > high {
        return other.clone();
    }
    Interval {
        low: low.clone(),
        high: high.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interval(low: i64, high: i64) -> Interval {
        Interval {
            low: low.into(),
            high: high.into(),
        }
    }

    #[test]
    fn counts_bits_with_the_sign() {
        assert_eq!(interval(0, 0).bits(), 1);
        assert_eq!(interval(-1, 1).bits(), 2);
        assert_eq!(interval(-128, 127).bits(), 8);
        assert_eq!(Interval::of_bits(8), interval(-128, 127));
    }

    #[test]
    fn every_result_is_inside() {
        let sides = [interval(-3, 5), interval(2, 6), interval(-4, -1)];
        for (left, right) in sides
            .iter()
            .flat_map(|it| sides.iter().map(move |to| (it, to)))
        {
            let (both, either) = (left.and(right), left.or(right));
            let (product, shifted) = (left.times(right), left.shifted(right).expect("short"));
            let range =
                |it: &Interval| it.low.to_i64().expect("small")..=it.high.to_i64().expect("small");
            for (one, other) in range(left).flat_map(|it| range(right).map(move |to| (it, to))) {
                assert!(both.contains(&(one & other).into()));
                assert!(either.contains(&(one | other).into()));
                assert!(either.contains(&(one ^ other).into()));
                assert!(product.contains(&(one * other).into()));
                let value = if other < 0 {
                    one >> -other
                } else {
                    one << other
                };
                assert!(shifted.contains(&value.into()), "{one} {other}");
            }
        }
    }
}
