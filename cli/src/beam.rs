//! The helper BEAM: one `erl` process for the life of a command, which compiles for us.
//!
//! We talk to it over pipes on its file descriptors 3 and 4, never over stdout, so its output does
//! no harm. Its modules are embedded in this program. Any thread may send requests; answers come
//! in any order.

mod ending;
mod own_beam;
mod patient;
mod standby;

use std::collections::HashMap;
use std::env;
use std::io::{self, BufReader, BufWriter, PipeWriter, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use command_fds::{CommandFdExt, FdMapping};
use diagnostic::Diagnostic;
use erlang_term::{Term, decode, encode};
use thiserror::Error;
use trace_format::manifest::hash;

use crate::beam::ending::end;
use crate::beam::patient::Patient;
use crate::failure::Failure;

pub(crate) use own_beam::OwnBeam;
pub use standby::Standby;

/// The modules of `erlconcolic_rt`, by name.
pub(crate) const RUNTIME_BEAMS: &[(&str, &[u8])] =
    include!(concat!(env!("OUT_DIR"), "/runtime_beams.rs"));
/// Loads those modules from the first packet, then calls `erlconcolic_channel`.
const BOOTSTRAP: &str = include_str!(concat!(env!("OUT_DIR"), "/bootstrap.expr"));

/// File descriptors of the child that the channel uses.
const CHILD_INPUT: i32 = 3;
const CHILD_OUTPUT: i32 = 4;

/// The size of the pipe to a BEAM, if the system allows it: its modules fit, so we need not wait
/// until it reads them.
const INPUT_SIZE: usize = 1 << 20;

/// Why the helper could not be used.
#[derive(Debug, Error)]
pub enum BeamError {
    /// There is no `erl`.
    #[error("`erl` was not found on the PATH")]
    NoErlang,
    /// `erl` could not be started.
    #[error("`erl` could not be started: {0}")]
    Start(#[source] io::Error),
    /// `erl` would hang in this folder.
    #[error("`erl` does not start in a folder whose name is not UTF-8")]
    FolderName,
    /// The process ended while we needed it.
    #[error("the helper `erl` process ended unexpectedly")]
    Died,
    /// The process did not answer in time.
    #[error("an `erl` process did not answer in time")]
    Silent,
    /// An answer violates the protocol.
    #[error("the helper `erl` process gave an unexpected answer: {0}")]
    BadAnswer(String),
}

impl BeamError {
    /// The helper rejected a correct request: what it was about, and the helper's words.
    pub(crate) fn refused(what: &str, messages: Vec<Message>) -> Self {
        let words: Vec<String> = messages.into_iter().map(|message| message.text).collect();
        Self::BadAnswer(format!("{what}: {}", words.join(", ")))
    }

    /// The message for the user.
    pub fn diagnostic(&self) -> Diagnostic {
        match self {
            Self::NoErlang => Diagnostic::error("no-erlang", self.to_string())
                .help("install Erlang/OTP 25 or newer (on Debian: apt install erlang-nox)"),
            Self::Start(_) => Diagnostic::error("no-erlang", self.to_string()),
            Self::FolderName => Diagnostic::error("encoding", self.to_string())
                .help("rename the current folder, or the parent folder whose name is not UTF-8"),
            Self::Died => Diagnostic::error("beam-died", self.to_string())
                .help("was it killed, or out of memory? its output, if any, is above"),
            Self::Silent => Diagnostic::error("beam-died", self.to_string())
                .help("is the machine too busy, or was the process stopped?"),
            Self::BadAnswer(_) => {
                Diagnostic::error("internal", self.to_string()).help("this is a bug in erlconcolic")
            }
        }
    }
}

impl From<BeamError> for Failure {
    fn from(error: BeamError) -> Self {
        error.diagnostic().into()
    }
}

/// A message of the compiler about a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Whether it is an error; otherwise it is a warning.
    pub is_error: bool,
    /// The file it is about.
    pub path: String,
    /// The line, from 1; 0 when unknown.
    pub line: usize,
    /// The column, from 1; 0 when unknown.
    pub column: usize,
    /// The compiler's words.
    pub text: String,
}

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

/// An answer: the value, or the errors in the request.
pub type Answer = Result<Term, Vec<Message>>;

/// Replies to a command: any number of parts, then the answer.
#[derive(Debug)]
enum Reply {
    Part(Term),
    Answer(Answer),
}

type Waiting = Arc<Mutex<HashMap<i64, Sender<Answer>>>>;

/// The running helper. Dropping it ends the process.
#[derive(Debug)]
pub struct Helper {
    child: Child,
    input: Mutex<Input>,
    waiting: Waiting,
}

#[derive(Debug)]
struct Input {
    next_id: i64,
    /// `None` when the helper should end.
    pipe: Option<BufWriter<PipeWriter>>,
}

/// An answer that is on its way.
#[derive(Debug)]
pub struct Pending(Receiver<Answer>);

impl Pending {
    /// Waits for the answer.
    ///
    /// # Errors
    /// When the helper died.
    pub fn wait(self) -> Result<Answer, BeamError> {
        self.0.recv().map_err(|_| BeamError::Died)
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
        } = start()?;
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
        })
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
        Pending(receiver)
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

    /// Compiles the text of a Core Erlang module.
    ///
    /// # Errors
    /// When the helper died.
    pub fn compile_core(
        &self,
        text: &str,
        effort: Effort,
    ) -> Result<Result<Vec<u8>, Vec<Message>>, BeamError> {
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

/// A BEAM with its modules, and our ends of the pipes.
#[derive(Debug)]
struct Started {
    child: Child,
    input: BufWriter<PipeWriter>,
    output: BufReader<Patient>,
}

fn start() -> Result<Started, BeamError> {
    if env::current_dir().is_ok_and(|folder| folder.to_str().is_none()) {
        return Err(BeamError::FolderName);
    }
    let (child_input, input) = io::pipe().map_err(BeamError::Start)?;
    let (output, child_output) = io::pipe().map_err(BeamError::Start)?;
    let mut command = Command::new("erl");
    command
        // Ignore ~/.erlang; UTF-8 file names in any locale, without warnings about others; no
        // menu on Ctrl-C; no busy waiting, which would take the second core from us.
        .args(["-boot", "no_dot_erlang", "-noinput", "+fnui", "+Bi", "+sbwt", "none"])
        .args(["-eval", BOOTSTRAP])
        .env("ERL_CRASH_DUMP_SECONDS", "0")
        // Only we get signals from the terminal; we end the process when we are done.
        .process_group(0)
        .stdin(Stdio::null())
        .stdout(Stdio::from(io::stderr()))
        .fd_mappings(vec![
            FdMapping { parent_fd: child_input.into(), child_fd: CHILD_INPUT },
            FdMapping { parent_fd: child_output.into(), child_fd: CHILD_OUTPUT },
        ])
        .map_err(|error| BeamError::Start(io::Error::other(error)))?;
    let child = command.spawn().map_err(|error| {
        if error.kind() == io::ErrorKind::NotFound {
            BeamError::NoErlang
        } else {
            BeamError::Start(error)
        }
    })?;
    // The command holds the child's ends of the pipes, which must be closed when the child dies.
    drop(command);
    // If the pipe cannot be that large, sending waits.
    let _ = rustix::pipe::fcntl_setpipe_size(&input, INPUT_SIZE);
    let mut input = BufWriter::new(input);
    // A process that dies at once is noticed at the first request.
    let _ = send(&mut input, &runtime_modules());
    Ok(Started {
        child,
        input,
        output: BufReader::new(Patient::new(output)),
    })
}

fn lock(waiting: &Waiting) -> std::sync::MutexGuard<'_, HashMap<i64, Sender<Answer>>> {
    waiting.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The first packet: `[{Module, FileName, Beam}]`.
fn runtime_modules() -> Term {
    Term::list(RUNTIME_BEAMS.iter().map(|(module, beam)| {
        let file_name = format!("{module}.beam")
            .bytes()
            .map(|byte| Term::Integer(i64::from(byte).into()))
            .collect();
        Term::Tuple(vec![
            Term::atom(module),
            Term::List(file_name, None),
            Term::binary(*beam),
        ])
    }))
}

fn send(pipe: &mut impl Write, term: &Term) -> io::Result<()> {
    let bytes = encode(term);
    let length = u32::try_from(bytes.len()).map_err(io::Error::other)?;
    pipe.write_all(&length.to_be_bytes())?;
    pipe.write_all(&bytes)?;
    pipe.flush()
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

/// The next reply, with the number of its command; `None` when there are no more.
fn receive(output: &mut impl Read) -> Option<(i64, Reply)> {
    let packet = receive_packet(output).ok()?;
    parse_reply(decode(&packet).ok()?)
}

fn receive_packet(output: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut length = [0; 4];
    output.read_exact(&mut length)?;
    let length = u64::from(u32::from_be_bytes(length));
    let mut packet = Vec::new();
    // The buffer grows with the data, so a wrong length cannot allocate gigabytes.
    output.take(length).read_to_end(&mut packet)?;
    if packet.len() as u64 == length {
        Ok(packet)
    } else {
        Err(io::ErrorKind::UnexpectedEof.into())
    }
}

/// `{Id, {ok, Value}}`, `{Id, {error, Messages}}` or `{Id, {part, Value}}`.
fn parse_reply(term: Term) -> Option<(i64, Reply)> {
    let Term::Tuple(parts) = term else {
        return None;
    };
    let [id, Term::Tuple(result)] = <[Term; 2]>::try_from(parts).ok()? else {
        return None;
    };
    let [tag, value] = <[Term; 2]>::try_from(result).ok()?;
    let reply = match tag.as_atom()? {
        "ok" => Reply::Answer(Ok(value)),
        "error" => Reply::Answer(Err(parse_messages(&value)?)),
        "part" => Reply::Part(value),
        _ => return None,
    };
    Some((id.as_i64()?, reply))
}

/// Messages in the order in which they came.
pub(crate) fn parse_messages(term: &Term) -> Option<Vec<Message>> {
    term.as_list()?.iter().map(parse_message).collect()
}

fn parse_message(term: &Term) -> Option<Message> {
    let [severity, path, line, column, text] = term.as_tuple()? else {
        return None;
    };
    let string = |term: &Term| Some(String::from_utf8_lossy(term.as_binary()?).into_owned());
    let number = |term: &Term| usize::try_from(term.as_i64()?).ok();
    Some(Message {
        is_error: severity.as_atom()? == "error",
        path: string(path)?,
        line: number(line)?,
        column: number(column)?,
        text: string(text)?,
    })
}
