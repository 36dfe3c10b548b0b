//! How much Z3 may do for one check.
//!
//! Its work is counted in its own units, so that a check ends in the same way every time and on
//! every machine. Some of its procedures work for seconds without counting much, so there is also a
//! limit of time. We do not use Z3's own timers: they are shared by all contexts of a process, and
//! in some versions they race with each other when several of them expire
//! (<https://github.com/Z3Prover/z3/pull/5371>).

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use z3::ast::Bool;
use z3::{Context, Params, SatResult, Solver as Z3};

use crate::patience::Patience;

/// The time between polls while Z3 works.
const LOOK: Duration = Duration::from_millis(20);

/// Whether checks end at once.
static GIVES_UP: AtomicBool = AtomicBool::new(false);

/// From now on Z3 gives up every check at once. This shows how a search does without Z3.
pub fn give_up_at_once() {
    GIVES_UP.store(true, Ordering::Relaxed);
}

/// The limits of a check.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    /// Units of work.
    pub(crate) units: u32,
    /// For checks that use few units in a long time.
    pub(crate) time: Duration,
}

impl Budget {
    /// A solver that ends its checks after this much work.
    pub(crate) fn solver(self) -> Z3 {
        let solver = Z3::new();
        self.limit(&solver);
        solver
    }

    /// Lets a solver end its checks after this much work.
    pub(crate) fn limit(self, solver: &Z3) {
        let mut params = Params::new();
        let gives_up = GIVES_UP.load(Ordering::Relaxed);
        params.set_u32("rlimit", if gives_up { 1 } else { self.units });
        solver.set_params(&params);
    }

    /// Checks what was asserted in such a solver, together with some assumptions. When time is
    /// up, the check is not begun or ends at once.
    pub(crate) fn check(
        self,
        patience: &Patience<'_>,
        solver: &Z3,
        assumptions: &[Bool],
    ) -> SatResult {
        if patience.ends_now() {
            return SatResult::Unknown;
        }
        let context = Context::thread_local();
        let handle = context.handle();
        let (working, ended) = channel::<()>();
        thread::scope(|scope| {
            let should_stop = patience.signal();
            scope.spawn(move || {
                if self.is_too_long(&ended, should_stop) {
                    handle.interrupt();
                }
            });
            let result = solver.check_assumptions(assumptions);
            drop(working);
            if result == SatResult::Unknown {
                patience.ends_now();
            }
            result
        })
    }

    /// Waits for the end of a check. Whether it has to be interrupted.
    fn is_too_long(self, ended: &Receiver<()>, should_stop: &dyn Fn() -> bool) -> bool {
        let mut left = self.time;
        while !left.is_zero() {
            let wait = left.min(LOOK);
            if ended.recv_timeout(wait) != Err(RecvTimeoutError::Timeout) {
                return false;
            }
            if should_stop() {
                return true;
            }
            left -= wait;
        }
        true
    }
}
