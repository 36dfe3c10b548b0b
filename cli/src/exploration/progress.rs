//! How a search goes on, on stderr.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use erlang_term::Term;
use indicatif::{ProgressBar, ProgressDrawTarget};

use crate::exploration::argument_texts;
use crate::exploration::findings::is_finding;
use crate::exploration::json::outcome_name;
use crate::worker::Outcome;

/// Shows runs as they end: all of them, a line that counts them where stderr is a terminal, or
/// nothing.
#[derive(Debug)]
pub(crate) struct Progress {
    bar: ProgressBar,
    is_verbose: bool,
    runs: AtomicUsize,
    crashes: AtomicUsize,
    waiting: AtomicUsize,
}

impl Progress {
    pub(crate) fn new(quiet: bool, verbose: bool) -> Self {
        let bar = ProgressBar::new_spinner();
        bar.set_draw_target(if quiet || verbose {
            ProgressDrawTarget::hidden()
        } else {
            // Draws on terminals only.
            ProgressDrawTarget::stderr()
        });
        Self {
            bar,
            is_verbose: verbose,
            runs: AtomicUsize::new(0),
            crashes: AtomicUsize::new(0),
            waiting: AtomicUsize::new(0),
        }
    }

    /// A run has ended.
    pub(crate) fn ran(&self, arguments: &[Term], outcome: &Outcome) {
        let runs = self.runs.fetch_add(1, Relaxed) + 1;
        let crashed = usize::from(is_finding(outcome));
        let crashes = self.crashes.fetch_add(crashed, Relaxed) + crashed;
        if self.is_verbose {
            use std::io::Write;
            let texts = argument_texts(arguments).join(", ");
            let name = outcome_name(outcome);
            // Nowhere is left to report that the terminal is gone.
            let _ = writeln!(std::io::stderr().lock(), "test {runs}: ({texts}) {name}");
        } else if !self.bar.is_hidden() {
            let waiting = self.waiting.load(Relaxed);
            self.bar.set_message(message(runs, crashes, waiting));
            self.bar.tick();
        }
    }

    /// So many inputs wait to be run.
    pub(crate) fn waiting(&self, inputs: usize) {
        self.waiting.store(inputs, Relaxed);
    }

    /// The search is over.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

fn message(runs: usize, crashes: usize, waiting: usize) -> String {
    format!("{runs} tests run, {crashes} of them crash; {waiting} inputs wait")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_tells_what_was_done_and_what_waits() {
        assert_eq!(
            message(12, 3, 40),
            "12 tests run, 3 of them crash; 40 inputs wait"
        );
    }
}
