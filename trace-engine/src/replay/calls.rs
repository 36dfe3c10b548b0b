//! Calls and returns.

use flattener::flat::{Callable, Statement};
use models::{Meaning, ProcessCall};
use solver::graph::{Node, NodeId};
use trace_format::{CallKind, Callee, Happened, Payload};

use super::arguments_of_calls::{call_arguments, elements_of_list};
use super::built_ins::{call_operands, computed_built_in};
use super::callee::{Named, choose_callee, decide_fun, fun_by_name};
use super::encoded_terms::{decoded, encoded};
use super::foreign_calls::note_foreign_call;
use super::hibernation::has_hibernated;
use super::input_funs::{Called, apply_value};
use super::mailbox::{note_own_names, send_to_itself};
use super::opaque_operations::note_opaque;
use super::operations::leaves_nothing;
use super::process::{PendingCall, Process};
use super::process_ids::is_child;
use super::raising_calls::raised_by_call;
use super::replayed::{Fits, Misfit};
use super::run_state::{Nodes, RunState};
use super::spawning::first_entry;
use super::stack::{Around, Stack};
use super::stack_traces::stack_trace;
use super::steps::{step_at, step_returned};

/// A followed function is called.
pub(super) fn call<'run>(
    run: &mut RunState<'run>,
    process: &mut Process<'run>,
    statement: &'run Statement,
) -> Fits {
    match process.stack.call_kind(statement) {
        Some(CallKind::Followed(callee)) => call_followed(run, process, statement, callee),
        Some(CallKind::Computed) => call_computed(run, process, statement),
        Some(
            CallKind::Builtin
            | CallKind::Total
            | CallKind::Opaque
            | CallKind::StackTrace
            | CallKind::Raises
            | CallKind::Peek
            | CallKind::Take
            | CallKind::Wait,
        ) => Err(Misfit("no followed function is called there")),
        None => Err(Misfit("there is no call")),
    }
}

#[inline]
fn call_followed<'run>(
    run: &mut RunState<'run>,
    process: &mut Process<'run>,
    statement: &'run Statement,
    callee: Callee,
) -> Fits {
    let stack = &mut process.stack;
    let arguments = call_operands(&statement.operation).unwrap_or_default();
    let arguments = stack.values(run, arguments);
    let frame = stack.frame;
    let plan = &frame.code.plan;
    let (callee, around) = match callee {
        Callee::Function(module, index) => ((module, Callable::Function(index)), Around::Nothing),
        Callee::Local(id) => {
            let letrec = plan.letrec(frame.function, id);
            ((frame.module, Callable::Local(letrec, id)), Around::Running)
        }
    };
    if run.forgets && plan.is_tail_call(statement.site) {
        process.handlers.forget(stack.depth());
        stack.enter_instead(run, callee, around, &arguments)
    } else {
        stack.enter(run, callee, around, &arguments, Some(statement))
    }
}

/// The next event tells what is called.
fn call_computed<'run>(
    run: &mut RunState<'run>,
    process: &mut Process<'run>,
    statement: &'run Statement,
) -> Fits {
    let stack = &mut process.stack;
    decide_fun(run, stack, statement)?;
    let (operator, arguments) = call_arguments(run, stack, statement)?;
    let arguments = match apply_value(run, stack, statement)? {
        Some(Called::Known(arguments)) => arguments,
        Some(Called::Returned(_) | Called::Raised(_)) | None => {
            choose_callee(run, stack, statement)?;
            arguments
        }
    };
    process.pending = Some(PendingCall {
        statement,
        operator,
        arguments,
    });
    Ok(())
}

/// A function announces itself: a callee that only the run could tell, or one that code which is
/// not followed calls.
pub(super) fn entered<'run>(
    run: &mut RunState<'run>,
    process: &mut Process<'run>,
    event: &Happened<'run>,
    payload: Option<&Payload>,
) -> Fits {
    let (module, callable) = (event.module, event.callable);
    let code = run.program.module(module);
    let code = code.ok_or(Misfit("there is no such module"))?;
    let found = code.callable(callable);
    let (_, fun) = found.ok_or(Misfit("there is no such function"))?;
    let arity = fun.parameters.len();
    let (caller, operator, mut arguments) = match (process.pending.take(), payload) {
        (Some(call), None) => (Some(call.statement), call.operator, call.arguments),
        (_, payload) => {
            let logged = payload.map(|payload| outside_arguments(run, payload));
            let logged = logged.unwrap_or_default();
            let spawned = process.spawned.take();
            let known = spawned.and_then(|it| first_entry(run, event, arity, it, &logged));
            let (operator, arguments) = known.unwrap_or((None, logged));
            (None, operator, arguments)
        }
    };
    note_first_entry(run, process, (module, callable));
    while arguments.len() < arity {
        arguments.push(run.graph().unknown());
    }
    let callee = (module, callable);
    let around = captured_by(run, callee, operator);
    process.stack.enter(run, callee, around, &arguments, caller)
}

