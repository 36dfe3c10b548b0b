//! Exceptions: where they are raised, and how they are caught.

use flattener::flat::{Operation, Statement};
use models::Stop;
use solver::graph::{Condition, Graph, NodeId};
use trace_format::{CallKind, Payload};

use super::bit_expressions::raises_in_bits;
use super::built_ins::{BuiltIn, apply_built_in, apply_computed_built_in};
use super::callee::{choose_callee, decide_fun};
use super::foreign_calls::note_raising_call;
use super::handlers::Raised;
use super::input_funs::{Called, apply_value};
use super::map_operations::map_failure;
use super::opaque_operations::note_opaque;
use super::process::Process;
use super::raising_calls::{computed_exception, logged_exception, raised_by_call};
use super::replayed::{Fits, Misfit};
use super::run_state::RunState;
use super::stack::Stack;
use super::steps::{raising_is_understood, step_at, step_raised};

/// A `try` or `catch` begins.
pub(super) fn try_begins<'run>(process: &mut Process<'run>, statement: &'run Statement) {
    process.handlers.protect(process.stack.depth(), statement);
}

/// The protected part of a `try` is over.
pub(super) fn leave_protected<'run>(
    run: &mut RunState<'run>,
    process: &mut Process<'run>,
    statement: &'run Statement,
) -> Fits {
    let Operation::Try {
        argument,
        variables,
        body,
        ..
    } = &statement.operation
    else {
        return Err(Misfit("there is no try"));
    };
    let stack = &mut process.stack;
    process.handlers.release(stack.depth(), statement)?;
    let values = stack.block_values(run, *argument);
    stack.environment.bind_all(variables, &values);
    process.go_on(run, statement, *body);
    Ok(())
}

/// A `try`, `catch` or `receive` has its value.
pub(super) fn exit_try<'run>(
    run: &mut RunState<'run>,
    process: &mut Process<'run>,
    statement: &'run Statement,
) -> Fits {
    let stack = &mut process.stack;
    let block = if let Operation::Catch(body) = &statement.operation {
        process.handlers.release(stack.depth(), statement)?;
        *body
    } else {
        process.handlers.came_through(stack.depth(), statement)?
    };
    let values = stack.block_values(run, block);
    stack.bind(run, statement, &values);
    Ok(())
}

/// A call raised.
pub(super) fn raised<'run>(
    run: &mut RunState<'run>,
    process: &mut Process<'run>,
    statement: &'run Statement,
    payload: Option<&Payload>,
) -> Fits {
    let exception = match payload {
        Some(payload) => logged_exception(run.graph(), payload),
        None => computed_exception(run, &mut process.stack, statement)?,
    };
    run.has_left |= process.stack.call_kind(statement) == Some(CallKind::Opaque);
    let step = step_at(run, process, statement)?;
    let is_understood = match &step {
        Some(step) => {
            step_raised(run, process, statement, step);
            raising_is_understood(run, process, statement, step)?
        }
        None => false,
    };
    let understood = if is_understood {
        None
    } else {
        understood_exception(run, &mut process.stack, statement, exception)?
    };
    process.exception = Some(understood.unwrap_or(exception));
    process.raised_at = Some(process.stack.at(statement));
    if step.is_none() {
        note_raising_call(run, &mut process.stack, statement)?;
    }
    Ok(())
}

/// The exception of a call, if more is known about it than the log tells.
fn understood_exception<'run>(
    run: &mut RunState<'run>,
    stack: &mut Stack<'run>,
    statement: &'run Statement,
    exception: Raised,
) -> Result<Option<Raised>, Misfit> {
    match stack.call_kind(statement) {
        Some(CallKind::Builtin) => {
            let applied = apply_built_in(run, stack, statement)?;
            raised_by_built_in(run, stack, statement, applied, exception)
        }
        Some(CallKind::Raises) => Ok(None),
        Some(CallKind::Computed) => raised_by_value(run, stack, statement, exception),
        Some(
            CallKind::Followed(_)
            | CallKind::Total
            | CallKind::Opaque
            | CallKind::StackTrace
            | CallKind::Peek
            | CallKind::Take
            | CallKind::Wait,
        )
        | None => raised_otherwise(run, stack, statement, exception),
    }
}

