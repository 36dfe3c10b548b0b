//! The helper BEAM: one `erl` process for the life of a command, which compiles for us. Any thread may
//! send requests; answers come in any order.

use std::collections::HashMap;
use std::io::{BufReader, BufWriter, PipeWriter};
use std::process::Child;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::Instant;

use erlang_term::Term;
use trace_format::manifest::hash;

use super::beam_error::BeamError;
use super::beam_process::{RUNTIME_BEAMS, SPARING, Started, USUAL_BOOT, start};
use super::compiler_message::Message;
use super::ending::end;
use super::patient::Patient;
use super::replies::{Answer, Reply, receive, send};

/// How much the compiler optimises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// As usual.
    Usual,
    /// Only as far as it is worth the time: instrumented code is several times as large as its
    /// source, and mostly calls emitters.
    Quick,
}

impl Effort {
    /// Its name in requests to the helper.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Usual => "usual",
            Self::Quick => "quick",
        }
    }
}

type Waiting = Arc<Mutex<HashMap<i64, Sender<Answer>>>>;

/// The running helper. Dropping it ends the process.
#[derive(Debug)]
pub struct Helper {
    child: Child,
    input: Mutex<Input>,
    waiting: Waiting,
    /// When nobody waits any longer.
    deadline: Arc<OnceLock<Instant>>,
}

#[derive(Debug)]
struct Input {
    next_id: i64,
    /// `None` when the helper should end.
    pipe: Option<BufWriter<PipeWriter>>,
}

/// An answer that is on its way.
#[derive(Debug)]
pub struct Pending {
    answer: Receiver<Answer>,
    deadline: Arc<OnceLock<Instant>>,
}

impl Pending {
    /// Waits for the answer.
    ///
    /// # Errors
    /// When the helper died, or the time is up.
    pub fn wait(self) -> Result<Answer, BeamError> {
        let Some(deadline) = self.deadline.get() else {
            return self.answer.recv().map_err(|_| BeamError::Died);
        };
        let time = deadline.saturating_duration_since(Instant::now());
        self.answer.recv_timeout(time).map_err(|why| match why {
            RecvTimeoutError::Timeout => BeamError::NoTime,
            RecvTimeoutError::Disconnected => BeamError::Died,
        })
    }
}

impl Helper {
    /// Starts the helper.
    ///
    /// # Errors
    /// When there is no Erlang, or it does not start.
    pub fn start() -> Result<Self, BeamError> {
        let Started {
            child,
            input,
            output,
        } = start(USUAL_BOOT, SPARING, None)?;
        let waiting = Waiting::default();
        let answers = Arc::clone(&waiting);
        thread::spawn(move || receive_answers(output, &answers));
        Ok(Self {
            child,
            input: Mutex::new(Input {
                next_id: 0,
                pipe: Some(input),
            }),
            waiting,
            deadline: Arc::default(),
        })
    }

    /// Sets when nobody waits for answers any longer. The first call counts.
    pub(crate) fn give_up_at(&self, deadline: Instant) {
        let _ = self.deadline.set(deadline);
    }

    /// Sends a command.
    pub fn submit(&self, command: Term) -> Pending {
        let (sender, receiver) = channel();
        let mut input = self.input.lock().unwrap_or_else(PoisonError::into_inner);
        let id = input.next_id;
        input.next_id += 1;
        lock(&self.waiting).insert(id, sender);
        let request = Term::Tuple(vec![Term::Integer(id.into()), command]);
        let sent = input
            .pipe
            .as_mut()
            .is_some_and(|pipe| send(pipe, &request).is_ok());
        if !sent {
            // Without the sender, waiting ends with `Died`.
            lock(&self.waiting).remove(&id);
        }
        Pending {
            answer: receiver,
            deadline: Arc::clone(&self.deadline),
        }
    }

    /// Sends a command and waits for its answer.
    ///
    /// # Errors
    /// When the helper died.
    pub fn call(&self, command: Term) -> Result<Answer, BeamError> {
        self.submit(command).wait()
    }

    /// Identifies its compiler: its path, which has its version, and our modules that call it.
    pub(crate) fn compiler(&self) -> Result<String, BeamError> {
        let version = self.call(Term::atom("ping"))?;
        let path = self.call(Term::Tuple(vec![
            Term::atom("which"),
            Term::atom("compile"),
        ]))?;
        let modules = RUNTIME_BEAMS.iter().map(|(_, beam)| *beam);
        Ok(format!("{version:?} {path:?} {}", hash(modules)))
    }

    /// Compiles the text of an instrumented module from its tokens, which is faster, if possible.
    ///
    /// # Errors
    /// When the helper died.
    fn compile_tokens(&self, text: &str) -> Result<Option<Vec<u8>>, BeamError> {
        let Some(pieces) = flattener::scanned(text) else {
            return Ok(None);
        };
        let command = Term::Tuple(vec![
            Term::atom("from_tokens"),
            Term::list(pieces.into_iter().map(Term::binary)),
            Term::Integer(i64::try_from(text.len()).unwrap_or(i64::MAX).into()),
        ]);
        let answer = self.call(command)?.ok();
        let code = answer.as_ref().and_then(|answer| answer.get("beam"));
        Ok(code.and_then(Term::as_binary).map(<[u8]>::to_vec))
    }

    /// Compiles the text of a Core Erlang module.
    ///
    /// # Errors
    /// When the helper died.
    pub fn compile_core(
        &self,
        text: &str,
        effort: Effort,
    ) -> Result<Result<Vec<u8>, Vec<Message>>, BeamError> {
        if effort == Effort::Quick
            && let Some(code) = self.compile_tokens(text)?
        {
            return Ok(Ok(code));
        }
        let command = Term::Tuple(vec![
            Term::atom("from_core"),
            Term::binary(text.as_bytes()),
            Term::atom(effort.name()),
        ]);
        match self.call(command)? {
            Ok(answer) => match answer.get("beam").and_then(Term::as_binary) {
                Some(beam) => Ok(Ok(beam.to_vec())),
                None => Err(BeamError::BadAnswer(answer.to_string())),
            },
            Err(messages) => Ok(Err(messages)),
        }
    }
}

impl Drop for Helper {
    fn drop(&mut self) {
        // The helper halts when its input ends.
        let mut input = self.input.lock().unwrap_or_else(PoisonError::into_inner);
        drop(input.pipe.take());
        end(&mut self.child);
    }
}

fn lock(waiting: &Waiting) -> std::sync::MutexGuard<'_, HashMap<i64, Sender<Answer>>> {
    waiting.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Passes answers to the threads that wait for them, until the helper ends.
fn receive_answers(mut output: BufReader<Patient>, waiting: &Waiting) {
    while let Some((id, reply)) = receive(&mut output) {
        // Only runs have parts, and the helper runs nothing.
        if let Reply::Answer(answer) = reply
            && let Some(sender) = lock(waiting).remove(&id)
        {
            // Nobody may be waiting any more.
            let _ = sender.send(answer);
        }
    }
    lock(waiting).clear();
}
