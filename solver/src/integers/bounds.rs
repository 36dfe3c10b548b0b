//! The values that a variable can have.

use super::intervals::Interval;

/// The values that a variable can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bounds {
    pub(super) low: i128,
    pub(super) high: i128,
}

/// Nothing is narrowed beyond this, so that sums do not overflow. A bound at this distance is no
/// bound.
pub(super) const FAR: i128 = 1 << 124;

impl Bounds {
    pub(super) const ALL: Self = Self {
        low: -FAR,
        high: FAR,
    };

    /// The same as an interval; `None` if it has no ends.
    pub(super) fn interval(self) -> Option<Interval> {
        let is_far = self.low.abs() >= FAR || self.high.abs() >= FAR;
        (!is_far).then(|| Interval {
            low: self.low.into(),
            high: self.high.into(),
        })
    }

    /// Only one value.
    pub(super) fn point(value: i128) -> Self {
        Self {
            low: value,
            high: value,
        }
    }

    /// The value, if there is only one.
    pub(super) fn only(self) -> Option<i128> {
        (self.low == self.high).then_some(self.low)
    }

    /// The values that are also within others, if there are some.
    pub(super) fn within(self, other: Self) -> Option<Self> {
        let both = Self {
            low: self.low.max(other.low),
            high: self.high.min(other.high),
        };
        (both.low <= both.high).then_some(both)
    }

    pub(super) fn nearest(self, wanted: i128) -> i128 {
        wanted.clamp(self.low, self.high)
    }
}
