//! Replays a run on symbolic values, from its log. The events are never all there at once: each is
//! replayed as it is restored.
//!
//! A replay is a [`RunState`] and its processes. A [`Process`] has state of its own: running
//! functions, handlers, dictionary, mailbox. The run has the rest, which processes share: the
//! program and the input, the graph, and what was decided. The rules of operations are in
//! [`crate::rules`] and in the crate `models`, and know of neither.

mod arguments_of_calls;
mod bit_expressions;
mod built_ins;
mod callee;
mod calls;
mod coverage_only;
mod dictionary;
mod events;
mod exceptions;
mod handlers;
mod input_funs;
mod mailbox;
mod map_operations;
mod opaque_operations;
mod operations;
mod places;
mod process;
mod raising_calls;
mod replayed;
mod run_event;
mod run_state;
mod stack;
mod statements;

use erlang_term::Term;
use flattener::flat::Callable;
use solver::ReleaseRules;
use solver::graph::{Input, NodeId};
use trace_format::{Broken, Happened, Listener, RunLog};

use coverage_only::note_reached;
pub use places::{Mark, Places};
use process::Process;
use replayed::Misfit;
pub use replayed::{Decision, OpaqueCall, ReplayError, Replayed};
pub use run_event::{Access, Object, RunEvent, RunEventKind};
use run_state::RunState;
use stack::{Around, Frame};

/// How many events are replayed before the next question whether to stop.
const EVENTS_BETWEEN_LOOKS: usize = 1 << 10;

/// Replays a run of its entry function with symbolic arguments, by the rules of the release that
/// ran it. The arguments of the run decide what built-ins did where the log does not tell.
///
/// # Errors
/// When the log does not belong to a run of this program.
pub fn replay(
    log: &RunLog<'_>,
    rules: &ReleaseRules,
    arguments: &[Term],
) -> Result<Replayed, ReplayError> {
    replay_until(log, rules, arguments, 0, &|| false)
}

/// How much of a run is replayed.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// When there are more decisions than this, the rest of the log is not replayed.
    pub max_decisions: usize,
    /// What is done with the rest.
    pub rest: Rest,
}

/// What is done with events that are not replayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
    /// What they reach is noted: clauses, functions and places.
    Coverage,
    /// Nothing.
    Nothing,
}

impl Bounds {
    /// The whole run.
    const NONE: Self = Self {
        max_decisions: usize::MAX,
        rest: Rest::Coverage,
    };
}

/// The same. It notes the places in the first modules, this many, that the run reaches, and ends
/// when it should stop.
///
/// # Errors
/// When the log does not belong to a run of this program.
pub fn replay_until(
    log: &RunLog<'_>,
    rules: &ReleaseRules,
    arguments: &[Term],
    modules: usize,
    should_stop: &dyn Fn() -> bool,
) -> Result<Replayed, ReplayError> {
    replay_within(log, rules, arguments, modules, Bounds::NONE, should_stop)
}

/// The same within bounds. A run that is longer has one decision more than the bound, or a few.
///
/// # Errors
/// When the log does not belong to a run of this program.
pub fn replay_within(
    log: &RunLog<'_>,
    rules: &ReleaseRules,
    arguments: &[Term],
    modules: usize,
    bounds: Bounds,
    should_stop: &dyn Fn() -> bool,
) -> Result<Replayed, ReplayError> {
    let mut replay = Replay::new(log, rules, arguments, modules)?;
    replay.follow(Replay::ENTRY, log, bounds, should_stop)?;
    Ok(replay.run.replayed)
}

/// A run and its processes.
struct Replay<'run> {
    run: RunState<'run>,
    /// The process of the entry function, and those that it started.
    processes: Vec<Process<'run>>,
}

impl<'run> Replay<'run> {
    /// The number of the process of the entry function.
    const ENTRY: usize = 0;

    /// A run that is about to call its entry function.
    fn new(
        log: &RunLog<'run>,
        rules: &ReleaseRules,
        arguments: &[Term],
        modules: usize,
    ) -> Result<Self, ReplayError> {
        let entry = log.entry.and_then(|(module, index)| {
            Frame::of(log.program, module, Callable::Function(index), None)
        });
        let entry = entry.ok_or_else(|| misfit(0, Misfit("there is no such entry")))?;
        let mut run = RunState::new(log.program, rules, modules);
        let values = arguments.iter().map(|it| run.graph().constant(it));
        let values: Vec<NodeId> = values.collect();
        run.input = Input::new(&values);
        let mut process = Process::new(entry);
        let arity = entry.fun.parameters.len();
        let symbols: Vec<NodeId> = (0..arity).map(|it| run.graph().input(it)).collect();
        process.stack.begin(&mut run, Around::Nothing, &symbols);
        Ok(Self {
            run,
            processes: vec![process],
        })
    }

    /// Replays the log of a process to its end, or until it should stop.
    fn follow(
        &mut self,
        number: usize,
        log: &RunLog<'run>,
        bounds: Bounds,
        should_stop: &dyn Fn() -> bool,
    ) -> Result<(), ReplayError> {
        let process = self.processes.get_mut(number);
        let process = process.ok_or_else(|| misfit(0, Misfit("there is no such process")))?;
        let mut listener = ProcessListener {
            run: &mut self.run,
            process,
            bounds,
            is_past_bounds: false,
            should_stop,
        };
        let followed = trace_format::follow(log, &mut listener);
        let ProcessListener {
            run,
            process,
            is_past_bounds,
            ..
        } = listener;
        match followed {
            Ok(ending) => run.replayed.ending = ending,
            Err(Broken::Log(error)) => return Err(error.into()),
            Err(Broken::Refused(Refusal::Misfit(wrong))) => {
                return Err(misfit(process.events, wrong));
            }
            Err(Broken::Refused(Refusal::Stop)) => run.replayed.is_stopped = true,
            Err(Broken::Refused(Refusal::Enough)) => {}
        }
        if is_past_bounds {
            return Ok(());
        }
        events::replay_held(run, process).map_err(|wrong| misfit(process.events, wrong))
    }
}

fn misfit(number: usize, Misfit(what): Misfit) -> ReplayError {
    ReplayError::Event { number, what }
}

/// Hears the events of one process.
struct ProcessListener<'replay, 'run> {
    run: &'replay mut RunState<'run>,
    process: &'replay mut Process<'run>,
    bounds: Bounds,
    is_past_bounds: bool,
    should_stop: &'replay dyn Fn() -> bool,
}

/// Why no more events are replayed.
enum Refusal {
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
        if self.is_past_bounds {
            note_reached(self.run, &event);
            return Ok(());
        }
        events::take(self.run, process, event).map_err(Refusal::Misfit)?;
        if self.run.replayed.decisions.len() <= self.bounds.max_decisions {
            return Ok(());
        }
        self.is_past_bounds = true;
        match self.bounds.rest {
            Rest::Coverage => Ok(()),
            Rest::Nothing => Err(Refusal::Enough),
        }
    }
}
