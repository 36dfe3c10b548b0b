//! What follows from steps that end processes or send signals, before anyone takes another step:
//! names are free and tables are gone, and others get messages about it.

use solver::graph::{Graph, NodeId};
use trace_format::{Ending, ProcessPath};

use super::aliases::end_alias_of_monitor;
use super::delivering::put_into_mailbox;
use super::handlers::Raised;
use super::process_ids::pid_of;
use super::replayed::{OpaqueCall, ProgramSite};
use super::run_event::RunEventKind;
use super::run_state::RunState;
use super::shared_access::Access;
use super::signal_effect::SignalEffect;
use super::signal_state::Consequence;
use super::together::KnownMonitor;

/// A step that is a signal, or changes what signals do.
#[derive(Debug)]
pub(super) struct SignalStep {
    pub(super) effect: SignalEffect,
    /// The reason with which processes end, or of which they are told.
    pub(super) reason: NodeId,
}

impl SignalStep {
    /// The step is made. Returns whether that ended its own process, which is not a step of another
    /// kind then.
    pub(super) fn happens(
        &self,
        run: &mut RunState<'_>,
        at: Option<ProgramSite>,
        accesses: Vec<Access>,
    ) -> bool {
        let Some(together) = &mut run.together else {
            return false;
        };
        let own = together.current;
        let consequences = together.signals.apply(self.effect);
        let ends = consequences.contains(&Consequence::Ends(own));
        let is_signal =
            |it: &Consequence| matches!(it, Consequence::Unlinks(_) | Consequence::Dies(_));
        together.has_signals |= consequences.iter().any(is_signal);
        let mut event = EventConsequences::default();
        for consequence in &consequences {
            // That of the own process is added when it is known whether others look at it.
            if !matches!(consequence, Consequence::Ends(_)) {
                event.accesses.extend(consequence.accesses());
            }
            event.add(run, *consequence, self.reason);
        }
        let number = if ends {
            let number = run.note_event(None, RunEventKind::End);
            event.own.extend(accesses);
            number
        } else {
            run.note_event(at, RunEventKind::Step(accesses))
        };
        event.happen(run, number, Some(self.effect));
        ends
    }
}

/// What an event does to processes.
#[derive(Debug, Default)]
struct EventConsequences {
    /// What it touches whatever the links are.
    own: Vec<Access>,
    /// What it touches because of links and flags.
    accesses: Vec<Access>,
    told: Vec<Notice>,
    dead: Vec<usize>,
}

/// A message that is none of a process that sends it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Notice {
    /// The process that it is about.
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) message: NodeId,
}

impl EventConsequences {
    fn add(&mut self, run: &mut RunState<'_>, consequence: Consequence, reason: NodeId) {
        match consequence {
            Consequence::Looks(_) | Consequence::Unlinks(_) | Consequence::Frees(_) => {}
            Consequence::Ends(process) => run.shared.free_all_of(process),
            Consequence::Dies(process) if is_controlled(run, process) => {
                self.dead.push(process);
                run.shared.free_all_of(process);
            }
            Consequence::Told { process, from } if is_controlled(run, process) => {
                let message = exit_message(run.graph(), from, reason);
                let to = process;
                self.told.push(Notice { from, to, message });
            }
            Consequence::Down(watch) => {
                let message = down_message(run, watch.reference, reason);
                self.told.push(Notice {
                    from: watch.watched,
                    to: watch.watcher,
                    message,
                });
                end_alias_of_monitor(run, watch.reference);
            }
            Consequence::Dies(_) | Consequence::Told { .. } => note_exit_signal(run),
        }
    }

