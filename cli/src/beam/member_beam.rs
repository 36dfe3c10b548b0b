//! A BEAM that is a node of Erlang distribution. It carries frames, and runs no inputs.

use std::io::{BufReader, BufWriter, PipeWriter};
use std::path::Path;
use std::process::Child;
use std::sync::{Mutex, PoisonError};

use erlang_term::{Term, decode};

use super::beam_error::BeamError;
use super::beam_process::{SPARING, Started, start_member};
use super::ending::end;
use super::patient::Patient;
use super::replies::{receive_packet, send};

/// Our end of the channel for commands. Dropping it ends the node.
#[derive(Debug)]
pub(crate) struct MemberBeam {
    child: Child,
    /// `None` when the node should end.
    input: Mutex<Option<BufWriter<PipeWriter>>>,
}

/// What the node tells.
#[derive(Debug)]
pub(crate) struct MemberEvents(BufReader<Patient>);

impl MemberBeam {
    /// Starts a node with these flags for `erl` and options for `erlconcolic_cluster`, which looks
    /// for its cookie in this folder.
    pub(crate) fn start(
        flags: &[&str],
        home: Option<&Path>,
        options: Term,
    ) -> Result<(Self, MemberEvents), BeamError> {
        let flags: Vec<&str> = SPARING.iter().chain(flags).copied().collect();
        let Started {
            child,
            input,
            output,
        } = start_member(&flags, home)?;
        let member = Self {
            child,
            input: Mutex::new(Some(input)),
        };
        let command = Term::Tuple(vec![Term::atom("cluster"), options]);
        member.send(&Term::Tuple(vec![Term::Integer(0.into()), command]));
        Ok((member, MemberEvents(output)))
    }

    /// Sends a command. If the node has died, its events end.
    pub(crate) fn send(&self, command: &Term) {
        let mut input = self.input.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(pipe) = input.as_mut() {
            let _ = send(pipe, command);
        }
    }

    /// Lets the node end. Its events end then.
    pub(crate) fn end(&self) {
        let mut input = self.input.lock().unwrap_or_else(PoisonError::into_inner);
        *input = None;
    }
}

impl Iterator for MemberEvents {
    type Item = Term;

    fn next(&mut self) -> Option<Term> {
        let packet = receive_packet(&mut self.0).ok()?;
        decode(&packet).ok()
    }
}

impl Drop for MemberBeam {
    fn drop(&mut self) {
        self.end();
        end(&mut self.child);
    }
}
