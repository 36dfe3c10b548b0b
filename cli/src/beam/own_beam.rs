//! A BEAM that one thread has for itself.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use erlang_term::Term;

use super::watchdog::Watchdog;
use super::{Answer, BeamError, Reply, Started, receive, send, start};

/// Bytes of address space that the process may have, of which a BEAM takes about 3 GiB before it
/// does anything. A program can ask for more memory at once than there is in the machine.
const ADDRESS_SPACE: u64 = 12 * 1024 * 1024 * 1024;

/// Whoever waits for an answer reads it. With a thread in between, as [`super::Helper`] has one,
/// every run would cost two switches of threads more. Dropping it ends the process.
#[derive(Debug)]
pub(crate) struct OwnBeam {
    /// `None` once the process is to end.
    process: Option<Started>,
    watchdog: Watchdog,
    next_id: i64,
    /// Answers that came before the one that was waited for.
    early: HashMap<i64, Answer>,
}

impl OwnBeam {
    /// Starts a BEAM.
    pub(crate) fn start() -> Result<Self, BeamError> {
        let process = start()?;
        limit_memory(process.child.id());
        Ok(Self {
            watchdog: Watchdog::new(process.child.id()),
            process: Some(process),
            next_id: 0,
            early: HashMap::new(),
        })
    }

    /// Sends a command. Its answer is waited for by its number.
    pub(crate) fn send(&mut self, command: Term) -> i64 {
        let id = self.next_id;
        self.next_id += 1;
        let request = Term::Tuple(vec![Term::Integer(id.into()), command]);
        if let Some(process) = &mut self.process {
            // That it died is noticed by who waits.
            let _ = send(&mut process.input, &request);
        }
        id
    }

    /// Like [`OwnBeam::wait`], for an answer that comes before this time has passed or never.
    pub(crate) fn wait_for(
        &mut self,
        id: i64,
        time: Duration,
        part: impl FnMut(Term),
    ) -> Result<Answer, BeamError> {
        self.watchdog.set_deadline(Instant::now().checked_add(time));
        let answer = self.wait(id, part);
        self.watchdog.set_deadline(None);
        answer
    }

    /// Whether it was ended because an answer did not come in time.
    pub(crate) fn was_ended(&self) -> bool {
        self.watchdog.has_killed()
    }

    /// Waits for an answer; the parts that come before it are handed over as they come.
    pub(crate) fn wait(
        &mut self,
        id: i64,
        mut part: impl FnMut(Term),
    ) -> Result<Answer, BeamError> {
        if let Some(answer) = self.early.remove(&id) {
            return Ok(answer);
        }
        let process = self.process.as_mut().ok_or(BeamError::Died)?;
        loop {
            match receive(&mut process.output).ok_or(BeamError::Died)? {
                (from, Reply::Part(term)) if from == id => part(term),
                (_, Reply::Part(_)) => {}
                (from, Reply::Answer(answer)) if from == id => return Ok(answer),
                (from, Reply::Answer(answer)) => {
                    self.early.insert(from, answer);
                }
            }
        }
    }
}

impl Drop for OwnBeam {
    fn drop(&mut self) {
        if let Some(Started {
            mut child, input, ..
        }) = self.process.take()
        {
            self.watchdog.set_deadline(None);
            // It halts when its input ends, unless a program has taken it over.
            drop(input);
            let _ = child.kill();
            // It is gone either way.
            let _ = child.wait();
        }
    }
}

/// A system that cannot limit it goes without.
#[cfg(target_os = "linux")]
fn limit_memory(process: u32) {
    use rustix::process::{Pid, Resource, Rlimit, prlimit};
    let limit = Rlimit {
        current: Some(ADDRESS_SPACE),
        maximum: Some(ADDRESS_SPACE),
    };
    let process = i32::try_from(process).ok().and_then(Pid::from_raw);
    if let Some(process) = process {
        let _ = prlimit(Some(process), Resource::As, limit);
    }
}

#[cfg(not(target_os = "linux"))]
fn limit_memory(_process: u32) {}
