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
mod matching;
mod models;
mod replay;
mod scopes;
mod visited;

pub use replay::{Decision, Mark, OpaqueCall, Places, ReplayError, Replayed, replay, replay_until};

use erlang_term::Term;

/// How the engine is given the arguments of a built-in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given {
    /// As constants.
    Constants,
    /// As the input of a run, which the built-in looks at piece by piece.
    Inputs,
}

/// What the engine takes a built-in to do with some arguments: return a value, or raise (`None`).
///
/// # Errors
/// When the engine does not know.
pub fn built_in(
    module: &str,
    name: &str,
    arguments: &[Term],
    given: Given,
) -> Result<Option<Term>, NotUnderstood> {
    let mut graph = solver::graph::Graph::default();
    let constants = arguments.iter();
    let constants: Vec<solver::graph::NodeId> = constants.map(|it| graph.constant(it)).collect();
    let mut input = solver::graph::Input::new(&constants);
    let arguments = match given {
        Given::Constants => constants,
        Given::Inputs => (0..constants.len()).map(|it| graph.input(it)).collect(),
    };
    let applied = match module {
        "erlang" => builtins::apply(&mut graph, name, &arguments),
        _ => None,
    };
    let value = if let Some(applied) = applied {
        match input.holds(&mut graph, applied.returns) {
            Some(true) => applied.value,
            Some(false) => return Ok(None),
            None => return Err(NotUnderstood),
        }
    } else {
        let mut walk = models::Walk::new(&mut graph, &mut input, &[]);
        match models::walk(&mut walk, module, name, &arguments) {
            Ok(value) | Err(models::Stop::Taken(value)) => value,
            Err(models::Stop::Raises | models::Stop::Error(_)) => return Ok(None),
            Err(models::Stop::Perhaps(_) | models::Stop::Unknown) => return Err(NotUnderstood),
        }
    };
    let value = input.value(&mut graph, value).ok_or(NotUnderstood)?;
    solver::graph::to_term(&graph, value)
        .map(Some)
        .ok_or(NotUnderstood)
}

/// The engine does not know what a built-in does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotUnderstood;
