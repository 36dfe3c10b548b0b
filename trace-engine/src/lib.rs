//! Replays the events of a run on symbolic values, and finds inputs whose runs take other paths.
//!
//! ```text
//! events ── replay ──▶ decisions ── alternatives ──▶ conditions ── solver ──▶ inputs
//! ```

mod concurrency;
pub mod explore;
mod replay;
mod rules;
mod scopes;
mod visited;

pub use replay::{
    Bounds, Decision, Mark, OpaqueCall, Places, ReplayError, Replayed, Rest, replay, replay_until,
    replay_within,
};
