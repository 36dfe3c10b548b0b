//! A BEAM that belongs to one thread.

use std::collections::{HashMap, VecDeque};
use std::process::Child;
use std::sync::Arc;
use std::time::{Duration, Instant};

use erlang_term::Term;

use super::beam_error::BeamError;
use super::beam_process::{Started, USUAL_BOOT, start};
use super::ending::end;
use super::program_output::ProgramOutput;
use super::replies::{Answer, Reply, receive, send};

/// The thread that waits for an answer also reads it. With a reader thread, as
/// [`super::Helper`] has one, every run would cost two more context switches. Dropping it ends the
/// process.
#[derive(Debug)]
pub(crate) struct OwnBeam {
    /// `None` when the process should end.
    process: Option<Started>,
    next_id: i64,
    has_answered: bool,
    /// How many commands wait for their answers.
    unanswered: usize,
    /// Answers that came before the awaited one, and parts of such answers.
    early: HashMap<i64, Answer>,
    early_parts: HashMap<i64, Vec<Term>>,
    /// Runs that were sent before they were asked for, and their numbers.
    pub(super) begun: VecDeque<(Term, i64)>,
    /// Whether a run after those was not sent. Then no later one is.
    pub(super) has_gap: bool,
    /// How many of the atoms that matter are in order here.
    pub(super) agreed_atoms: usize,
}

/// One scheduler at a time: a run and its collector take turns, and so do its processes, and waking
/// another thread each time takes longer than what it would do. Trials use the others as well.
const ONE_AT_A_TIME: &[&str] = &["+S", ":1"];

impl OwnBeam {
    /// Starts a BEAM with a limit of its memory. Its output goes to our stderr, or where it is kept.
    pub(crate) fn start(
        most_bytes: u64,
        kept: Option<&Arc<ProgramOutput>>,
    ) -> Result<Self, BeamError> {
        Self::start_from(USUAL_BOOT, most_bytes, kept)
    }

    /// The same, from a boot file, whose name is given without its ending.
    pub(crate) fn start_from(
        boot: &str,
        most_bytes: u64,
        kept: Option<&Arc<ProgramOutput>>,
    ) -> Result<Self, BeamError> {
        let process = start(boot, ONE_AT_A_TIME, kept)?;
        limit_memory(&process.child, most_bytes);
        Ok(Self {
            agreed_atoms: 0,
            process: Some(process),
            next_id: 0,
            has_answered: false,
            unanswered: 0,
            early: HashMap::new(),
            early_parts: HashMap::new(),
            begun: VecDeque::new(),
            has_gap: false,
        })
    }

    /// Sends a command, and returns its number.
    pub(crate) fn send(&mut self, command: Term) -> i64 {
        let id = self.next_id;
        self.next_id += 1;
        self.unanswered += 1;
        let request = Term::Tuple(vec![Term::Integer(id.into()), command]);
        if let Some(process) = &mut self.process {
            // If the process died, waiting for the answer fails.
            let _ = send(&mut process.input, &request);
        }
        id
    }

    /// The value with which a command is answered.
    pub(super) fn call(&mut self, command: Term, patience: Duration) -> Result<Term, BeamError> {
        let what = command.to_string();
        let id = self.send(command);
        let answer = self.wait(id, patience, |_| ())?;
        answer.map_err(|messages| BeamError::refused(&what, messages))
    }

    /// Waits for the answer to a command, and passes on the parts before it as they come. A BEAM that
    /// does not answer in time counts as dead.
    pub(crate) fn wait(
        &mut self,
        id: i64,
        patience: Duration,
        mut part: impl FnMut(Term),
    ) -> Result<Answer, BeamError> {
        let parts = self.early_parts.remove(&id).unwrap_or_default();
        parts.into_iter().for_each(&mut part);
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
            if matches!(reply, (_, Reply::Answer(_))) {
                self.unanswered = self.unanswered.saturating_sub(1);
            }
            match reply {
                (from, Reply::Part(term)) if from == id => part(term),
                (from, Reply::Part(term)) => self.early_parts.entry(from).or_default().push(term),
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
            // It may be in the middle of a run. If it is not, it halts by itself, and what the program
            // has written is not lost. While it starts, its helper programs would complain about a
            // kill.
            if self.has_answered && self.unanswered > 0 {
                let _ = child.kill();
            }
            drop(input);
            end(&mut child);
        }
    }
}

/// Limits the memory of a process, where the system supports it. A run that needs more then crashes
/// its BEAM and not the machine.
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
    // A process that has ended needs no limit.
    let _ = id.map(|id| prlimit(Some(id), Resource::Data, limit));
}

#[cfg(not(target_os = "linux"))]
fn limit_memory(_: &Child, _: u64) {}
