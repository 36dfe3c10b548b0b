//! What the play of a machine told.

use std::hash::{Hash, Hasher};

use erlang_term::Term;
use rustc_hash::FxHasher;

/// Which calls are marks, and how much of them is noted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotedMarks {
    /// The number of the module whose functions are called.
    pub module: usize,
    /// Whether states and replies are noted, which may be large.
    pub has_values: bool,
}

/// Something that a play told.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayMark {
    /// How many decisions were made before.
    pub decisions: usize,
    /// The event of the sequence that led here, counted from 1; 0 for the start.
    pub index: usize,
    /// What happened.
    pub kind: PlayMarkKind,
}

/// What happened in a play.
#[derive(Clone, Debug, PartialEq)]
pub enum PlayMarkKind {
    /// A callback has handled an event.
    Handled {
        /// The event.
        event: Term,
        /// What the state after it is called.
        label: Term,
        /// The state, if values are noted.
        state: Option<Term>,
    },
    /// This many milliseconds have passed.
    Waited(Term),
    /// A timeout of the sequence is that of this timer.
    Fired(Term),
    /// A call got its reply, if values are noted.
    Replied(Term),
    /// The machine ended.
    Ended,
}

/// The states of a machine by numbers, each with the number of decisions before it. A state is what
/// its label says, without values inside of it.
pub(crate) fn machine_states(marks: &[PlayMark]) -> Vec<(usize, u64)> {
    let states = marks.iter().filter_map(|mark| match &mark.kind {
        PlayMarkKind::Handled { label, .. } => {
            let tag = label.as_tuple().and_then(<[Term]>::first).unwrap_or(label);
            let mut hasher = FxHasher::default();
            tag.as_atom().hash(&mut hasher);
            Some((mark.decisions, hasher.finish()))
        }
        PlayMarkKind::Waited(_)
        | PlayMarkKind::Fired(_)
        | PlayMarkKind::Replied(_)
        | PlayMarkKind::Ended => None,
    });
    states.collect()
}
