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
    let forgotten = values_in(terms);
    terms.clear();
    forgotten
}

/// The keys of terms and what they are.
pub(super) fn values_in(terms: &[StoredTerm]) -> Vec<NodeId> {
    let values = terms.iter().flat_map(|it| [Some(it.key), it.value]);
    values.flatten().collect()
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
    let keys = keys_of(&run.shared.terms);
    let Some(found) = find(run, at, &keys, key)? else {
        return Ok(None);
    };
    let known = found.and_then(|place| run.shared.terms.get(place));
    let known = known.map(|it| it.value);
    Ok(
        match (call.name.as_str(), call.arguments.as_slice(), known) {
            ("get", _, Some(Some(value))) => Some(value),
            ("get", [_, default], Some(None)) => Some(*default),
            ("put", [_, new], _) => {
                put(&mut run.shared.terms, (found, key), Some(*new));
                Some(logged)
            }
            ("erase", [_], Some(value)) => {
                put(&mut run.shared.terms, (found, key), None);
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

/// Puts a value where a key was found, or behind all others.
pub(super) fn put(
    terms: &mut Vec<StoredTerm>,
    (found, key): (Option<usize>, NodeId),
    value: Option<NodeId>,
) {
    match found.and_then(|place| terms.get_mut(place)) {
        Some(term) => term.value = value,
        None => terms.push(StoredTerm { key, value }),
    }
}

/// The keys of terms.
pub(super) fn keys_of(terms: &[StoredTerm]) -> Vec<NodeId> {
    terms.iter().map(|it| it.key).collect()
}

/// Decides which of the known keys a key is, if it is one of them.
pub(super) fn find(
    run: &mut RunState<'_>,
    at: ProgramSite,
    keys: &[NodeId],
    key: NodeId,
) -> Result<Option<Option<usize>>, Misfit> {
    let graph = run.graph();
    let order = in_fixed_order(graph, keys);
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
    let keys = keys_of(&run.shared.terms);
    let found = find(run, at, &keys, key)?.flatten();
    let known = found.and_then(|place| run.shared.terms.get(place));
    Ok(known.is_some_and(|it| it.value.is_none()))
}
