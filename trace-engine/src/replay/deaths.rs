//! Processes that others ended.

use super::ends::note_exit_signal;
use super::receives::ReceiveTimeout;
use super::replayed::Replayed;
use super::run_event::Death;
use super::run_state::RunState;

/// Notes that a process did not come to its end, and the step that ended it. If there is none,
/// nobody controlled that.
pub(super) fn note_death(run: &mut RunState<'_>, process: usize, by: Option<usize>) {
    let is_waiting = waits(&run.replayed, process);
    match by {
        Some(by) => run.replayed.deaths.push(Death {
            process,
            by,
            is_waiting,
        }),
        None if is_waiting => {}
        None => note_exit_signal(run),
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
