//! Hears the events of one process.

use trace_format::{Happened, Listener};

use super::bounds::{Bounds, Rest};
use super::coverage_only::note_reached;
use super::events;
use super::process::Process;
use super::replayed::{Misfit, ReplayError};
use super::run_state::RunState;
use super::state_keys::StateKeys;

/// How many events are replayed before the next question whether to stop.
const EVENTS_BETWEEN_LOOKS: usize = 1 << 10;

/// Hears the events of one process.
pub(super) struct ProcessListener<'replay, 'run> {
    pub(super) run: &'replay mut RunState<'run>,
    pub(super) process: &'replay mut Process<'run>,
    pub(super) bounds: Bounds,
    pub(super) is_past_bounds: bool,
    /// Makes keys of states, if somebody wants them.
    pub(super) keys: Option<StateKeys<'replay>>,
    pub(super) should_stop: &'replay dyn Fn() -> bool,
}

/// Why no more events are replayed.
pub(super) enum Refusal {
    /// One does not fit.
    Misfit(Misfit),
    /// There is no time left.
    Stop,
    /// The rest does not matter.
    Enough,
}

impl<'run> Listener<'run> for ProcessListener<'_, 'run> {
    type Refusal = Refusal;

    fn forgets_at_tail_calls(&self) -> bool {
        self.run.forgets
    }

    #[inline]
    fn hear(&mut self, event: Happened<'run>) -> Result<(), Refusal> {
        let process = &mut *self.process;
        if process.events.is_multiple_of(EVENTS_BETWEEN_LOOKS) && (self.should_stop)() {
            return Err(Refusal::Stop);
        }
        process.events += 1;
        let before = self.run.replayed.decisions.len();
        if self.is_past_bounds {
            note_reached(self.run, &event);
            return Ok(());
        }
        let calls = self.keys.as_ref().filter(|keys| keys.states.with_calls);
        let calls = calls.map(|keys| keys.before_event(self.run, process, &event));
        events::take(self.run, process, event).map_err(Refusal::Misfit)?;
        if let Some(keys) = &mut self.keys {
            if self.run.replayed.decisions.len() > before {
                keys.note(self.run, process, before);
            }
            if let Some(calls) = calls {
                keys.after_event(self.run, process, calls);
            }
        }
        let is_alone = self.run.replayed.processes.len() <= 1;
        let most = if is_alone {
            self.bounds.max_decisions
        } else {
            self.bounds.max_decisions_of_several
        };
        if self.run.replayed.decisions.len() <= most {
            return Ok(());
        }
        self.is_past_bounds = true;
        match self.bounds.rest {
            Rest::Coverage => Ok(()),
            Rest::Nothing => Err(Refusal::Enough),
        }
    }
}

/// The event with this number does not fit.
pub(super) fn misfit(number: usize, Misfit(what): Misfit) -> ReplayError {
    ReplayError::Event { number, what }
}
