//! A BEAM that one thread has for itself.

use std::collections::HashMap;
use std::process::Child;
use std::time::{Duration, Instant};

use erlang_term::Term;

use super::ending::end;
use super::{Answer, BeamError, Reply, Started, receive, send, start};

/// Whoever waits for an answer reads it. With a thread in between, as [`super::Helper`] has one,
/// every run would cost two switches of threads more. Dropping it ends the process.
#[derive(Debug)]
pub(crate) struct OwnBeam {
    /// `None` once the process is to end.
    process: Option<Started>,
    next_id: i64,
    has_answered: bool,
    /// Answers that came before the one that was waited for.
    early: HashMap<i64, Answer>,
}

impl OwnBeam {
    /// Starts a BEAM that may have so many bytes of memory.
    pub(crate) fn start(most_bytes: u64) -> Result<Self, BeamError> {
        let process = start()?;
        limit_memory(&process.child, most_bytes);
        Ok(Self {
            process: Some(process),
            next_id: 0,
            has_answered: false,
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

    /// Waits for an answer; the parts that come before it are handed over as they come. A BEAM that
    /// does not answer in time is as good as dead.
    pub(crate) fn wait(
        &mut self,
        id: i64,
        patience: Duration,
        mut part: impl FnMut(Term),
    ) -> Result<Answer, BeamError> {
        if let Some(answer) = self.early.remove(&id) {
            return Ok(answer);
        }
        let process = self.process.as_mut().ok_or(BeamError::Died)?;
        let deadline = Instant::now() + patience;
        process.output.get_mut().wait_until(deadline);
        let silent = || {
            if Instant::now() < deadline {
                BeamError::Died
            } else {
                BeamError::Silent
            }
        };
        loop {
            let reply = receive(&mut process.output).ok_or_else(silent)?;
            self.has_answered = true;
            match reply {
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
            // It has nothing to finish, and may be in the middle of a run. In the middle of its
            // start, its helper programs would complain if it were killed; it halts by itself then.
            if self.has_answered {
                let _ = child.kill();
            }
            drop(input);
            end(&mut child);
        }
    }
}

/// Lets a process have so much memory of its own, where the system can limit that. A run that wants
/// more then brings down its BEAM and not the machine.
#[cfg(target_os = "linux")]
fn limit_memory(child: &Child, most_bytes: u64) {
    use rustix::process::{Pid, Resource, Rlimit, getrlimit, prlimit};
    let inherited = getrlimit(Resource::Data);
    let most_bytes = inherited
        .current
        .map_or(most_bytes, |it| it.min(most_bytes));
    let limit = Rlimit {
        current: Some(most_bytes),
        maximum: Some(most_bytes),
    };
    let id = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    // One that has ended by now needs no limit.
    let _ = id.map(|id| prlimit(Some(id), Resource::Data, limit));
}

#[cfg(not(target_os = "linux"))]
fn limit_memory(_: &Child, _: u64) {}
