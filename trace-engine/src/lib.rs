//! Replays the events of a run on symbolic values, and finds inputs whose runs go elsewhere.
//!
//! ```text
//! events ── replay ──▶ decisions ── alternatives ──▶ conditions ── solver ──▶ inputs
//! ```

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "most rules are about a few shapes of values or operations, all others are alike to them"
)]

mod builtins;
mod environment;
pub mod explore;
pub mod graph;
mod matching;
mod replay;
mod scopes;
pub mod solver;
mod visited;

pub use replay::{Decision, OpaqueCall, ReplayError, Replayed, replay};