    fn happen(self, run: &mut RunState<'_>, number: usize, effect: Option<SignalEffect>) {
        let Some(together) = &mut run.together else {
            return;
        };
        for process in self.dead {
            together.killed.entry(process).or_insert(number);
        }
        if is_told_by_two(&self.told) {
            note_uncontrolled(run, "two messages at once");
        }
        if let Some(event) = run.replayed.events.get_mut(number) {
            event.signals.extend(self.own);
            event.consequences.extend(self.accesses);
            event.told.extend(self.told.iter().map(|it| it.to));
            event.effects.extend(effect);
        }
        for Notice { to, message, .. } in self.told {
            put_into_mailbox(run, to, message, number);
        }
    }
}

/// A step puts a message into a mailbox, which is no message of its own process.
pub(super) fn tell(run: &mut RunState<'_>, at: ProgramSite, accesses: Vec<Access>, told: Notice) {
    let number = run.note_event(Some(at), RunEventKind::Step(accesses));
    let consequences = EventConsequences {
        told: vec![told],
        ..EventConsequences::default()
    };
    consequences.happen(run, number, None);
}

/// Whether messages about two processes come to one with the same event: these have no order.
fn is_told_by_two(told: &[Notice]) -> bool {
    let is_by_another = |(place, one): (usize, &Notice)| {
        let mut earlier = told.iter().take(place);
        earlier.any(|it| it.to == one.to && it.from != one.from)
    };
    told.iter().enumerate().any(is_by_another)
}

/// The process of the entry function came to its end. Nobody hears of that: it stays, as the caller
/// of a function does.
pub(super) fn entry_ended(run: &mut RunState<'_>) {
    run.note_event(None, RunEventKind::End);
}

/// Why a process ended that was not ended by a signal. Stack traces are not known.
pub(super) fn reason_of(
    graph: &mut Graph,
    ending: Option<Ending>,
    exception: Option<Raised>,
) -> NodeId {
    match (ending, exception) {
        (Some(Ending::Returned), _) => graph.atom("normal"),
        (Some(Ending::Raised), Some(exception)) => reason_of_exception(graph, exception),
        (Some(Ending::Raised | Ending::Open) | None, _) => graph.unknown(),
    }
}

fn reason_of_exception(graph: &mut Graph, Raised { class, reason }: Raised) -> NodeId {
    let [exit, error, throw] = ["exit", "error", "throw"].map(|it| graph.atom(it));
    let stack = graph.unknown();
    if class == exit {
        reason
    } else if class == error {
        graph.tuple([reason, stack])
    } else if class == throw {
        let nocatch = graph.atom("nocatch");
        let thrown = graph.tuple([nocatch, reason]);
        graph.tuple([thrown, stack])
    } else {
        stack
    }
}

/// The message about the end of a process that is watched with a reference.
fn down_message(run: &mut RunState<'_>, reference: NodeId, reason: NodeId) -> NodeId {
    let monitors = run.together.as_ref().map(|it| &it.monitors);
    let monitor = monitors.and_then(|it| it.get(&reference)).copied();
    let graph = run.graph();
    let process = graph.atom("process");
    match monitor {
        Some(KnownMonitor { item, tag, .. }) => {
            graph.tuple([tag, reference, process, item, reason])
        }
        None => graph.unknown(),
    }
}

/// The message that a process gets that traps exits.
fn exit_message(graph: &mut Graph, from: usize, reason: NodeId) -> NodeId {
    let (exit, pid) = (graph.atom("EXIT"), pid_of(graph, from));
    graph.tuple([exit, pid, reason])
}

/// Whether the gate controls a process of the run.
pub(super) fn is_controlled(run: &RunState<'_>, process: usize) -> bool {
    let process = run.replayed.processes.get(process);
    process.is_some_and(|it| it.path != ProcessPath::ENTRY.child(0))
}

/// Notes that a signal about the end of a process came at a time that nobody controls.
pub(super) fn note_exit_signal(run: &mut RunState<'_>) {
    note_uncontrolled(run, "an exit signal");
}

fn note_uncontrolled(run: &mut RunState<'_>, name: &str) {
    run.replayed.uncontrolled.push(OpaqueCall {
        name: name.to_owned(),
        place: None,
    });
}
