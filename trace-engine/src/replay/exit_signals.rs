//! Steps that link processes, send exit signals, or say what becomes of these.

use flattener::flat::Statement;
use models::Step;
use solver::graph::{Condition, Node, NodeId};
use trace_format::{Ending, Payload};

use super::accesses::{accesses_of, reached_process};
use super::ends::{Notice, SignalStep, entry_ended, is_controlled, reason_of, tell};
use super::known_calls::KnownCall;
use super::objects::Shared;
use super::process::Process;
use super::process_ids::pid_of;
use super::replayed::{Fits, Misfit, ProgramSite};
use super::run_state::RunState;
use super::sending::decided_process;
use super::signal_effect::{ExitKind, SignalEffect};

/// A step of this kind returned. Returns its value; `None` if it is not of this kind, or if it reaches
/// something that nobody controls.
pub(super) fn signal_step<'run>(
    run: &mut RunState<'run>,
    process: &mut Process<'run>,
    statement: &'run Statement,
    (step, call): (&'static Step, &KnownCall),
    payload: &Payload,
) -> Result<Option<NodeId>, Misfit> {
    let at = process.stack.at(statement);
    if give_away(run, at, (step, call))? {
        return Ok(Some(run.constant(payload)));
    }
    let Some(signal) = signal_of(run, process.number, at, (step, call))? else {
        return Ok(None);
    };
    let accesses = accesses_of(run, step, call);
    if signal.happens(run, Some(at), accesses) {
        return Err(Misfit("a process went on that was ended"));
    }
    Ok(Some(run.constant(payload)))
}

/// A process ended in a step that did not return. Returns whether it is known why.
pub(super) fn ended_by_signal<'run>(
    run: &mut RunState<'run>,
    process: &mut Process<'run>,
    statement: &'run Statement,
    (step, call): (&'static Step, &KnownCall),
) -> Result<bool, Misfit> {
    let at = process.stack.at(statement);
    let Some(signal) = signal_of(run, process.number, at, (step, call))? else {
        return Ok(false);
    };
    let accesses = accesses_of(run, step, call);
    if !signal.happens(run, Some(at), accesses) {
        return Err(Misfit("a process ended that was not ended"));
    }
    Ok(true)
}

/// A process came to its end by itself.
pub(super) fn process_ended<'run>(
    run: &mut RunState<'run>,
    process: &Process<'run>,
    ending: Option<Ending>,
) -> Fits {
    if process.number == 0 && ending != Some(Ending::Open) {
        entry_ended(run);
        return Ok(());
    }
    let kind = match ending {
        Some(Ending::Returned) => ExitKind::Normal,
        Some(Ending::Raised | Ending::Open) | None => kind_of_exception(run, process)?,
    };
    let reason = reason_of(run.graph(), ending, process.exception);
    let effect = SignalEffect::End(process.number, kind);
    SignalStep { effect, reason }.happens(run, None, Vec::new());
    Ok(())
}

/// What the exception with which a process ends means for others. If that depends on the input, it is
/// a decision.
fn kind_of_exception<'run>(
    run: &mut RunState<'run>,
    process: &Process<'run>,
) -> Result<ExitKind, Misfit> {
    let Some((raised, at)) = process.exception.zip(process.raised_at) else {
        return Ok(ExitKind::Other);
    };
    let graph = run.graph();
    let is_exit = raised.class == graph.atom("exit");
    if !is_exit || matches!(graph.node(raised.reason), Node::Unknown(_)) {
        return Ok(ExitKind::Other);
    }
    let normal = graph.atom("normal");
    let ways = [graph.equal(raised.reason, normal), Condition::TRUE];
    let is_normal = run.choose(at, &ways)? == Some(0);
    Ok(if is_normal {
        ExitKind::Normal
    } else {
        ExitKind::Other
    })
}