/// Notes the first function that a process enters.
fn note_first_entry(run: &mut RunState<'_>, process: &Process<'_>, callee: (usize, Callable)) {
    if let Some(replayed) = run.replayed.processes.get_mut(process.number) {
        replayed.entry.get_or_insert(callee);
    }
}

fn outside_arguments(run: &mut RunState<'_>, payload: &Payload) -> Nodes {
    let list = run.constant(payload);
    elements_of_list(run.graph(), list)
}

/// The variables that a fun captured: known if we see the fun, or if only one was made at its site.
fn captured_by(
    run: &mut RunState<'_>,
    (module, callable): (usize, Callable),
    operator: Option<NodeId>,
) -> Around {
    let made = match callable {
        Callable::Fun(site) => run.made.get(&(module, site)).copied().flatten(),
        Callable::Function(_) | Callable::Local(..) => None,
    };
    for node in [operator, made].into_iter().flatten() {
        if let Node::Closure(closure) = run.graph().node(node)
            && (closure.module, closure.callable) == (module, callable)
        {
            return Around::Closure(node);
        }
    }
    Around::Nothing
}

/// A function returns.
pub(super) fn exit<'run>(run: &mut RunState<'run>, stack: &mut Stack<'run>) {
    let values = stack.block_values(run, stack.frame.fun.body);
    let caller = stack.frame.caller;
    if !stack.leave() {
        run.replayed.result = values.first().copied();
    }
    if let Some(statement) = caller {
        stack.bind(run, statement, &values);
    }
}

/// A call that is not followed returned a value of the run.
pub(super) fn result<'run>(
    run: &mut RunState<'run>,
    process: &mut Process<'run>,
    statement: &'run Statement,
    payload: &Payload,
) -> Fits {
    decide_fun(run, &mut process.stack, statement)?;
    if let Some(Called::Returned(value)) = apply_value(run, &mut process.stack, statement)? {
        process.stack.bind(run, statement, &[value]);
        return Ok(());
    }
    if let Some(value) = computed_built_in(run, &mut process.stack, statement)? {
        process.stack.bind(run, statement, &[value]);
        return Ok(());
    }
    run.has_left |= !leaves_nothing(&statement.operation);
    if let Some(step) = step_at(run, process, statement)? {
        let value = step_returned(run, process, statement, &step, payload)?;
        process.stack.bind(run, statement, &[value]);
        return Ok(());
    }
    if has_hibernated(run, process, statement)? {
        let value = run.constant(payload);
        process.stack.bind(run, statement, &[value]);
        return Ok(());
    }
    if process.stack.call_kind(statement) == Some(CallKind::StackTrace) {
        let value = stack_trace(run, payload);
        process.stack.bind(run, statement, &[value]);
        return Ok(());
    }
    let value = match understood_result(run, process, statement, payload)? {
        Some(value) => value,
        None => {
            let stack = &mut process.stack;
            if stack.call_kind(statement) == Some(CallKind::Computed) {
                choose_callee(run, stack, statement)?;
            }
            note_opaque(run, stack, statement);
            note_foreign_call(run, stack, statement)?;
            note_own_names(run, stack, statement)?;
            run.has_spawned |= is_child(payload);
            run.constant(payload)
        }
    };
    process.stack.bind(run, statement, &[value]);
    Ok(())
}

/// The result of a call that is understood although its result is in the log; `None` for others.
fn understood_result<'run>(
    run: &mut RunState<'run>,
    process: &mut Process<'run>,
    statement: &'run Statement,
    payload: &Payload,
) -> Result<Option<NodeId>, Misfit> {
    let stack = &mut process.stack;
    let model = stack.frame.code.plan.model(statement.site);
    let Some(Meaning::Process(call)) = model.map(|model| model.meaning) else {
        return Ok(None);
    };
    let arguments = call_operands(&statement.operation).unwrap_or_default();
    let arguments = stack.values(run, arguments);
    let at = stack.at(statement);
    match call {
        ProcessCall::Raise => {
            let trace = arguments.get(2);
            if trace.is_none_or(|trace| run.graph().is_symbolic(*trace)) {
                return Ok(None);
            }
            // It returns only if there is no such class.
            raised_by_call(run, stack, statement)?;
            Ok(Some(run.constant(payload)))
        }
        ProcessCall::MakeFun => {
            let named = fun_by_name(run, at, &arguments)?;
            Ok((named == Named::Function).then(|| run.constant(payload)))
        }
        ProcessCall::OwnPid | ProcessCall::Send => {
            Ok(send_to_itself(run, call, &arguments, payload))
        }
        ProcessCall::Get
        | ProcessCall::GetAll
        | ProcessCall::GetKeys
        | ProcessCall::Put
        | ProcessCall::Erase
        | ProcessCall::EraseAll => process.dictionary.call(run, at, call, &arguments, payload),
        ProcessCall::Encode => Ok(encoded(run, &arguments, payload)),
        ProcessCall::Decode => Ok(decoded(run, &arguments)),
        ProcessCall::Apply => Ok(None),
    }
}
