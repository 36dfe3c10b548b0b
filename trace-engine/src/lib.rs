//! Replays the events of a run on symbolic values, and finds inputs whose runs take other paths.
//!
//! ```text
//! events ── replay ──▶ decisions ── alternatives ──▶ conditions ── solver ──▶ inputs
//! ```

mod concurrency;
mod course;
pub mod explore;
mod flow;
mod pruning;
mod replay;
mod rules;
mod scopes;
mod visited;

pub use course::{Moment, MomentKind, RunCourse, UnreadMessage, course_of};
#[cfg(feature = "weak-views")]
pub use pruning::{ViewRule, leave_out};
pub use replay::{
    Access, Bounds, ChosenClause, Decision, ExitKind, KeyedStates, Mark, Noted, NotedMarks, Object,
    OpaqueCall, Places, PlayMark, PlayMarkKind, PlayModules, ReachedState, ReceiveTimeout,
    ReplayError, ReplaySummary, Replayed, ReplayedProcess, ReplayedReceive, Rest, RunEvent,
    RunEventKind, SignalEffect, is_harmless, replay, replay_run, replay_until, replay_within,
};
