//! Replays a run on symbolic values, from its log. The events are never all there at once: each is
//! replayed as it is restored.
//!
//! A replay is a [`RunState`] and its processes. A [`Process`] has state of its own: running
//! functions, handlers, dictionary. The run has the rest, which processes share: mailboxes, the
//! program and the input, the graph, and what was decided. The rules of operations are in
//! [`crate::rules`] and in the crate `models`, and know of neither.

mod accesses;
mod aliases;
mod arguments_of_calls;
mod bit_expressions;
mod bounds;
mod built_ins;
mod call_marking;
mod call_marks;
mod callee;
mod calls;
mod cells;
mod channels;
mod coverage_only;
mod deaths;
mod delivering;
mod dictionary;
mod encoded_terms;
mod ends;
mod events;
mod exceptions;
mod exit_signals;
mod foreign_calls;
mod handlers;
mod hibernation;
mod input_funs;
mod interleaving;
mod kept_values;
mod known_calls;
mod listening;
mod logged_values;
mod machine_state;
mod mailbox;
mod map_operations;
mod messages;
mod monitors;
mod noted;
mod objects;
mod old_receives;
mod opaque_operations;
mod open_call;
mod operations;
mod places;
mod play_mark;
mod play_marks;
mod process;
mod process_ids;
mod raising_calls;
mod reached_state;
mod receives;
mod replayed;
mod run_event;
mod run_state;
mod segments;
mod sending;
mod shared_access;
mod shared_state;
mod signal_effect;
mod signal_state;
mod signals;
mod spawning;
mod stack;
mod stack_traces;
mod state_keys;
mod statements;
mod step_effects;
mod steps;
mod stored;
mod stored_terms;
mod stored_variables;
mod summary;
mod tables;
mod timers;
mod together;
mod waited_events;
mod waiting;

use erlang_term::Term;
use flattener::flat::Callable;
use solver::ReleaseRules;
use solver::graph::{Input, NodeId};
use trace_format::{Broken, ProcessLogs, RunLog};

pub use bounds::{Bounds, Rest};
pub use call_marks::CallMark;
pub(crate) use call_marks::CallMarkKind;
pub use foreign_calls::is_harmless;
use interleaving::Interleaving;
use listening::{ProcessListener, Refusal, misfit};
pub(crate) use machine_state::MachineState;
pub use noted::Noted;
pub use places::{Mark, Places};
pub use play_mark::{ChosenClause, NotedMarks, PlayMark, PlayMarkKind, PlayModules};
use process::Process;
pub(crate) use process_ids::process_number;
pub use reached_state::ReachedState;
pub use receives::{ReceiveTimeout, ReplayedReceive};
use replayed::Misfit;
pub use replayed::{Decision, OpaqueCall, ReplayError, Replayed};
pub use run_event::{Death, ReplayedProcess, RunEvent, RunEventKind};
use run_state::RunState;
use segments::follow_segments;
pub(crate) use segments::{Segment, SegmentEnd, Segments};
pub use shared_access::{Access, Object};
pub use signal_effect::{ExitKind, SignalEffect};
pub(crate) use signal_state::SignalState;
use stack::{Around, Frame};
pub use state_keys::KeyedStates;
use state_keys::StateKeys;
pub use summary::ReplaySummary;

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
    replay.follow(log, bounds, None, should_stop)?;
    Ok(replay.run.replayed)
}

/// The same for all processes of a run, in the order of their steps. The log is that of the entry
/// function; of the others only the bytes are needed. Without leases the others are ignored.
///
/// # Errors
/// When the logs do not belong to a run of this program.
pub fn replay_run<'run>(
    log: &RunLog<'run>,
    logs: &'run ProcessLogs,
    rules: &ReleaseRules,
    arguments: &[Term],
    noted: Noted<'run>,
    bounds: Bounds,
    should_stop: &dyn Fn() -> bool,
) -> Result<Replayed, ReplayError> {
    let modules = noted.modules;
    if !logs.are_interleaved() {
        let mut alone = Replay::new(log, rules, arguments, modules)?;
        alone.run.views = noted.views;
        alone.run.marks = noted.marks;
        let keys = noted.states.map(StateKeys::new);
        alone.follow(log, bounds, keys, should_stop)?;
        // A process that never ran has neither a log nor a lease.
        if !alone.run.has_spawned || logs.leases().is_empty() {
            return Ok(alone.run.replayed);
        }
    }
    let Replay { mut run, process } = Replay::new(log, rules, arguments, modules)?;
    run.marks = noted.marks;
    let interleaving = Interleaving::new(run, process, (log, logs), bounds, should_stop);
    Ok(interleaving.replay()?.replayed)
}

/// Replays a run of one process a second time, given the states that it reached when places in the
/// first modules were noted, this many; `None` if that is not possible.
pub(crate) fn replay_segments(
    log: &RunLog<'_>,
    rules: &ReleaseRules,
    arguments: &[Term],
    (states, modules): (&[ReachedState], usize),
    should_stop: &dyn Fn() -> bool,
) -> Option<Segments> {
    let Replay { run, process } = Replay::new(log, rules, arguments, modules).ok()?;
    follow_segments((run, process), log, states, should_stop)
}

/// A run and the process of its entry function.
struct Replay<'run> {
    run: RunState<'run>,
    process: Process<'run>,
}

impl<'run> Replay<'run> {
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
        let mut process = Process::of_entry(entry);
        let arity = entry.fun.parameters.len();
        let symbols: Vec<NodeId> = (0..arity).map(|it| run.graph().input(it)).collect();
        process.stack.begin(&mut run, Around::Nothing, &symbols);
        Ok(Self { run, process })
    }

    /// Replays the log to its end, or until it should stop.
    fn follow(
        &mut self,
        log: &RunLog<'run>,
        bounds: Bounds,
        keys: Option<StateKeys<'_>>,
        should_stop: &dyn Fn() -> bool,
    ) -> Result<(), ReplayError> {
        let mut keys = keys;
        if let Some(keys) = &mut keys {
            keys.begin_run(&mut self.run, &self.process);
        }
        let mut listener = ProcessListener {
            run: &mut self.run,
            process: &mut self.process,
            bounds,
            keys,
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
