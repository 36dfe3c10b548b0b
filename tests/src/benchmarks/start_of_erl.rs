//! The unit of time: one start of `erl`. It is measured again between all measurements, so that a
//! machine that is busy for a while makes both slower.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use crate::erlang::node;

/// How many starts are remembered.
const REMEMBERED: usize = 5;

/// Times in starts of `erl`.
#[derive(Debug, Default)]
pub struct Unit {
    last: VecDeque<f64>,
}

impl Unit {
    /// Does some work, and returns how many starts of `erl` it took. Starts are measured before and
    /// after; the unit is the median of the last few.
    pub fn timed<R>(&mut self, work: impl FnOnce() -> R) -> (f64, R) {
        self.measure_if_new();
        let start = Instant::now();
        let result = work();
        let time = start.elapsed();
        self.measure();
        (self.starts(time), result)
    }

    /// A time in starts of `erl`.
    pub fn starts(&self, time: Duration) -> f64 {
        time.as_secs_f64() / self.seconds()
    }

    /// The seconds that so many starts take at present.
    pub fn seconds_of(&mut self, starts: f64) -> f64 {
        self.measure_if_new();
        self.seconds() * starts
    }

    /// The seconds that a start takes at present.
    pub fn seconds(&self) -> f64 {
        median(self.last.iter().copied())
    }

    fn measure_if_new(&mut self) {
        while self.last.len() < REMEMBERED - 1 {
            self.measure();
        }
    }

    fn measure(&mut self) {
        if self.last.len() >= REMEMBERED {
            self.last.pop_front();
        }
        self.last.push_back(start_of_erl().as_secs_f64());
    }
}

/// The time of one start.
///
/// # Panics
/// When there is no `erl`.
pub fn start_of_erl() -> Duration {
    let start = Instant::now();
    let status = node().args(["-eval", "halt()."]).status();
    assert!(status.is_ok_and(|status| status.success()), "erl starts");
    start.elapsed()
}

/// The median, the larger of two; not a number if there are no figures.
pub fn median(figures: impl IntoIterator<Item = f64>) -> f64 {
    let mut figures: Vec<f64> = figures.into_iter().collect();
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or(f64::NAN)
}
