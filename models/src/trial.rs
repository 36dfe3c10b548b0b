//! One call of a built-in, to compare its model with the real function.

use erlang_term::Term;
use solver::ReleaseRules;
use solver::graph::{Graph, Input, NodeId, to_term};

use crate::model::Meaning;
use crate::table::find;
use crate::walk::{Stop, Walk, Walked};

/// How a model is given its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given {
    /// As constants.
    Constants,
    /// As the input of a run, which the model takes apart piece by piece.
    Inputs,
}

/// The model does not tell what a call does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotUnderstood;

/// What a built-in does with some arguments on a release: it returns a value, or raises (`None`).
///
/// # Errors
/// When the model does not tell.
pub fn try_call(
    module: &str,
    name: &str,
    arguments: &[Term],
    given: Given,
    rules: &ReleaseRules,
) -> Result<Option<Term>, NotUnderstood> {
    let arity = u32::try_from(arguments.len()).map_err(|_| NotUnderstood)?;
    let model = find(module, name, arity).ok_or(NotUnderstood)?;
    let mut graph = Graph::new(rules.clone());
    let constants = arguments.iter();
    let constants: Vec<NodeId> = constants.map(|it| graph.constant(it)).collect();
    let mut input = Input::new(&constants);
    let arguments = match given {
        Given::Constants => constants,
        Given::Inputs => (0..constants.len()).map(|it| graph.input(it)).collect(),
    };
    let value = match value(&mut graph, &mut input, model.meaning, &arguments) {
        Ok(value) | Err(Stop::Taken(value)) => value,
        Err(Stop::Raises | Stop::Error(_)) => return Ok(None),
        Err(Stop::Perhaps(_) | Stop::Unknown) => return Err(NotUnderstood),
    };
    let value = input.value(&mut graph, value).ok_or(NotUnderstood)?;
    to_term(&graph, value).map(Some).ok_or(NotUnderstood)
}

fn value(graph: &mut Graph, input: &mut Input, meaning: Meaning, arguments: &[NodeId]) -> Walked {
    let (rule, walker) = match meaning {
        Meaning::Rule(rule, walker) => (Some(rule), walker),
        Meaning::GuardRule(rule) => (Some(rule), None),
        Meaning::Walk(walker) => (None, Some(walker)),
        Meaning::Raise(_) => return Err(Stop::Raises),
        Meaning::Process(_) => return Err(Stop::Unknown),
    };
    if let Some(applied) = rule.and_then(|rule| rule.apply(graph, arguments)) {
        return match input.holds(graph, applied.returns) {
            Some(true) => Ok(applied.value),
            Some(false) => Err(Stop::Raises),
            None => Err(Stop::Unknown),
        };
    }
    let walker = walker.ok_or(Stop::Unknown)?;
    walker.walk(&mut Walk::new(graph, input), arguments)
}
