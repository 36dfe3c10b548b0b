//! Follows the log of a process, with pauses.

use flattener::flat::Statement;

use super::follower::Follower;
use super::position::Position;
use super::run_log::{Broken, Ending, Listener, LogError, Progress, RunLog};
use crate::log::ReadError;

/// Follows the log of one process. It can pause, so that the logs of several processes can be
/// followed in the order in which things happened.
#[derive(Clone, Debug)]
pub struct ProcessFollower<'run> {
    log: RunLog<'run>,
    /// `None` only while it is followed.
    at: Option<Position<'run>>,
}

impl<'run> ProcessFollower<'run> {
    /// Before the first event of a log.
    pub fn new(log: &RunLog<'run>) -> Self {
        Self {
            log: *log,
            at: Some(Position::before(log)),
        }
    }

    /// Follows the log until the listener wants a pause, or to its end.
    ///
    /// # Errors
    /// When the log is damaged or belongs to another program, and when the listener refuses an
    /// event. After that it can only be followed from the beginning.
    pub fn resume<L: Listener<'run>>(
        &mut self,
        listener: &mut L,
    ) -> Result<Progress, Broken<L::Refusal>> {
        let at = self.at.take();
        let at = at.unwrap_or_else(|| Position::before(&self.log));
        let mut follower = Follower::new(at, listener);
        let result = match self.log.entry {
            Some((module, index)) => follower.run_entry(module, index),
            None => follower.run_from_outside(),
        };
        self.at = Some(follower.into_position());
        match result {
            Err(Broken::Log(LogError::Bytes {
                error: ReadError::End,
                ..
            })) => Ok(Progress::Ended(Ending::Open)),
            other => other,
        }
    }

    /// If the log ended before the process did, the statement that comes next in the program, with
    /// its module.
    pub fn stopped_at(&self) -> Option<(usize, &'run Statement)> {
        let at = self.at.as_ref()?;
        Some((at.module, at.stopped_at?))
    }

    /// Whether the log was cut off because it has too many events.
    pub fn is_too_long(&self) -> bool {
        self.at.as_ref().is_some_and(|at| at.left == 0)
    }
}
