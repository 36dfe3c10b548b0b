//! A play as Erlang expressions for a shell, on the unchanged module.

use erlang_term::{Atom, Term};
use trace_engine::{PlayMark, PlayMarkKind};

use super::behaviour::Behaviour;
use super::event_texts::played;
use crate::outcome::Outcome;

/// How much longer than its time a timer is waited for, in milliseconds.
const PATIENCE: i64 = 50;

/// Expressions that start a machine, send it events, and return why it ended, or that an invariant
/// does not hold.
pub fn crash_script(
    module: &Atom,
    behaviour: Behaviour,
    (arguments, marks): (&[Term], &[PlayMark]),
    outcome: &Outcome,
) -> String {
    let Some((argument, events)) = played(arguments).split_first() else {
        return String::new();
    };
    let name = behaviour.name();
    let start = format!("{name}:start({module}, {argument}, [])");
    let invariant = outcome.broken_invariant();
    if events.is_empty() && invariant.is_none() {
        return format!("{start}.");
    }
    let mut lines = vec![format!("{{ok, Pid}} = {start}")];
    if invariant.is_none() {
        lines.push("Ref = monitor(process, Pid)".to_owned());
    }
    for (index, event) in (1..).zip(events) {
        let is_answered = index == events.len() || is_answered(index, marks);
        lines.push(match event.as_tuple() {
            Some([kind, content]) => sent(behaviour, kind, content, is_answered),
            Some(_) | None => pause(waited(index, marks)),
        });
    }
    lines.push(match invariant {
        Some(function) => {
            let name = function.strip_suffix("/1").unwrap_or(&function);
            format!("{name}(sys:get_state(Pid))")
        }
        None => {
            "receive {'DOWN', Ref, process, Pid, Why} -> Why after 1000 -> running end".to_owned()
        }
    });
    format!("{}.", lines.join(",\n"))
}

/// The expression that sends an event to the process `Pid`. A call without an answer would wait.
fn sent(behaviour: Behaviour, kind: &Term, content: &Term, is_answered: bool) -> String {
    let name = behaviour.name();
    match kind.as_atom() {
        Some("call") if is_answered => format!("catch {name}:call(Pid, {content})"),
        Some("call") => format!("{name}:send_request(Pid, {content})"),
        Some("cast") => format!("{name}:cast(Pid, {content})"),
        Some(_) | None => format!("Pid ! {content}"),
    }
}

/// The expression that waits for a timer.
fn pause(waited: Option<i64>) -> String {
    let time = waited.unwrap_or_default().saturating_add(PATIENCE);
    format!("timer:sleep({time})")
}

/// Whether a call got its reply before the next event of the sequence.
pub(crate) fn is_answered(index: usize, marks: &[PlayMark]) -> bool {
    let mut own = marks.iter().take_while(|it| it.index <= index);
    own.any(|it| it.index == index && matches!(it.kind, PlayMarkKind::Replied(_)))
}

/// How many milliseconds an event of a sequence waited.
pub(crate) fn waited(index: usize, marks: &[PlayMark]) -> Option<i64> {
    let mut own = marks.iter().filter(|it| it.index == index);
    own.find_map(|mark| match &mark.kind {
        PlayMarkKind::Waited(time) => time.as_i64(),
        PlayMarkKind::Handled { .. }
        | PlayMarkKind::Fired(_)
        | PlayMarkKind::Replied(_)
        | PlayMarkKind::Ended => None,
    })
}
