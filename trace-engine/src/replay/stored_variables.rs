//! Variables in the environments of applications. What followed code puts there stays symbolic.

use models::Step;
use solver::graph::{Node, NodeId};

use super::known_calls::KnownCall;
use super::replayed::{Misfit, ProgramSite};
use super::run_state::RunState;
use super::stored_terms::{find, forget_terms, keys_of, put, values_in};

/// A step of `application` returned. Returns its value.
pub(super) fn variable_step(
    run: &mut RunState<'_>,
    at: ProgramSite,
    (step, call): (&Step, &KnownCall),
    logged: NodeId,
) -> Result<NodeId, Misfit> {
    if let Some(value) = understood(run, at, call, logged)?
        && run.is_as_logged(value, logged)
    {
        return Ok(value);
    }
    // It may have used any of them.
    let variables = &mut run.shared.variables;
    let known = if step.name.starts_with("get") {
        values_in(variables)
    } else {
        forget_terms(variables)
    };
    let given: Vec<NodeId> = call.arguments.iter().copied().chain(known).collect();
    if run.is_open(&given) {
        run.note_opaque(at, call.text(), &given);
    }
    Ok(logged)
}

/// What a step returns; `None` if that is not understood.
fn understood(
    run: &mut RunState<'_>,
    at: ProgramSite,
    call: &KnownCall,
    logged: NodeId,
) -> Result<Option<NodeId>, Misfit> {
    let &[application, name, ref rest @ ..] = call.arguments.as_slice() else {
        return Ok(None);
    };
    let options = match (call.name.as_str(), rest) {
        // It has a list of applications.
        ("set_env", []) => return Ok(None),
        ("set_env", [_, options @ ..]) | ("unset_env", options) => options,
        _ => &[],
    };
    // With others it may raise.
    if run.is_open(options) {
        return Ok(None);
    }
    let key = run.graph().tuple([application, name]);
    let keys = keys_of(&run.shared.variables);
    let Some(found) = find(run, at, &keys, key)? else {
        return Ok(None);
    };
    let place = (found, key);
    Ok(match (call.name.as_str(), rest) {
        ("set_env", [new, ..]) => {
            put(&mut run.shared.variables, place, Some(*new));
            Some(logged)
        }
        ("unset_env", _) => {
            put(&mut run.shared.variables, place, None);
            Some(logged)
        }
        ("get_env", []) => {
            let value = known_or_logged(run, place, |run| value_of_pair(run, logged));
            Some(match value {
                Some(value) => {
                    let ok = run.graph().atom("ok");
                    run.graph().tuple([ok, value])
                }
                None => run.graph().atom("undefined"),
            })
        }
        ("get_env", [default]) => {
            let value = known_or_logged(run, place, |run| {
                let is_default = run.is_as_logged(*default, logged);
                (!is_default).then_some(logged)
            });
            Some(value.unwrap_or(*default))
        }
        _ => None,
    })
}

/// The value of a variable, if it has one. The first time, the log tells what it was before the run.
fn known_or_logged(
    run: &mut RunState<'_>,
    (found, key): (Option<usize>, NodeId),
    logged: impl FnOnce(&mut RunState<'_>) -> Option<NodeId>,
) -> Option<NodeId> {
    let known = found.and_then(|place| run.shared.variables.get(place));
    if let Some(known) = known {
        return known.value;
    }
    let value = logged(run);
    put(&mut run.shared.variables, (found, key), value);
    value
}

/// What is in `{ok, Value}`; `None` if it is `undefined`.
fn value_of_pair(run: &mut RunState<'_>, pair: NodeId) -> Option<NodeId> {
    if let Node::Tuple(elements) = run.graph().node(pair) {
        return elements.get(1).copied();
    }
    None
}