/// The exception of a built-in, if more is known about it than the log tells.
fn raised_by_built_in<'run>(
    run: &mut RunState<'run>,
    stack: &mut Stack<'run>,
    statement: &'run Statement,
    applied: BuiltIn,
    logged: Raised,
) -> Result<Option<Raised>, Misfit> {
    match applied {
        // A float that is too large, of which conditions do not speak.
        BuiltIn::Applied(applied) if applied.returns == Condition::TRUE => {
            note_opaque(run, stack, statement);
        }
        BuiltIn::Applied(applied) => {
            let ways = [applied.returns, Condition::TRUE];
            run.decide(stack.at(statement), &ways, 1)?;
        }
        BuiltIn::Walked(Err(Stop::Raises)) => {}
        BuiltIn::Walked(Err(Stop::Error(reason))) if run.is_as_logged(reason, logged.reason) => {
            return Ok(Some(Raised { reason, ..logged }));
        }
        BuiltIn::Walked(_) => note_opaque(run, stack, statement),
    }
    Ok(None)
}

/// The exception of a call of a value, if more is known about it than the log tells.
fn raised_by_value<'run>(
    run: &mut RunState<'run>,
    stack: &mut Stack<'run>,
    statement: &'run Statement,
    logged: Raised,
) -> Result<Option<Raised>, Misfit> {
    decide_fun(run, stack, statement)?;
    if let Some(Called::Raised(raised)) = apply_value(run, stack, statement)? {
        return Ok(Some(raised));
    }
    if let Some(applied) = apply_computed_built_in(run, stack, statement)? {
        return raised_by_built_in(run, stack, statement, applied, logged);
    }
    if !choose_callee(run, stack, statement)? {
        note_opaque(run, stack, statement);
    }
    Ok(None)
}

/// The same for other calls, for maps and for bit strings.
fn raised_otherwise<'run>(
    run: &mut RunState<'run>,
    stack: &mut Stack<'run>,
    statement: &'run Statement,
    logged: Raised,
) -> Result<Option<Raised>, Misfit> {
    if raises_in_bits(run, stack, statement)? {
        return Ok(None);
    }
    if let Some(raised) = raised_by_call(run, stack, statement)? {
        return Ok(Some(raised));
    }
    if let Some(reason) = map_failure(run, stack, statement, logged.reason)? {
        return Ok(Some(Raised { reason, ..logged }));
    }
    note_opaque(run, stack, statement);
    Ok(None)
}

/// An exception is caught: everything that was called since is over.
pub(super) fn caught<'run>(
    run: &mut RunState<'run>,
    process: &mut Process<'run>,
    statement: &'run Statement,
) -> Fits {
    let stack = &mut process.stack;
    let depth = process.handlers.catch(stack.depth(), statement)?;
    stack.unwind(depth);
    process.pending = None;
    let exception = process.exception.take();
    let exception = exception.unwrap_or_else(|| Raised::unknown(run.graph()));
    let trace = run.graph().unknown();
    run.classes.insert(trace, exception.class);
    if let Operation::Try {
        exception_variables,
        handler,
        ..
    } = &statement.operation
    {
        let values = [exception.class, exception.reason, trace];
        stack.environment.bind_all(exception_variables, &values);
        process.go_on(run, statement, *handler);
        return Ok(());
    }
    let Operation::Catch(_) = &statement.operation else {
        return Err(Misfit("there is no try"));
    };
    let value = value_of_catch(run.graph(), exception, trace);
    stack.bind(run, statement, &[value]);
    Ok(())
}

fn value_of_catch(graph: &mut Graph, exception: Raised, trace: NodeId) -> NodeId {
    let exit = graph.atom("EXIT");
    let classes = ["throw", "exit", "error"].map(|class| graph.atom(class));
    match classes.iter().position(|class| *class == exception.class) {
        Some(0) => exception.reason,
        Some(1) => graph.tuple([exit, exception.reason]),
        Some(_) => {
            let reason = graph.tuple([exception.reason, trace]);
            graph.tuple([exit, reason])
        }
        None => graph.unknown(),
    }
}
