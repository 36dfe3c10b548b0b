//! Persistent terms that followed code put there. They stay symbolic.

use models::Step;
use solver::graph::{Condition, NodeId};

use super::kept_values::StoredTerm;
use super::known_calls::KnownCall;
use super::objects::in_fixed_order;
use super::replayed::{Misfit, ProgramSite};
use super::run_state::RunState;

/// Forgets all terms. Returns what they were.
pub(super) fn forget_terms(terms: &mut Vec<StoredTerm>) -> Vec<NodeId> {
    let forgotten = std::mem::take(terms).into_iter();
    forgotten
        .flat_map(|it| [Some(it.key), it.value])
        .flatten()
        .collect()
}

/// A step of `persistent_term` returned. Returns its value.
pub(super) fn term_step(
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
    if run.is_open(&call.arguments) || run.together.is_none() {
        run.note_opaque(at, call.text(), &call.arguments);
    }
    if step.name != "get" {
        let forgotten = forget_terms(&mut run.shared.terms);
        if run.is_open(&forgotten) {
            run.note_opaque(at, call.text(), &forgotten);
        }
    }
    Ok(logged)
}

/// What a step returns; `None` if that is not understood. Others may have put terms there under keys
/// that followed code did not use.
fn understood(
    run: &mut RunState<'_>,
    at: ProgramSite,
    call: &KnownCall,
    logged: NodeId,
) -> Result<Option<NodeId>, Misfit> {
    let Some(key) = call.arguments.first().copied() else {
        return Ok(None);
    };
    let Some(found) = find(run, at, key)? else {
        return Ok(None);
    };
    let known = found.and_then(|place| run.shared.terms.get(place));
    let known = known.map(|it| it.value);
    Ok(
        match (call.name.as_str(), call.arguments.as_slice(), known) {
            ("get", _, Some(Some(value))) => Some(value),
            ("get", [_, default], Some(None)) => Some(*default),
            ("put", [_, new], _) => {
                put(run, (found, key), Some(*new));
                Some(logged)
            }
            ("erase", [_], Some(value)) => {
                put(run, (found, key), None);
                Some(if value.is_some() {
                    NodeId::TRUE
                } else {
                    NodeId::FALSE
                })
            }
            _ => None,
        },
    )
}

fn put(run: &mut RunState<'_>, (found, key): (Option<usize>, NodeId), value: Option<NodeId>) {
    let terms = &mut run.shared.terms;
    match found.and_then(|place| terms.get_mut(place)) {
        Some(term) => term.value = value,
        None => terms.push(StoredTerm { key, value }),
    }
}

/// Decides which of the known terms has a key, if one has it.
fn find(
    run: &mut RunState<'_>,
    at: ProgramSite,
    key: NodeId,
) -> Result<Option<Option<usize>>, Misfit> {
    let keys: Vec<NodeId> = run.shared.terms.iter().map(|it| it.key).collect();
    let graph = run.graph();
    let order = in_fixed_order(graph, &keys);
    let mut ways = Vec::with_capacity(keys.len() + 1);
    for known in order.iter().filter_map(|index| keys.get(*index)) {
        ways.push(graph.equal(key, *known));
    }
    ways.push(Condition::TRUE);
    let taken = run.choose(at, &ways)?;
    Ok(taken.map(|taken| order.get(taken).copied()))
}

/// Decides why a step raised: a term is known to be missing.
pub(super) fn term_raising_is_understood(
    run: &mut RunState<'_>,
    at: ProgramSite,
    call: &KnownCall,
) -> Result<bool, Misfit> {
    let Some(key) = call.arguments.first().copied() else {
        return Ok(false);
    };
    let found = find(run, at, key)?.flatten();
    let known = found.and_then(|place| run.shared.terms.get(place));
    Ok(known.is_some_and(|it| it.value.is_none()))
}
