//! Events as reports show them.

use erlang_term::Term;
use trace_engine::{PlayMark, PlayMarkKind};

use super::shape::shape;

/// The argument of `init/1` and the events that are played: an input without what comes behind its
/// end.
pub fn played(arguments: &[Term]) -> &[Term] {
    let events = arguments.get(1..).unwrap_or_default();
    let count = played_events(events).len();
    arguments.get(..=count).unwrap_or(arguments)
}

/// The events of a sequence that are played: those before its end.
pub(crate) fn played_events(events: &[Term]) -> &[Term] {
    let is_end = |it: &Term| it.as_atom() == Some("none");
    let count = events.iter().take_while(|it| !is_end(it)).count();
    events.get(..count).unwrap_or(events)
}

/// What is played, event by event: `init(ARG)`, `call TERM`, `timeout NAME`. Marks tell the names of
/// timeouts.
pub fn event_texts(arguments: &[Term], marks: &[PlayMark]) -> Vec<String> {
    let Some((argument, events)) = played(arguments).split_first() else {
        return Vec::new();
    };
    let events = (1..).zip(events);
    let events = events.map(|(index, event)| match event.as_tuple() {
        Some([kind, content]) => format!("{kind} {content}"),
        Some(_) | None => match timeout_name(index, marks) {
            Some(name) => format!("timeout {name}"),
            None => event.to_string(),
        },
    });
    std::iter::once(format!("init({argument})"))
        .chain(events)
        .collect()
}

/// The name of the timeout that an event of a sequence was.
fn timeout_name(index: usize, marks: &[PlayMark]) -> Option<String> {
    let mut own = marks.iter().filter(|it| it.index == index);
    own.find_map(|mark| match &mark.kind {
        PlayMarkKind::Fired(kind) => Some(name_of(kind)),
        // What a timer of a callback sent.
        PlayMarkKind::Handled { event, .. } => match event.as_tuple()? {
            [_, content] => Some(content.to_string()),
            _ => None,
        },
        PlayMarkKind::Waited(_)
        | PlayMarkKind::Waits(_)
        | PlayMarkKind::Replied(_)
        | PlayMarkKind::Ended { .. } => None,
    })
}

/// The name of a timeout of a `gen_statem`, given its event type.
fn name_of(kind: &Term) -> String {
    match kind.as_tuple() {
        Some([kind, name]) if kind.as_atom() == Some("timeout") => name.to_string(),
        Some(_) | None => kind.to_string(),
    }
}

/// An event that a callback handled, without its values: `call {push,integer()}`.
pub(super) fn event_shape(event: &Term) -> String {
    match event.as_tuple() {
        Some([kind, content]) => format!("{kind} {}", shape(content)),
        Some([_, kind, _]) => format!("timeout {}", name_of(kind)),
        Some(_) | None => event.to_string(),
    }
}

/// What is played in one line, given the argument of `init/1` and events as source.
pub(crate) fn play_text(arguments: &[String]) -> String {
    let mut texts = Vec::with_capacity(arguments.len());
    for (number, argument) in arguments.iter().enumerate() {
        texts.push(match number {
            0 => format!("init({argument})"),
            _ => without_braces(argument),
        });
    }
    texts.join(", ")
}

/// `{call,get}` as `call get`; also as Elixir writes it.
fn without_braces(event: &str) -> String {
    let inner = event.strip_prefix('{').and_then(|it| it.strip_suffix('}'));
    match inner.and_then(|it| it.split_once(',')) {
        Some((kind, content)) => {
            format!("{} {}", kind.trim_start_matches(':'), content.trim_start())
        }
        None => event.trim_start_matches(':').to_owned(),
    }
}
