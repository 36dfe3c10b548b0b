//! Calls that are steps: other processes can see what they do, or they see what others did.

use flattener::flat::Statement;
use models::{Step, StepKind};
use solver::graph::NodeId;
use trace_format::{CallKind, Payload};

use super::accesses::{accesses_of, reached_process};
use super::aliases::accesses_of_unalias;
use super::callee::choose_callee;
use super::exit_signals::{ended_by_signal, signal_step};
use super::known_calls::{KnownCall, known_call};
use super::monitors::{accesses_of_demonitor, monitored};
use super::opaque_operations::note_opaque_step;
use super::process::Process;
use super::replayed::{Fits, Misfit};
use super::run_event::RunEventKind;
use super::run_state::RunState;
use super::sending::{not_sent, sent};
use super::shared_access::Access;
use super::spawning::spawned;
use super::step_effects::{accesses_of_new_table, note_effects};
use super::stored::{self, keeping_step, keeps, may_keep};
use super::timers::{is_of_gate, timer_left, timer_started};
use super::waiting::{begin_sleep, slept};

/// A call that is a step.
pub(super) struct StepCall {
    step: &'static Step,
    call: KnownCall,
}

/// The step that a statement makes; `None` if it makes none. If there is only one process, only what
/// it keeps counts.
pub(super) fn step_at<'run>(
    run: &mut RunState<'run>,
    process: &mut Process<'run>,
    statement: &'run Statement,
) -> Result<Option<StepCall>, Misfit> {
    let is_alone = run.together.is_none();
    if is_alone && !may_keep(&statement.operation) {
        return Ok(None);
    }
    let stack = &mut process.stack;
    let Some(call) = known_call(run, stack, statement)? else {
        return Ok(None);
    };
    let arity = u32::try_from(call.arguments.len()).unwrap_or(u32::MAX);
    let Some(step) = models::step(call.module.as_str(), call.name.as_str(), arity) else {
        return Ok(None);
    };
    if is_alone && !keeps(step) {
        return Ok(None);
    }
    if stack.call_kind(statement) == Some(CallKind::Computed) {
        choose_callee(run, stack, statement)?;
    }
    Ok(Some(StepCall { step, call }))
}

/// A step returned. Returns its value.
pub(super) fn step_returned<'run>(
    run: &mut RunState<'run>,
    process: &mut Process<'run>,
    statement: &'run Statement,
    step: &StepCall,
    payload: &Payload,
) -> Result<NodeId, Misfit> {
    let StepCall { step, call } = step;
    match step.kind {
        StepKind::Send => sent(run, process, statement, call, payload),
        StepKind::Spawn => spawned(run, process, statement, call, payload),
        StepKind::Sleep => {
            slept(run, process, statement, &call.arguments)?;
            Ok(run.constant(payload))
        }
        StepKind::TimerLeft => timer_left(run, process, statement, call, payload),
        StepKind::Timer if is_of_gate(run, payload) => {
            timer_started(run, process, statement, call, payload)
        }
        StepKind::Plain | StepKind::Ask | StepKind::Signal | StepKind::Timer | StepKind::Clock => {
            other_step(run, process, statement, (step, call), payload)
        }
    }
}

fn other_step<'run>(
    run: &mut RunState<'run>,
    process: &mut Process<'run>,
    statement: &'run Statement,
    (step, call): (&'static Step, &KnownCall),
    payload: &Payload,
) -> Result<NodeId, Misfit> {
    if (step.module, step.name) == ("erlang", "monitor") {
        let (value, is_known) = monitored(run, process, statement, (step, call), payload)?;
        stay_behind_messages(run, process, statement, (step, call));
        if !is_known {
            run.note_uncontrolled(process.stack.at(statement), call.text());
        }
        return Ok(value);
    }
    if let Some(value) = signal_step(run, process, statement, (step, call), payload)? {
        stay_behind_messages(run, process, statement, (step, call));
        return Ok(value);
    }
    let logged = run.constant(payload);
    let mut accesses = if (step.module, step.name) == ("ets", "new") {
        accesses_of_new_table(run, logged)
    } else {
        accesses_of(run, step, call)
    };
    if (step.module, step.name) == ("erlang", "demonitor") {
        accesses.extend(accesses_of_demonitor(run, call));
    }
    if (step.module, step.name) == ("erlang", "unalias") {
        accesses.extend(accesses_of_unalias(run, call));
    }
    end_step(run, process, statement, accesses);
    stay_behind_messages(run, process, statement, (step, call));
    // What is decided about what others put there comes behind the step.
    let value = if keeps(step) {
        keeping_step(run, process.stack.at(statement), (step, call), logged)?
    } else {
        note_opaque_step(run, &mut process.stack, statement);
        logged
    };
    note_effects(run, call, value);
    if step.kind == StepKind::Timer || step.kind == StepKind::Signal {
        run.note_uncontrolled(process.stack.at(statement), call.text());
    }
    Ok(value)
}

