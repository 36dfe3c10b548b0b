//! Processes that hibernate: they wait for any message. Most forget their stack then, and call a
//! function.

use flattener::flat::Statement;
use trace_format::CallKind;

use super::callee::choose_callee;
use super::known_calls::{KnownCall, known_call};
use super::mailbox::OUTSIDE_MESSAGE;
use super::opaque_operations::note_opaque;
use super::process::Process;
use super::receives::Wanted;
use super::replayed::{Fits, Misfit};
use super::run_event::RunEventKind;
use super::run_state::RunState;
use super::spawning::{first_call, is_open_call};
use super::waiting::begin_receive;

/// How a process hibernates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hibernation {
    /// The call returns when there is a message.
    Returns,
    /// The process forgets its stack, and calls a function.
    Forgets,
}

/// Code that a statement called is about to call followed code. Returns whether the process has
/// hibernated there: then it begins anew.
pub(super) fn wakes_up<'run>(
    run: &mut RunState<'run>,
    process: &mut Process<'run>,
    statement: &'run Statement,
) -> Result<bool, Misfit> {
    let Some((Hibernation::Forgets, call)) = hibernating_call(run, process, statement)? else {
        return Ok(false);
    };
    decide_callee(run, process, statement)?;
    let at = process.stack.at(statement);
    let Some(first_call) = first_call(run, at, &call)? else {
        return Ok(false);
    };
    if is_open_call(run, &first_call) {
        note_opaque(run, &mut process.stack, statement);
    }
    look(run, process, statement)?;
    process.begin_anew(first_call);
    Ok(true)
}

/// Whether a statement whose call returned has hibernated, in a run of several processes.
pub(super) fn has_hibernated<'run>(
    run: &mut RunState<'run>,
    process: &mut Process<'run>,
    statement: &'run Statement,
) -> Result<bool, Misfit> {
    if run.together.is_none() {
        return Ok(false);
    }
    let call = hibernating_call(run, process, statement)?;
    let returns = call.is_some_and(|it| it.0 == Hibernation::Returns);
    if returns {
        decide_callee(run, process, statement)?;
        look(run, process, statement)?;
    }
    Ok(returns)
}

/// Whether a process hibernates at a statement when the run is over.
pub(super) fn hibernates_for_ever<'run>(
    run: &mut RunState<'run>,
    process: &mut Process<'run>,
    statement: &'run Statement,
) -> Result<bool, Misfit> {
    let hibernates = hibernating_call(run, process, statement)?.is_some();
    if hibernates {
        begin_receive(run, process, statement, Wanted::Anything, None)?;
    }
    Ok(hibernates)
}

/// A process that hibernates is as a `receive` that looks at any message and leaves it where it is.
fn look<'run>(
    run: &mut RunState<'run>,
    process: &mut Process<'run>,
    statement: &'run Statement,
) -> Fits {
    let at = process.stack.at(statement);
    let receive = begin_receive(run, process, statement, Wanted::Anything, None)?;
    match run.messages_of(process.number).first() {
        Some(message) => {
            let send = message.send;
            let takes = false;
            let look = RunEventKind::Look {
                receive,
                send,
                takes,
            };
            run.note_event(Some(at), look);
        }
        None => run.note_uncontrolled(at, OUTSIDE_MESSAGE.to_owned()),
    }
    Ok(())
}

/// If only the run knows what was called, that is a decision.
fn decide_callee<'run>(
    run: &mut RunState<'run>,
    process: &mut Process<'run>,
    statement: &'run Statement,
) -> Fits {
    if process.stack.call_kind(statement) == Some(CallKind::Computed) {
        choose_callee(run, &mut process.stack, statement)?;
    }
    Ok(())
}

/// The call of a function that hibernates, if a statement is one.
fn hibernating_call<'run>(
    run: &mut RunState<'run>,
    process: &mut Process<'run>,
    statement: &'run Statement,
) -> Result<Option<(Hibernation, KnownCall)>, Misfit> {
    let call = known_call(run, &mut process.stack, statement)?;
    Ok(call.and_then(|call| {
        let function = (call.module.as_str(), call.name.as_str());
        let how = match (function, call.arguments.len()) {
            (("erlang", "hibernate"), 0) => Hibernation::Returns,
            (("erlang" | "proc_lib", "hibernate"), 3) => Hibernation::Forgets,
            _ => return None,
        };
        Some((how, call))
    }))
}
