//! The time that a command may take.

use std::time::{Duration, Instant};

use diagnostic::Diagnostic;

use crate::failure::Failure;

/// How long running crashes again takes at least, with the start of a BEAM for it.
const LEAST_KEPT: Duration = Duration::from_secs(1);

/// From the start of the command. A tenth is kept for running crashes again and for the reports, and
/// more if the limit is short or these runs take long.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TimeLimit {
    start: Instant,
    total: Duration,
}

impl TimeLimit {
    /// A limit for a command that started then.
    pub(crate) fn new(start: Instant, total: Duration) -> Self {
        Self { start, total }
    }

    /// When the command started.
    pub(crate) fn start(&self) -> Instant {
        self.start
    }

    /// When the search ends, if this long is needed to run crashes again. At most half of the time
    /// is kept for that.
    pub(crate) fn end_of_search(&self, needed: Duration) -> Instant {
        let least = LEAST_KEPT.min(self.total / 4).max(self.total / 10);
        self.start + self.total - needed.min(self.total / 2).max(least)
    }

    /// When inputs of findings are not made smaller any more. The rest is for the reports.
    pub(crate) fn end_of_shrinking(&self) -> Instant {
        self.start + self.total - self.total / 20
    }

    /// When everything ends.
    pub(crate) fn end(&self) -> Instant {
        self.start + self.total
    }

    /// An error if there is no time left to search.
    pub(crate) fn check_search(&self, now: Instant) -> Result<(), Failure> {
        if now < self.end_of_search(Duration::ZERO) {
            return Ok(());
        }
        let title = format!(
            "the search cannot begin: preparing it took {} s, and --timeout is {} s",
            now.saturating_duration_since(self.start).as_secs(),
            self.total.as_secs()
        );
        Err(Diagnostic::error("no-time", title)
            .help("raise --timeout: it counts from the start of the command")
            .help("`erlconcolic instrument` compiles once for many searches")
            .into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tenth_is_kept_for_the_end() {
        let start = Instant::now();
        let limit = TimeLimit::new(start, Duration::from_secs(120));
        let ends = |needed| limit.end_of_search(Duration::from_secs(needed)) - start;
        assert_eq!(ends(0), Duration::from_secs(108));
        assert_eq!(ends(20), Duration::from_secs(100));
        assert_eq!(ends(1_000), Duration::from_secs(60));
        assert_eq!(limit.end(), start + Duration::from_secs(120));
    }

    #[test]
    fn more_is_kept_of_a_short_time() {
        let start = Instant::now();
        let ends = |seconds| {
            let limit = TimeLimit::new(start, Duration::from_secs(seconds));
            limit.end_of_search(Duration::ZERO) - start
        };
        assert_eq!(ends(2), Duration::from_millis(1500));
        assert_eq!(ends(6), Duration::from_secs(5));
    }

    #[test]
    fn a_search_that_cannot_begin_is_an_error() {
        let start = Instant::now();
        let limit = TimeLimit::new(start, Duration::from_secs(10));
        let after = |seconds| limit.check_search(start + Duration::from_secs(seconds));
        assert!(after(8).is_ok());
        let Failure(diagnostics) = after(9).expect_err("nothing is left");
        let error = diagnostics.first().expect("there is a message");
        assert_eq!(error.code, "no-time");
        assert!(
            error.title.contains("preparing it took 9 s"),
            "{}",
            error.title
        );
    }
}