/// Whether a process sleeps at a statement when the run is over.
pub(super) fn sleeps_for_ever<'run>(
    run: &mut RunState<'run>,
    process: &mut Process<'run>,
    statement: &'run Statement,
) -> Result<bool, Misfit> {
    let Some(StepCall { step, call }) = step_at(run, process, statement)? else {
        return Ok(false);
    };
    let sleeps = step.kind == StepKind::Sleep;
    if sleeps {
        begin_sleep(run, process, statement, &call.arguments)?;
    }
    Ok(sleeps)
}

/// Whether a process ended in a step at a statement, by a signal that the step sent.
pub(super) fn ended_in_step<'run>(
    run: &mut RunState<'run>,
    process: &mut Process<'run>,
    statement: &'run Statement,
) -> Result<bool, Misfit> {
    match step_at(run, process, statement)? {
        Some(StepCall { step, call }) => ended_by_signal(run, process, statement, (step, &call)),
        None => Ok(false),
    }
}

/// A step raised.
pub(super) fn step_raised<'run>(
    run: &mut RunState<'run>,
    process: &mut Process<'run>,
    statement: &'run Statement,
    StepCall { step, call }: &StepCall,
) {
    let accesses = accesses_of(run, step, call);
    end_step(run, process, statement, accesses);
    stay_behind_messages(run, process, statement, (step, call));
}

/// The last event is a step that may reach a process: messages that were sent there before arrive
/// before it, and those that come from there arrive before an answer. Where a signal could take its
/// time as messages do, or messages are there that could have been sent later, that is something that
/// nobody controls.
fn stay_behind_messages<'run>(
    run: &mut RunState<'run>,
    process: &Process<'run>,
    statement: &'run Statement,
    (step, call): (&'static Step, &KnownCall),
) {
    let channels = run.together.as_ref().and_then(|it| it.channels.as_ref());
    let Some((at, _)) = step.reaches().zip(channels) else {
        return;
    };
    let named = call.arguments.get(at).copied();
    let reached = reached_process(run, named).filter(|it| *it != process.number);
    let channels = run.together.as_ref().and_then(|it| it.channels.as_ref());
    let Some((to, channels)) = reached.zip(channels) else {
        return;
    };
    let there = channels.last_delivery(process.number, to);
    let back = channels.last_delivery(to, process.number);
    if let Some(event) = run.replayed.events.last_mut() {
        event.behind.extend(there.into_iter().chain(back));
    }
    let is_delayed = !step.is_answered() && (step.name == "exit" || there.is_some());
    if is_delayed || back.is_some() {
        run.note_uncontrolled(process.stack.at(statement), call.text());
    }
}

/// Decides what a step that raised depends on. Returns whether that is all.
pub(super) fn raising_is_understood<'run>(
    run: &mut RunState<'run>,
    process: &Process<'run>,
    statement: &'run Statement,
    StepCall { step, call }: &StepCall,
) -> Result<bool, Misfit> {
    if keeps(step) {
        let at = process.stack.at(statement);
        return stored::raising_is_understood(run, at, (step, call));
    }
    let is_send = step.kind == StepKind::Send;
    if is_send {
        not_sent(run, process, statement, call)?;
    }
    Ok(is_send)
}

/// A step such as `ets:foldl/3` calls followed code: it was made before what that code does.
pub(super) fn step_calls_back<'run>(
    run: &mut RunState<'run>,
    process: &mut Process<'run>,
    statement: &'run Statement,
) -> Fits {
    if let Some(StepCall { step, call }) = step_at(run, process, statement)? {
        let accesses = accesses_of(run, step, &call);
        note_step(run, process, statement, accesses);
        process.begun.push(statement);
    }
    Ok(())
}

/// Notes a step, unless that was done when it called followed code.
fn end_step<'run>(
    run: &mut RunState<'run>,
    process: &mut Process<'run>,
    statement: &'run Statement,
    accesses: Vec<Access>,
) {
    let is_begun = |it: &mut &Statement| std::ptr::eq(*it, statement);
    if process.begun.pop_if(is_begun).is_none() {
        note_step(run, process, statement, accesses);
    }
}

fn note_step<'run>(
    run: &mut RunState<'run>,
    process: &Process<'run>,
    statement: &'run Statement,
    accesses: Vec<Access>,
) {
    let at = process.stack.at(statement);
    run.note_event(Some(at), RunEventKind::Step(accesses));
}
