//! Why a BEAM cannot be used.

use std::io;

use diagnostic::Diagnostic;
use thiserror::Error;

use super::compiler_message::Message;
use crate::failure::Failure;

/// Why a BEAM cannot be used.
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
    /// The time for the whole command is up.
    #[error("compiling took all the time of --timeout")]
    NoTime,
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
            Self::NoTime => Diagnostic::error("no-time", self.to_string())
                .help("raise --timeout: it counts from the start of the command")
                .help("`erlconcolic instrument` compiles once for many searches"),
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
