//! Runs on the user's code without instrumentation.

use erlang_term::Term;
use trace_engine::PlayMark;
use trace_engine::explore::OtherOrder;
use trace_format::Schedule;

use crate::chart::ChartedRun;
use crate::entry::Entry;
use crate::outcome::Outcome;
use crate::run_end::OrderedRun;

/// A run of several processes that nobody controls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trial {
    /// Decides how processes get their turns: how many schedulers there are, what load, and which
    /// processes pause. With 0 they run as they come.
    pub number: usize,
    /// Whether the run is over when all its processes seem to wait for ever.
    pub waits: bool,
}

/// The user's code without instrumentation, ready to run.
pub trait OriginalCode {
    /// Why an input could not be run.
    type Failure;

    /// Runs a function on a list of arguments; `None` if there is no time left for it. A wait for a
    /// timer gets a part of the time that is left.
    ///
    /// # Errors
    /// When the input could not be run.
    fn run(&mut self, entry: &Entry, arguments: Term) -> Result<Option<Outcome>, Self::Failure>;

    /// Runs a function and the processes that it starts as they come. Returns how they ended, as far
    /// as they did not return, the function first; `None` if there is no time left for it.
    ///
    /// # Errors
    /// When the input could not be run.
    fn try_out(
        &mut self,
        entry: &Entry,
        arguments: Term,
        trial: Trial,
    ) -> Result<Option<Vec<Outcome>>, Self::Failure> {
        let _ = (entry, arguments, trial);
        Ok(None)
    }

    /// Runs a function whose processes follow a schedule, without a record of what it does; `None`
    /// if there is no time left for it.
    ///
    /// # Errors
    /// When the input could not be run.
    fn run_in_order(
        &mut self,
        entry: &Entry,
        arguments: Term,
        schedule: &Schedule,
    ) -> Result<Option<OrderedRun>, Self::Failure> {
        let _ = (entry, arguments, schedule);
        Ok(None)
    }

    /// Runs a function whose processes follow a schedule, and looks for other orders of two steps.
    /// None if there is no time left for it.
    fn other_orders(
        &mut self,
        entry: &Entry,
        arguments: Term,
        schedule: &Schedule,
    ) -> Vec<OtherOrder> {
        let _ = (entry, arguments, schedule);
        Vec::new()
    }

    /// Runs a function whose processes follow a schedule, and tells what they do. `None` if there is
    /// only one process, or if there is no time left for it.
    fn charted_run(
        &mut self,
        entry: &Entry,
        arguments: Term,
        schedule: &Schedule,
    ) -> Option<ChartedRun> {
        let _ = (entry, arguments, schedule);
        None
    }

    /// Plays a machine, and returns what the play tells; nothing if there is no time left for it.
    fn marks(&mut self, entry: &Entry, arguments: Term, schedule: &Schedule) -> Vec<PlayMark> {
        let _ = (entry, arguments, schedule);
        Vec::new()
    }

    /// Runs a function that raises, and returns what the program says about the exception: its
    /// banner in Elixir. `None` if it says nothing, or if there is no time left.
    fn banner(&mut self, entry: &Entry, arguments: Term) -> Option<String>;

    /// Elixir source as `mix format` leaves it in lines of this many columns. `None` if it cannot
    /// be formatted.
    fn formatted(&mut self, source: &str, columns: usize) -> Option<String>;

    /// Whether these arguments match the spec of a function, if they must.
    fn is_input(&self, entry: &Entry, arguments: &[Term]) -> bool;

    /// Whether there is time to look for smaller inputs.
    fn has_time_to_shrink(&self) -> bool;
}
