//! One rule for each event, as `eval` in Figure 7 of Palacios and Vidal's paper.

use flattener::flat::Statement;
use trace_format::{EventKind, Happened};

use super::built_ins::built_in;
use super::calls::{call, entered, exit, result};
use super::exceptions::{caught, exit_try, leave_protected, raised, try_begins};
use super::mailbox::{Look, LookResult, look_through, looks_for_message, received};
use super::places::Mark;
use super::process::Process;
use super::replayed::{Fits, Misfit};
use super::run_state::RunState;
use super::statements::{bind, case, exit_case};

/// Replays an event of a process, or holds it until later ones tell what became of it.
#[inline]
pub(super) fn take<'run>(
    run: &mut RunState<'run>,
    process: &mut Process<'run>,
    event: Happened<'run>,
) -> Fits {
    if process.held.is_empty() {
        replay_event(run, process, event)
    } else {
        hold(run, process, event)
    }
}

#[inline]
fn replay_event<'run>(
    run: &mut RunState<'run>,
    process: &mut Process<'run>,
    event: Happened<'run>,
) -> Fits {
    let Some(statement) = event.statement else {
        if let EventKind::Enter(arguments) = &event.kind {
            return entered(run, process, &event, arguments.as_ref());
        }
        exit(run, &mut process.stack);
        return Ok(());
    };
    let places = &mut run.replayed.places;
    places.note(event.module, Mark::Began(statement.site));
    let stack = &mut process.stack;
    match event.kind {
        EventKind::Enter(_) | EventKind::Exit => return Err(Misfit("it has no place")),
        EventKind::Call => call(run, process, statement)?,
        EventKind::Bind => bind(run, stack, statement)?,
        EventKind::Case(clause) => {
            if looks_for_message(run, process, statement, clause)? {
                process.held.push(event);
            } else {
                case(run, process, statement, clause)?;
            }
        }
        EventKind::ExitCase(clause) => exit_case(run, stack, statement, clause)?,
        EventKind::Builtin => built_in(run, stack, statement)?,
        EventKind::Result(payload) => result(run, process, statement, &payload)?,
        EventKind::Received(payload) => received(run, process, statement, &payload),
        EventKind::Raised(payload) => raised(run, process, statement, payload.as_ref())?,
        EventKind::Try => try_begins(process, statement),
        EventKind::Leave => leave_protected(run, process, statement)?,
        EventKind::Caught => caught(run, process, statement)?,
        EventKind::ExitTry => exit_try(run, process, statement)?,
    }
    Ok(())
}

/// Holds an event until it is known what became of the message that a `receive` looks for.
fn hold<'run>(
    run: &mut RunState<'run>,
    process: &mut Process<'run>,
    event: Happened<'run>,
) -> Fits {
    let is_told = matches!(event.kind, EventKind::Received(_)) || process.held.len() == 2;
    process.held.push(event);
    if is_told {
        replay_held(run, process)
    } else {
        Ok(())
    }
}

/// Replays the events that were held. The first one looks for a message.
pub(super) fn replay_held<'run>(run: &mut RunState<'run>, process: &mut Process<'run>) -> Fits {
    let mut held = std::mem::take(&mut process.held).into_iter();
    let Some(first) = held.next() else {
        return Ok(());
    };
    let mut later = held.as_slice().iter();
    let taken = later.find_map(|event| {
        if let EventKind::Received(payload) = &event.kind {
            return Some(run.constant(payload));
        }
        None
    });
    if let (EventKind::Case(clause), Some(statement)) = (first.kind, first.statement) {
        look_for_message(run, process, statement, LookResult::Taken(taken))?;
        case(run, process, statement, clause)?;
    }
    held.try_for_each(|event| take(run, process, event))
}

fn look_for_message<'run>(
    run: &mut RunState<'run>,
    process: &mut Process<'run>,
    statement: &'run Statement,
    outcome: LookResult,
) -> Fits {
    match Look::before(&process.stack, statement) {
        Some(look) => look_through(run, process, &look, outcome),
        None => Ok(()),
    }
}
