//! From a log to events.

mod follower;
mod position;
mod process_follower;
mod run_log;

use std::convert::Infallible;

pub use self::process_follower::ProcessFollower;
pub use self::run_log::{Broken, CallBack, Ending, Happened, Listener, LogError, Progress, RunLog};
use crate::event::Event;

/// The events of a process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded {
    /// In the order in which they happened.
    pub events: Vec<Event>,
    /// How the process ended, according to its log.
    pub ending: Ending,
}

/// Keeps all events.
struct Collector(Vec<Event>);

impl<'run> Listener<'run> for Collector {
    type Refusal = Infallible;

    fn forgets_at_tail_calls(&self) -> bool {
        false
    }

    fn hear(&mut self, event: Happened<'run>) -> Result<(), Infallible> {
        self.0.push(Event {
            module: event.module,
            callable: event.callable,
            site: event.statement.map(|statement| statement.site),
            kind: event.kind,
        });
        Ok(())
    }
}

/// Restores the events of a process.
///
/// # Errors
/// When the log is damaged or belongs to another program.
pub fn decode(log: &RunLog<'_>) -> Result<Decoded, LogError> {
    let mut collector = Collector(Vec::new());
    match follow(log, &mut collector) {
        Ok(ending) => Ok(Decoded {
            events: collector.0,
            ending,
        }),
        Err(Broken::Log(error)) => Err(error),
        Err(Broken::Refused(never)) => match never {},
    }
}

/// Restores the events of a process one after another.
///
/// # Errors
/// When the log is damaged or belongs to another program, and when the listener refuses an event.
pub fn follow<'run, L: Listener<'run>>(
    log: &RunLog<'run>,
    listener: &mut L,
) -> Result<Ending, Broken<L::Refusal>> {
    let mut follower = ProcessFollower::new(log);
    loop {
        if let Progress::Ended(ending) = follower.resume(listener)? {
            return Ok(ending);
        }
    }
}