/// The signal that a step is, if it is one and reaches a process that is controlled.
fn signal_of(
    run: &mut RunState<'_>,
    own: usize,
    at: ProgramSite,
    (step, call): (&Step, &KnownCall),
) -> Result<Option<SignalStep>, Misfit> {
    if run.together.is_none() {
        return Ok(None);
    }
    Ok(match (step.name, call.arguments.as_slice()) {
        ("link", &[other]) => {
            let other = known_process(run, at, other)?;
            other.map(|other| changes(run, SignalEffect::Link(own, other)))
        }
        ("unlink", &[other]) => {
            let other = known_process(run, at, other)?;
            other.map(|other| changes(run, SignalEffect::Unlink(own, other)))
        }
        ("process_flag", &[flag, value]) => {
            let traps = trapping(run, at, flag, value)?;
            traps.map(|traps| changes(run, SignalEffect::Trap(own, traps)))
        }
        ("exit", &[other, reason]) => match known_process(run, at, other)? {
            Some(other) => exit(run, at, (own, other), reason)?,
            None => None,
        },
        _ => None,
    })
}

/// A step that sends no signal, unless it reaches a process that is gone.
fn changes(run: &mut RunState<'_>, effect: SignalEffect) -> SignalStep {
    let reason = run.graph().atom("noproc");
    SignalStep { effect, reason }
}

/// The controlled process that an argument means. If that depends on the input, it is a decision.
fn known_process(
    run: &mut RunState<'_>,
    at: ProgramSite,
    named: NodeId,
) -> Result<Option<usize>, Misfit> {
    let named = decided_process(run, at, named)?;
    if run.is_open(&[named]) {
        return Ok(None);
    }
    let process = reached_process(run, Some(named));
    Ok(process.filter(|it| is_controlled(run, *it)))
}

/// The new value of the flag `trap_exit`. If it depends on the input, it is a decision.
fn trapping(
    run: &mut RunState<'_>,
    at: ProgramSite,
    flag: NodeId,
    value: NodeId,
) -> Result<Option<bool>, Misfit> {
    let graph = run.graph();
    if flag != graph.atom("trap_exit") {
        return Ok(None);
    }
    let values = ["true", "false"].map(|it| graph.atom(it));
    let ways = values.map(|it| graph.equal(value, it));
    Ok(run.choose(at, &ways)?.map(|way| way == 0))
}

/// An exit signal to a process. If what it does depends on the input, that is a decision.
fn exit(
    run: &mut RunState<'_>,
    at: ProgramSite,
    (own, other): (usize, usize),
    reason: NodeId,
) -> Result<Option<SignalStep>, Misfit> {
    let graph = run.graph();
    let [kill, killed, normal] = ["kill", "killed", "normal"].map(|it| graph.atom(it));
    let ways = [
        graph.equal(reason, kill),
        graph.equal(reason, normal),
        Condition::TRUE,
    ];
    let kind = match run.choose(at, &ways)? {
        Some(0) => ExitKind::Kill,
        Some(1) => ExitKind::Normal,
        Some(_) => ExitKind::Other,
        None => return Ok(None),
    };
    let reason = if kind == ExitKind::Kill {
        killed
    } else {
        reason
    };
    let effect = SignalEffect::Exit(own, other, kind);
    Ok(Some(SignalStep { effect, reason }))
}

/// A table gets another owner, who gets a message. Returns whether it is that.
fn give_away(
    run: &mut RunState<'_>,
    at: ProgramSite,
    (step, call): (&Step, &KnownCall),
) -> Result<bool, Misfit> {
    let ("give_away", &[table, other, gift]) = (step.name, call.arguments.as_slice()) else {
        return Ok(false);
    };
    let Some(own) = run.together.as_ref().map(|it| it.current) else {
        return Ok(false);
    };
    let Some(other) = known_process(run, at, other)? else {
        return Ok(false);
    };
    let Some(known) = run.shared.table_mut(table) else {
        return Ok(false);
    };
    known.owner = other;
    let accesses = accesses_of(run, step, call);
    let graph = run.graph();
    let (transfer, pid) = (graph.atom("ETS-TRANSFER"), pid_of(graph, own));
    let message = graph.tuple([transfer, table, pid, gift]);
    let notice = Notice {
        from: own,
        to: other,
        message,
    };
    tell(run, at, accesses, notice);
    let table = run.shared.table_id(table);
    let object = Shared::Table(table, None).object(run.graph());
    run.note_effect(SignalEffect::Owns(other, object));
    Ok(true)
}
