//! Timers of the gate. A timer is a process of the run whose only step is to send its message when
//! its time is over.

use flattener::flat::Statement;
use solver::graph::NodeId;
use trace_format::Payload;

use super::arguments_of_calls::elements_of_list;
use super::delivering::put_into_mailbox;
use super::known_calls::KnownCall;
use super::objects::Shared;
use super::opaque_operations::note_opaque_step;
use super::process::Process;
use super::process_ids::timer_number;
use super::replayed::{Fits, Misfit};
use super::run_event::RunEventKind;
use super::run_state::RunState;
use super::sending::{Receiver, receiver};
use super::shared_access::Access;
use super::spawning::add_child;
use super::together::KnownTimer;

/// Whether a call that started a timer returned the reference of one that the gate has.
pub(super) fn is_of_gate(run: &mut RunState<'_>, payload: &Payload) -> bool {
    let reference = run.constant(payload);
    timer_number(run.graph(), reference).is_some()
}

/// A timer was started. Returns its reference.
pub(super) fn timer_started<'run>(
    run: &mut RunState<'run>,
    process: &mut Process<'run>,
    statement: &'run Statement,
    call: &KnownCall,
    payload: &Payload,
) -> Result<NodeId, Misfit> {
    let at = process.stack.at(statement);
    let reference = run.constant(payload);
    let number = timer_number(run.graph(), reference);
    let (Some(number), &[time, to, given, ..]) = (number, call.arguments.as_slice()) else {
        return Ok(reference);
    };
    // Which timer is over first depends on the input, and so does whether the time is one.
    if run.is_open(&[time]) {
        note_opaque_step(run, &mut process.stack, statement);
    }
    let message = if call.name.as_str() == "start_timer" {
        let graph = run.graph();
        let timeout = graph.atom("timeout");
        graph.tuple([timeout, reference, given])
    } else {
        given
    };
    add_child(run, at, number)?;
    let timer = KnownTimer {
        at,
        to,
        message,
        time,
    };
    if let Some(together) = &mut run.together {
        together.timers.insert(number, timer);
        together.waited.push((number, time));
    }
    Ok(reference)
}

/// Whether a process of the run is a timer.
pub(super) fn is_timer(run: &RunState<'_>, number: usize) -> bool {
    let together = run.together.as_ref();
    together.is_some_and(|it| it.timers.contains_key(&number))
}

/// The time of a timer is over.
pub(super) fn timer_fires(run: &mut RunState<'_>, number: usize) -> Fits {
    let timers = run.together.as_ref().map(|it| &it.timers);
    let Some(timer) = timers.and_then(|it| it.get(&number)).copied() else {
        return Err(Misfit("there is no such timer"));
    };
    let mut accesses = vec![Access::write(Shared::Timer(number).object(run.graph()))];
    let at = Some(timer.at);
    let event = match receiver(run, timer.at, timer.to)? {
        Receiver::Process(to, of_name) => {
            accesses.extend(of_name);
            let arrives = true;
            let kind = RunEventKind::Send {
                to,
                arrives,
                accesses,
            };
            let send = run.note_event(at, kind);
            put_into_mailbox(run, to, timer.message, send);
            send
        }
        Receiver::Unknown(of_name) => {
            accesses.extend(of_name);
            run.note_event(at, RunEventKind::Step(accesses))
        }
        Receiver::Alias(..) => return Err(Misfit("a timer sends to an alias")),
    };
    if let Some(event) = run.replayed.events.get_mut(event) {
        event.waits = true;
    }
    Ok(())
}

/// `cancel_timer` or `read_timer` returned.
pub(super) fn timer_left<'run>(
    run: &mut RunState<'run>,
    process: &mut Process<'run>,
    statement: &'run Statement,
    call: &KnownCall,
    payload: &Payload,
) -> Result<NodeId, Misfit> {
    let at = process.stack.at(statement);
    note_opaque_step(run, &mut process.stack, statement);
    let reference = call.arguments.first().copied();
    let number = reference.and_then(|it| timer_number(run.graph(), it));
    let timers = run.together.as_ref().map(|it| &it.timers);
    let timer = number.and_then(|it| timers?.get(&it)).copied();
    let value = run.constant(payload);
    let Some((number, timer)) = number.zip(timer) else {
        run.note_event(Some(at), RunEventKind::Step(Vec::new()));
        run.note_uncontrolled(at, call.text());
        return Ok(value);
    };
    if run.is_open(&[timer.time]) {
        run.note_opaque(at, call.text(), &[timer.time]);
    }
    let object = Shared::Timer(number).object(run.graph());
    let access = if call.name.as_str() == "cancel_timer" {
        Access::write(object)
    } else {
        Access::read(object)
    };
    run.note_event(Some(at), RunEventKind::Step(vec![access]));
    if is_told_later(run, call) {
        run.note_uncontrolled(at, call.text());
    }
    Ok(value)
}

/// Whether the answer comes as a message.
fn is_told_later(run: &mut RunState<'_>, call: &KnownCall) -> bool {
    let options = call.arguments.get(1).copied().unwrap_or(NodeId::NIL);
    let graph = run.graph();
    let options = elements_of_list(graph, options);
    let mut has = |name: &str, value: &str| {
        let option = [graph.atom(name), graph.atom(value)];
        options.contains(&graph.tuple(option))
    };
    has("async", "true") && !has("info", "false")
}
