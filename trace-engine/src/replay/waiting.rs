//! The executions of `receive` in a run of several processes: what each wants, and how long it
//! waits.

use flattener::flat::{Statement, Value, VarId};
use solver::graph::{Condition, NodeId};

use super::process::Process;
use super::receives::{ReceiveTimeout, ReplayedReceive, Wanted, WantedClauses};
use super::replayed::{Fits, Misfit};
use super::run_event::RunEventKind;
use super::run_state::RunState;
use super::stack::Stack;
use crate::scopes;

/// Notes that a `receive` of a process begins. Returns its number.
pub(super) fn begin_receive<'run>(
    run: &mut RunState<'run>,
    process: &mut Process<'run>,
    statement: &'run Statement,
    wanted: Wanted,
    timeout: Option<&'run Value>,
) -> Result<usize, Misfit> {
    let timeout = match timeout {
        Some(value) => {
            let value = process.stack.value(run, value);
            timeout_of(run, &process.stack, statement, value)?
        }
        None => ReceiveTimeout::Never,
    };
    Ok(add_receive(run, process, wanted, timeout))
}

fn add_receive(
    run: &mut RunState<'_>,
    process: &Process<'_>,
    wanted: Wanted,
    timeout: ReceiveTimeout,
) -> usize {
    let receives = &mut run.replayed.receives;
    receives.push(ReplayedReceive {
        process: process.number,
        timeout,
        wanted,
    });
    receives.len() - 1
}

/// Whether a `receive` waits for ever, for some time or not at all. If that depends on the input, it
/// is a decision.
fn timeout_of<'run>(
    run: &mut RunState<'run>,
    stack: &Stack<'run>,
    statement: &'run Statement,
    value: NodeId,
) -> Result<ReceiveTimeout, Misfit> {
    let graph = run.graph();
    let (infinity, zero) = (graph.atom("infinity"), graph.integer(0));
    let ways = [
        graph.equal(value, infinity),
        graph.equal(value, zero),
        Condition::TRUE,
    ];
    Ok(match run.choose(stack.at(statement), &ways)? {
        Some(0) => ReceiveTimeout::Never,
        Some(1) => ReceiveTimeout::Zero,
        Some(_) | None => {
            if let Some(together) = &mut run.together {
                together.waited.push((together.current, value));
            }
            ReceiveTimeout::Later
        }
    })
}

/// The run is over. If several processes waited, the shortest time was over first. Nothing is decided
/// about that, so times that depend on the input are not understood.
pub(super) fn note_open_times(run: &mut RunState<'_>) {
    let together = run.together.as_mut();
    let waited = together.map_or_else(Vec::new, |it| std::mem::take(&mut it.waited));
    let first = waited.first().map(|it| it.0);
    let several = waited.iter().any(|it| Some(it.0) != first);
    let times: Vec<NodeId> = waited.into_iter().map(|it| it.1).collect();
    if several && run.is_open(&times) {
        run.note_opaque_anywhere("the order of times that depend on the input");
    }
}

/// The time of a `receive` is over.
pub(super) fn end_waiting<'run>(
    run: &mut RunState<'run>,
    process: &mut Process<'run>,
    statement: &'run Statement,
    timeout: Option<&'run Value>,
) -> Fits {
    if run.together.is_none() {
        return Ok(());
    }
    let receive = match process.receive.take() {
        Some(receive) => receive,
        None => begin_receive(run, process, statement, Wanted::Nothing, timeout)?,
    };
    note_timeout(run, process, statement, receive);
    Ok(())
}

/// Notes that the time of a `receive` is over.
pub(super) fn note_timeout<'run>(
    run: &mut RunState<'run>,
    process: &Process<'run>,
    statement: &'run Statement,
    receive: usize,
) {
    let timeout = run.replayed.receives.get(receive).map(|it| it.timeout);
    let waits = timeout != Some(ReceiveTimeout::Zero);
    let at = process.stack.at(statement);
    let number = run.note_event(Some(at), RunEventKind::Timeout { receive });
    if let Some(event) = run.replayed.events.get_mut(number) {
        event.waits = waits;
    }
}

/// A call that waits for some time, such as `timer:sleep/1`, is a `receive` that takes nothing.
pub(super) fn begin_sleep<'run>(
    run: &mut RunState<'run>,
    process: &Process<'run>,
    statement: &'run Statement,
    arguments: &[NodeId],
) -> Result<usize, Misfit> {
    let timeout = match arguments {
        [time] => timeout_of(run, &process.stack, statement, *time)?,
        _ => ReceiveTimeout::Later,
    };
    Ok(add_receive(run, process, Wanted::Nothing, timeout))
}

/// Such a call returned.
pub(super) fn slept<'run>(
    run: &mut RunState<'run>,
    process: &Process<'run>,
    statement: &'run Statement,
    arguments: &[NodeId],
) -> Fits {
    let receive = begin_sleep(run, process, statement, arguments)?;
    note_timeout(run, process, statement, receive);
    Ok(())
}

/// The messages that clauses of a statement take, with the values of the variables that they use.
pub(super) fn wanted_clauses<'run>(
    run: &mut RunState<'run>,
    stack: &Stack<'run>,
    statement: &'run Statement,
    taking: Box<[usize]>,
    message: Option<VarId>,
) -> Wanted {
    let place = (stack.frame.module, statement.site);
    let function = stack.frame.function_code;
    let RunState {
        together, replayed, ..
    } = run;
    let variables = together.as_deref_mut().map(|together| {
        let used = together.used_by_clauses.entry(place);
        used.or_insert_with(|| scopes::used_by_clauses(function, statement).into())
    });
    let variables = variables.into_iter().flat_map(|used| used.iter());
    let variables = variables.map(|variable| {
        let value = stack.environment.get(&mut replayed.graph, *variable);
        (*variable, value)
    });
    Wanted::Clauses(WantedClauses {
        place,
        taking,
        message,
        variables: variables.collect(),
    })
}
