//! How long to work on a question.
//!
//! This crate reads no clock. The caller says when time is up, and the solvers poll that while they
//! work: at every case, in long loops, before every check of Z3 and while Z3 works.

use std::cell::Cell;
use std::fmt;

/// Polls are cheap: only every sixteenth one calls `should_stop`, which may read a clock.
const POLLS_BETWEEN_LOOKS: u32 = 16;

/// Whether time is up. Once it is up, it stays up.
#[derive(Clone)]
pub struct Patience<'run> {
    should_stop: &'run (dyn Fn() -> bool + Sync),
    polls: Cell<u32>,
    has_ended: Cell<bool>,
}

impl<'run> Patience<'run> {
    /// Ends when `should_stop` returns `true`. It may be called by another thread, while Z3 works.
    pub fn new(should_stop: &'run (dyn Fn() -> bool + Sync)) -> Self {
        Self {
            should_stop,
            polls: Cell::new(0),
            has_ended: Cell::new(false),
        }
    }

    /// Never ends.
    pub fn endless() -> Self {
        Self::new(&|| false)
    }

    /// Whether time is up. This is for loops: it is cheap, and may notice a little late.
    pub fn ends(&self) -> bool {
        let polls = self.polls.get().wrapping_add(1);
        self.polls.set(polls);
        if polls.is_multiple_of(POLLS_BETWEEN_LOOKS) {
            return self.ends_now();
        }
        self.has_ended.get()
    }

    /// Whether time is up at this moment. This is for points before long work.
    pub fn ends_now(&self) -> bool {
        if !self.has_ended.get() && (self.should_stop)() {
            self.has_ended.set(true);
        }
        self.has_ended.get()
    }

    /// Whether some poll found that time was up, so that an answer may be missing.
    pub fn has_ended(&self) -> bool {
        self.has_ended.get()
    }

    /// How often it was polled.
    #[cfg(test)]
    pub(crate) fn polls(&self) -> u32 {
        self.polls.get()
    }

    /// What another thread can poll.
    pub(crate) fn signal(&self) -> &'run (dyn Fn() -> bool + Sync) {
        self.should_stop
    }
}

impl fmt::Debug for Patience<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = formatter.debug_struct("Patience");
        text.field("has_ended", &self.has_ended.get());
        text.finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    #[test]
    fn most_polls_do_not_ask() {
        let asked = AtomicU32::new(0);
        let should_stop = || asked.fetch_add(1, Ordering::Relaxed) == 2;
        let patience = Patience::new(&should_stop);
        let polls = (1..).find(|_| patience.ends());
        assert_eq!(polls, Some(3 * POLLS_BETWEEN_LOOKS));
        assert_eq!(asked.load(Ordering::Relaxed), 3);
        assert!(patience.has_ended() && patience.ends() && patience.ends_now());
    }
}
