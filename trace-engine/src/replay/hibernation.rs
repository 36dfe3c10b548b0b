//! Processes that hibernate: they wait for any message, forget their stack, and call a function.

use flattener::flat::Statement;
use trace_format::CallKind;

use super::callee::choose_callee;
use super::known_calls::{KnownCall, known_call};
use super::mailbox::OUTSIDE_MESSAGE;
use super::opaque_operations::note_opaque;
use super::process::Process;
use super::receives::Wanted;
use super::replayed::Misfit;
use super::run_event::RunEventKind;
use super::run_state::RunState;
use super::spawning::{first_call, is_open_call};
use super::waiting::begin_receive;

/// Code that a statement called is about to call followed code. Returns whether the process has
/// hibernated there: then it begins anew.
pub(super) fn wakes_up<'run>(
    run: &mut RunState<'run>,
    process: &mut Process<'run>,
    statement: &'run Statement,
) -> Result<bool, Misfit> {
    let Some(call) = hibernating_call(run, process, statement)? else {
        return Ok(false);
    };
    if process.stack.call_kind(statement) == Some(CallKind::Computed) {
        choose_callee(run, &mut process.stack, statement)?;
    }
    let at = process.stack.at(statement);
    let Some(first_call) = first_call(run, at, &call)? else {
        return Ok(false);
    };
    if is_open_call(run, &first_call) {
        note_opaque(run, &mut process.stack, statement);
    }
    // It is as a `receive` that looks at any message and leaves it where it is.
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
    process.begin_anew(first_call);
    Ok(true)
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

/// The call of a function that hibernates, if a statement is one.
fn hibernating_call<'run>(
    run: &mut RunState<'run>,
    process: &mut Process<'run>,
    statement: &'run Statement,
) -> Result<Option<KnownCall>, Misfit> {
    let call = known_call(run, &mut process.stack, statement)?;
    Ok(call.filter(|call| {
        let is_known = matches!(call.module.as_str(), "erlang" | "proc_lib");
        is_known && call.name.as_str() == "hibernate" && call.arguments.len() == 3
    }))
}
