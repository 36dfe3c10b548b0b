//! Time by the clock and of the processor.

use std::iter::Sum;
use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

/// How long something took.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Time {
    /// By the clock.
    pub(crate) wall: Duration,
    /// Of the processor, for all threads.
    pub(crate) processor: Duration,
}

impl Time {
    /// Longer than anything: where a search for the best starts.
    pub(crate) const MAX: Self = Self {
        wall: Duration::MAX,
        processor: Duration::MAX,
    };

    /// The better of two rounds, each figure for itself.
    pub(crate) fn min(self, other: Self) -> Self {
        Self {
            wall: self.wall.min(other.wall),
            processor: self.processor.min(other.processor),
        }
    }
}

impl Sum for Time {
    fn sum<I: Iterator<Item = Self>>(times: I) -> Self {
        let zero = Self {
            wall: Duration::ZERO,
            processor: Duration::ZERO,
        };
        times.fold(zero, |sum, time| Self {
            wall: sum.wall + time.wall,
            processor: sum.processor + time.processor,
        })
    }
}

/// Does some work and returns how long it took.
pub(crate) fn timed<R>(work: impl FnOnce() -> R) -> (Time, R) {
    let processor = processor_time();
    let start = Instant::now();
    let result = work();
    let time = Time {
        wall: start.elapsed(),
        processor: processor_time() - processor,
    };
    (time, result)
}

fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::try_from(time).expect("no program has run for a negative time")
}
