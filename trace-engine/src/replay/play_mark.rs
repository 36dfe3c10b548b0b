//! What the play of a machine told.

use erlang_term::Term;
use flattener::flat::SiteId;
use serde::{Deserialize, Serialize};

/// The modules of a program that belong to plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayModules {
    /// The number of the module whose functions are marks.
    pub marks: usize,
    /// How many modules are the user's. They come first.
    pub own: usize,
}

/// Which calls are marks, and how much of them is noted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotedMarks {
    /// The modules.
    pub modules: PlayModules,
    /// Whether states and replies are noted, which may be large.
    pub has_values: bool,
}

/// A clause that a run chose: module, site, clause counted from 0.
pub type ChosenClause = (usize, SiteId, usize);

/// The last clause that a callback chose, and how many functions were running.
#[derive(Clone, Copy, Debug)]
pub(super) struct LastClause {
    pub(super) depth: usize,
    pub(super) clause: ChosenClause,
}

/// Something that a play told.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayMark {
    /// How many decisions were made before.
    pub decisions: usize,
    /// The event of the sequence that led here, counted from 1; 0 for the start.
    pub index: usize,
    /// What happened.
    pub kind: PlayMarkKind,
}

/// What happened in a play.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
    /// The machine waits for the next event; its next timer will be over in so many milliseconds.
    Waits(Term),
    /// The machine ended, or there is none.
    Ended {
        /// The event that a callback handled; `None` if the machine handled none.
        event: Option<Term>,
        /// The last clause that the callback chose itself, and not a function that it called.
        clause: Option<ChosenClause>,
    },
}
