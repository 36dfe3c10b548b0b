//! Processes that others ended.

use super::receives::ReceiveTimeout;
use super::replayed::{OpaqueCall, Replayed};
use super::run_event::Death;

/// Notes that a process did not come to its end, and the step that ended it. If there is none,
/// nobody controlled that.
pub(super) fn note_death(replayed: &mut Replayed, process: usize, by: Option<usize>) {
    let is_waiting = waits(replayed, process);
    match by {
        Some(by) => replayed.deaths.push(Death {
            process,
            by,
            is_waiting,
        }),
        None if is_waiting => {}
        None => note_exit_signal(replayed),
    }
}

/// Whether a process waited for a message. After no time at all it goes on, so it did not if it was
/// in a `receive` with `after 0`.
fn waits(replayed: &Replayed, process: usize) -> bool {
    let own = replayed.processes.get(process);
    if own.is_none_or(|it| it.waits_at.is_none()) {
        return false;
    }
    let mut receives = replayed.receives.iter().rev();
    let last = receives.find(|it| it.process == process);
    last.is_none_or(|it| it.timeout != ReceiveTimeout::Zero)
}

/// Notes that a signal about the end of a process came at a time that nobody controls.
pub(super) fn note_exit_signal(replayed: &mut Replayed) {
    replayed.uncontrolled.push(OpaqueCall {
        name: "an exit signal".to_owned(),
        place: None,
    });
}
