//! A BEAM that one thread has for itself.

use std::collections::HashMap;

use erlang_term::Term;

use super::{Answer, BeamError, Reply, Started, receive, send, start};

/// Whoever waits for an answer reads it. With a thread in between, as [`super::Helper`] has one,
/// every run would cost two switches of threads more. Dropping it ends the process.
#[derive(Debug)]
pub(crate) struct OwnBeam {
    /// `None` once the process is to end.
    process: Option<Started>,
    next_id: i64,
    /// Answers that came before the one that was waited for.
    early: HashMap<i64, Answer>,
}

impl OwnBeam {
    /// Starts a BEAM.
    pub(crate) fn start() -> Result<Self, BeamError> {
        Ok(Self {
            process: Some(start()?),
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
        if let Some(Started { mut child, .. }) = self.process.take() {
            // It has nothing to finish, and may be in the middle of its start or of a run. It is
            // gone either way.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
