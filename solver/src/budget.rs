//! How much Z3 may do for one check.
//!
//! Its work is counted in its own units, so that a check ends in the same way every time and on
//! every machine. Some of its procedures work for seconds without counting much, so there is a
//! limit of time behind that one. Z3's own timers are left alone: they are shared by all contexts
//! of a process, and in some versions they race with each other when several of them expire
//! (<https://github.com/Z3Prover/z3/pull/5371>).

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use z3::ast::Bool;
use z3::{Context, Params, SatResult, Solver};

/// Whether checks end at once.
static GIVES_UP: AtomicBool = AtomicBool::new(false);

/// From now on Z3 gives up every check as soon as it begins to work: to see what a search is like
/// in which it always takes too long.
pub fn give_up_at_once() {
    GIVES_UP.store(true, Ordering::Relaxed);
}

/// The limits of a check.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget {
    /// Units of work.
    pub(super) units: u32,
    /// For checks that do not come to so many units.
    pub(super) time: Duration,
}

impl Budget {
    /// A solver that ends its checks after so much work.
    pub(super) fn solver(self) -> Solver {
        let solver = Solver::new();
        self.limit(&solver);
        solver
    }

    /// Lets a solver end its checks after so much work.
    pub(super) fn limit(self, solver: &Solver) {
        let mut params = Params::new();
        let gives_up = GIVES_UP.load(Ordering::Relaxed);
        params.set_u32("rlimit", if gives_up { 1 } else { self.units });
        solver.set_params(&params);
    }

    /// Checks what was asserted in such a solver, together with some assumptions.
    pub(super) fn check(self, solver: &Solver, assumptions: &[Bool]) -> SatResult {
        let context = Context::thread_local();
        let handle = context.handle();
        let (working, ended) = channel::<()>();
        thread::scope(|scope| {
            scope.spawn(move || {
                if ended.recv_timeout(self.time) == Err(RecvTimeoutError::Timeout) {
                    handle.interrupt();
                }
            });
            let result = solver.check_assumptions(assumptions);
            drop(working);
            result
        })
    }
}
