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
mod models;
mod replay;
mod scopes;
pub mod solver;
pub mod types;
mod visited;

pub use replay::{Decision, OpaqueCall, ReplayError, Replayed, replay};

use erlang_term::Term;

/// What the engine takes a built-in to do with constants: return a value, or raise (`None`).
///
/// # Errors
/// When the engine does not know.
pub fn built_in(
    module: &str,
    name: &str,
    arguments: &[Term],
) -> Result<Option<Term>, NotUnderstood> {
    let mut graph = graph::Graph::default();
    let arguments = arguments.iter();
    let arguments: Vec<graph::NodeId> = arguments.map(|it| graph.constant(it)).collect();
    let applied = match module {
        "erlang" => builtins::apply(&mut graph, name, &arguments),
        _ => None,
    };
    let value = match applied {
        Some(applied) if applied.returns == graph::Condition::TRUE => applied.value,
        Some(applied) if applied.returns == graph::Condition::FALSE => return Ok(None),
        Some(_) => return Err(NotUnderstood),
        None => {
            let mut input = graph::Input::default();
            let mut walk = models::Walk::new(&mut graph, &mut input);
            match models::walk(&mut walk, module, name, &arguments) {
                Ok(value) => value,
                Err(models::Stop::Raises) => return Ok(None),
                Err(models::Stop::Taken(_) | models::Stop::Unknown) => return Err(NotUnderstood),
            }
        }
    };
    let value = graph.evaluate(value, &[]).ok_or(NotUnderstood)?;
    graph.to_term(value).map(Some).ok_or(NotUnderstood)
}

/// The engine does not know what a built-in does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotUnderstood;
