//! A play as Erlang expressions for a shell, on the unchanged module.

use std::fmt::Display;

use erlang_term::{Atom, Term};
use trace_engine::{PlayMark, PlayMarkKind};

use super::behaviour::Behaviour;
use super::event_texts::played;
use crate::outcome::Outcome;

/// How much longer than its time a timer is waited for, in milliseconds.
const PATIENCE: i64 = 50;

/// Expressions that start a machine, send it events, and return why it ended, or what a function that
/// is asked of its state does.
pub fn crash_script(
    module: &Atom,
    behaviour: Behaviour,
    (arguments, marks): (&[Term], &[PlayMark]),
    asked: Option<String>,
) -> String {
    let Some((argument, events)) = played(arguments).split_first() else {
        return String::new();
    };
    let name = behaviour.name();
    let is_first = events.is_empty() && asked.is_none();
    if is_first && !has_started(marks) {
        return format!("{name}:start({module}, {argument}, []).");
    }
    let mut lines = started(module, behaviour, argument, (is_first, asked.is_none()));
    for (index, event) in (1..).zip(events) {
        let is_answered = index == events.len() || is_answered(index, marks);
        lines.push(match event.as_tuple() {
            Some([kind, content]) => sent(behaviour, kind, content, is_answered),
            Some(_) | None => pause(waited(index, marks)),
        });
    }
    lines.push(asked.unwrap_or_else(|| {
        "receive {'DOWN', Ref, process, Pid, Why} -> Why after 1000 -> running end".to_owned()
    }));
    format!("{}.", lines.join(",\n"))
}

/// Whether OTP has started the machine: `init/1` did not refuse that, and did not crash.
pub(crate) fn has_started(marks: &[PlayMark]) -> bool {
    marks.iter().any(|it| match &it.kind {
        PlayMarkKind::Handled { .. } => true,
        PlayMarkKind::Ended { event, .. } => event.is_some(),
        PlayMarkKind::Waited(_)
        | PlayMarkKind::Waits(_)
        | PlayMarkKind::Fired(_)
        | PlayMarkKind::Replied(_) => false,
    })
}

/// The expressions that start a machine and, if it is to be known why it ends, monitor it. One that
/// ends at once must be monitored from its start.
pub(crate) fn started(
    module: impl Display,
    behaviour: Behaviour,
    argument: &Term,
    (ends_at_once, is_monitored): (bool, bool),
) -> Vec<String> {
    let name = behaviour.name();
    if ends_at_once {
        return vec![format!(
            "{{ok, {{Pid, Ref}}}} = {name}:start_monitor({module}, {argument}, [])"
        )];
    }
    let start = format!("{{ok, Pid}} = {name}:start({module}, {argument}, [])");
    let monitor = "Ref = monitor(process, Pid)".to_owned();
    let monitor = is_monitored.then_some(monitor);
    std::iter::once(start).chain(monitor).collect()
}

/// The call of an invariant, or of what names states, that shows the finding of a machine that goes
/// on; `None` if the machine ended.
pub(crate) fn asked_of_state(marks: &[PlayMark], outcome: &Outcome) -> Option<String> {
    let has_ended = |it: &PlayMark| matches!(it.kind, PlayMarkKind::Ended { .. });
    let goes_on = !marks.is_empty() && !marks.iter().any(has_ended);
    let outer = || outcome.stack().iter().rev().find(|it| it.is_own);
    let function = outcome.asked_invariant();
    let function = function.or_else(|| Some(outer().filter(|_| goes_on)?.function.clone()))?;
    let name = function.strip_suffix("/1")?;
    Some(format!("{name}(sys:get_state(Pid))"))
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
        | PlayMarkKind::Waits(_)
        | PlayMarkKind::Fired(_)
        | PlayMarkKind::Replied(_)
        | PlayMarkKind::Ended { .. } => None,
    })
}
