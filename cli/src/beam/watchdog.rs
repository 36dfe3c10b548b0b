//! Ends a BEAM that does not answer any more.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

/// How exactly deadlines are kept. The watchdog looks so often, so that to set one wakes nobody.
const TICK: Duration = Duration::from_millis(250);

/// Watches over one process. Dropping it ends the watch, not the process.
#[derive(Debug)]
pub(super) struct Watchdog(Arc<Watch>);

#[derive(Debug)]
struct Watch {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    deadline: Option<Instant>,
    has_killed: bool,
    is_over: bool,
}

impl Watchdog {
    /// Begins to watch a process, which must not be waited for while this lives.
    pub(super) fn new(process: u32) -> Self {
        let watch = Arc::new(Watch {
            state: Mutex::default(),
            changed: Condvar::new(),
        });
        let shared = Arc::clone(&watch);
        let process = i32::try_from(process).ok().and_then(Pid::from_raw);
        if let Some(process) = process {
            thread::spawn(move || shared.keep(process));
        }
        Self(watch)
    }

    /// The process is killed unless the deadline is changed in time.
    pub(super) fn set_deadline(&self, deadline: Option<Instant>) {
        self.0.lock().deadline = deadline;
    }

    /// Whether the process was killed.
    pub(super) fn has_killed(&self) -> bool {
        self.0.lock().has_killed
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.0.lock().is_over = true;
        self.0.changed.notify_one();
    }
}

impl Watch {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn keep(&self, process: Pid) {
        let mut state = self.lock();
        while !state.is_over {
            if state.deadline.is_some_and(|it| it <= Instant::now()) {
                state.deadline = None;
                // One that is gone already needs no signal.
                state.has_killed = kill_process(process, Signal::KILL).is_ok();
            }
            let waited = self.changed.wait_timeout(state, TICK);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::ExitStatusExt;
    use std::process::{Child, Command, Stdio};

    use super::*;

    fn endless() -> Child {
        let mut command = Command::new("cat");
        command.stdin(Stdio::piped()).stdout(Stdio::null());
        command.spawn().expect("cat is everywhere")
    }

    #[test]
    fn kills_at_the_deadline() {
        let mut child = endless();
        let watchdog = Watchdog::new(child.id());
        watchdog.set_deadline(Some(Instant::now()));
        let input = child.stdin.take();
        let status = child.wait().expect("it was started");
        drop(input);
        assert_eq!(status.signal(), Some(9));
        assert!(watchdog.has_killed());
    }

    #[test]
    fn does_nothing_without_a_deadline() {
        let mut child = endless();
        let watchdog = Watchdog::new(child.id());
        watchdog.set_deadline(Some(Instant::now() + Duration::from_secs(3600)));
        watchdog.set_deadline(None);
        assert!(!watchdog.has_killed());
        drop(watchdog);
        assert!(child.wait().expect("it ends with its input").success());
    }
}
