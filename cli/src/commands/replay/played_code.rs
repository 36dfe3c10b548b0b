//! A machine, or a module whose functions are called in a row, ready to be played again.

use std::sync::Arc;

use erlang_term::Term;
use reports::{Entry, Outcome};
use trace_format::Schedule;

use super::ordered_code::OrderedCode;
use super::saved_inputs::SavedInput;
use crate::beam::BeamRules;
use crate::beam::worker::{Limits, Worker};
use crate::failure::Failure;
use crate::program::target::Request;
use crate::sources::front_end::FrontEnd;

/// If it waits longer than this for its timers, in milliseconds, a machine is played and not started
/// as a process.
const LONGEST_WAIT: i64 = 1_000;

/// How a play ends in which a timeout of the sequence found no timer.
const NO_TIMER: &str = "no_timer";

/// The code of an entry, as it is and instrumented.
pub(super) struct PlayedCode {
    ordered: OrderedCode,
    original: Worker,
    /// How many events or calls a sequence has at most.
    length: usize,
}

impl PlayedCode {
    /// Prepares the code of an entry.
    pub(super) fn prepare(
        entry: &Entry,
        request: &Request<'_>,
        front_end: &FrontEnd,
        rules: &Arc<BeamRules>,
    ) -> Result<Self, Failure> {
        let ordered = OrderedCode::prepare(entry, request, front_end, rules)?;
        let original = ordered.target.original_worker(front_end)?;
        Ok(Self {
            original: original.with_rules(Arc::clone(rules)),
            ordered,
            length: request.machines.length,
        })
    }

    /// The entry.
    pub(super) fn entry(&self) -> &Entry {
        &self.ordered.entry
    }

    /// The arguments of the wrapper for an input, as a list; or why it cannot be played any more.
    pub(super) fn arguments(&self, input: &SavedInput) -> Result<Term, String> {
        match input {
            SavedInput::Arguments(list) => Ok(list.clone()),
            SavedInput::Events(events) => {
                let mut arguments = events.clone();
                arguments.resize(self.length + 1, Term::atom("none"));
                Ok(Term::list(arguments))
            }
            SavedInput::Calls(calls) => {
                let entry = self.entry();
                let arguments = self.ordered.target.call_arguments(entry, calls);
                let module = &entry.module;
                let arguments = arguments.map_err(|number| {
                    format!("its call number {number} fits no spec of {module} any more")
                });
                Ok(Term::list(arguments?))
            }
        }
    }

    /// Runs an input on the unchanged code: a machine as a process of OTP. Processes that had a
    /// schedule follow it, on instrumented code. There a machine is played, too, whose timers take
    /// long, or that has none when the sequence waits for one: a real process would not tell.
    pub(super) fn run(
        &mut self,
        list: Term,
        schedule: &Schedule,
        limits: &Limits,
    ) -> Result<Outcome, Failure> {
        if !schedule.leases().is_empty() {
            return self.ordered.run(list, schedule, limits);
        }
        if self.entry().waits(list.as_list().unwrap_or_default()) {
            let (outcome, waited) = self.ordered.play(list.clone(), limits)?;
            if waited > LONGEST_WAIT || has_no_timer(&outcome) {
                return Ok(outcome);
            }
        }
        let target = &self.ordered.target;
        let Entry {
            module, function, ..
        } = target.start(self.entry());
        let module = target.renaming.loaded_as(&module);
        let run = self.original.run(module, &function.name, list, limits)?;
        let mut outcome = run.outcome;
        target.tidy_original(&mut outcome);
        target.own_sources().locate(&mut outcome);
        Ok(outcome)
    }
}

/// Whether a play waited for a timer that was not set. The result may have replies too.
fn has_no_timer(outcome: &Outcome) -> bool {
    match outcome {
        Outcome::Ok(text) => text.trim_start_matches('{').starts_with(NO_TIMER),
        Outcome::Exception { .. }
        | Outcome::Timeout
        | Outcome::Killed
        | Outcome::WorkerDied
        | Outcome::Blocked(_)
        | Outcome::Deadlock { .. }
        | Outcome::Steps => false,
    }
}
