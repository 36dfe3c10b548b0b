//! Calls that are steps: other processes can see what they do, or they see what others did.

use flattener::flat::Statement;
use solver::graph::NodeId;
use trace_format::{CallKind, Payload};

use super::callee::choose_callee;
use super::known_calls::{KnownCall, known_call};
use super::opaque_operations::note_opaque_step;
use super::process::Process;
use super::replayed::Misfit;
use super::run_event::RunEventKind;
use super::run_state::RunState;
use super::sending::sent;
use super::spawning::spawned;
use super::step_table::{StepKind, step_kind};

/// A call that is a step.
pub(super) struct StepCall {
    kind: StepKind,
    call: KnownCall,
}

/// The step that a statement makes; `None` if it makes none, and if there is only one process.
pub(super) fn step_at<'run>(
    run: &mut RunState<'run>,
    process: &mut Process<'run>,
    statement: &'run Statement,
) -> Result<Option<StepCall>, Misfit> {
    if run.together.is_none() {
        return Ok(None);
    }
    let stack = &mut process.stack;
    let Some(call) = known_call(run, stack, statement)? else {
        return Ok(None);
    };
    let kind = step_kind(&call);
    if kind.is_some() && stack.call_kind(statement) == Some(CallKind::Computed) {
        choose_callee(run, stack, statement)?;
    }
    Ok(kind.map(|kind| StepCall { kind, call }))
}

/// A step returned. Returns its value.
pub(super) fn step_returned<'run>(
    run: &mut RunState<'run>,
    process: &mut Process<'run>,
    statement: &'run Statement,
    step: &StepCall,
    payload: &Payload,
) -> Result<NodeId, Misfit> {
    match step.kind {
        StepKind::Send => sent(run, process, statement, &step.call, payload),
        StepKind::Spawn => spawned(run, process, statement, &step.call, payload),
        StepKind::Plain => {
            note_opaque_step(run, &mut process.stack, statement);
            note_step(run, process, statement, step);
            Ok(run.constant(payload))
        }
    }
}

/// A step raised.
pub(super) fn note_step<'run>(
    run: &mut RunState<'run>,
    process: &Process<'run>,
    statement: &'run Statement,
    step: &StepCall,
) {
    let at = process.stack.at(statement);
    let _ = step;
    run.note_event(Some(at), RunEventKind::Step(Vec::new()));
}
