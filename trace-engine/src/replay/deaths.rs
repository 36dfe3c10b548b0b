//! Processes that others ended.

use super::receives::ReceiveTimeout;
use super::replayed::{OpaqueCall, Replayed};

/// A process that a step of another process ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Death {
    /// The number of the process.
    pub process: usize,
    /// The step that ended it, by its event.
    pub by: usize,
    /// The number of the `receive` in which it waited for a message. Otherwise it was about to make
    /// a step.
    pub waits_in: Option<usize>,
}

/// Notes that a process did not come to its end, and the step that ended it. If there is none,
/// nobody controlled that.
pub(super) fn note_death(replayed: &mut Replayed, process: usize, by: Option<usize>) {
    let waits_at = replayed.processes.get(process).and_then(|it| it.waits_at);
    if let Some(by) = by {
        let waits_in = waits_at.and_then(|_| last_receive(replayed, process));
        replayed.deaths.push(Death {
            process,
            by,
            waits_in,
        });
    } else if waits_at.is_none() {
        note_exit_signal(replayed);
    }
}

/// Notes that a signal about the end of a process came at a time that nobody controls.
pub(super) fn note_exit_signal(replayed: &mut Replayed) {
    replayed.uncontrolled.push(OpaqueCall {
        name: "an exit signal".to_owned(),
        place: None,
    });
}

/// The last `receive` of a process, unless its time may be over at any moment.
fn last_receive(replayed: &Replayed, process: usize) -> Option<usize> {
    let mut receives = replayed.receives.iter();
    let last = receives.rposition(|it| it.process == process)?;
    let timeout = replayed.receives.get(last)?.timeout;
    (timeout != ReceiveTimeout::Zero).then_some(last)
}
