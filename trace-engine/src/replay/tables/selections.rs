//! Steps that select objects: by patterns, or by match specifications.

use solver::graph::{Condition, NodeId};

use super::super::run_state::RunState;
use super::key_order::in_order;
use super::match_patterns::{Bindings, MatchClause, clause_of, clauses_in, is_plain, match_value};
use super::table_use::{TableChange, TableUse, Understood};

/// All objects.
pub(super) fn all_objects(run: &mut RunState<'_>, table: &TableUse) -> Understood<TableChange> {
    let found = table.rows.iter().copied().enumerate().collect();
    let value = in_order(run, table, found)?;
    Ok(value.map(|value| table.unchanged(value)))
}

/// What a pattern selects.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Selected {
    /// The values of its variables.
    Variables,
    /// The objects.
    Objects,
}

/// The objects that match a pattern, or the values of its variables in them.
pub(super) fn matching(
    run: &mut RunState<'_>,
    table: &TableUse,
    pattern: NodeId,
    selected: Selected,
) -> Understood<TableChange> {
    if !is_plain(run, table.at, pattern)? {
        return Ok(None);
    }
    let Some(found) = matches(run, table, &[clause_of(pattern)])? else {
        return Ok(None);
    };
    let mut values = Vec::with_capacity(found.len());
    for (place, _, bindings) in found {
        let row = table.rows.get(place).copied();
        let value = match selected {
            Selected::Objects => row,
            Selected::Variables => Some(bindings.list(run.graph())),
        };
        values.extend(value.map(|value| (place, value)));
    }
    let value = in_order(run, table, values)?;
    Ok(value.map(|value| table.unchanged(value)))
}

/// Removes the objects that match a pattern.
pub(super) fn match_delete(
    run: &mut RunState<'_>,
    table: &TableUse,
    pattern: NodeId,
) -> Understood<TableChange> {
    if !is_plain(run, table.at, pattern)? {
        return Ok(None);
    }
    let found = matches(run, table, &[clause_of(pattern)])?;
    Ok(found.map(|found| {
        let places: Vec<usize> = found.into_iter().map(|it| it.0).collect();
        table.without(&places, NodeId::TRUE)
    }))
}

/// What a match specification makes of the objects that it selects.
pub(super) fn select(
    run: &mut RunState<'_>,
    table: &TableUse,
    specification: NodeId,
) -> Understood<TableChange> {
    let Some(values) = selected(run, table, specification)? else {
        return Ok(None);
    };
    let value = in_order(run, table, values)?;
    Ok(value.map(|value| table.unchanged(value)))
}

/// How many objects a match specification makes `true` of, and which these are.
pub(super) fn select_true(
    run: &mut RunState<'_>,
    table: &TableUse,
    specification: NodeId,
) -> Understood<(NodeId, Vec<usize>)> {
    let Some(values) = selected(run, table, specification)? else {
        return Ok(None);
    };
    let mut places = Vec::new();
    for (place, value) in values {
        let is_true = run.graph().equal(value, NodeId::TRUE);
        match run.choose(table.at, &[is_true, Condition::TRUE])? {
            Some(0) => places.push(place),
            Some(_) => {}
            None => return Ok(None),
        }
    }
    let count = i64::try_from(places.len()).unwrap_or(i64::MAX);
    Ok(Some((run.graph().integer(count), places)))
}

fn selected(
    run: &mut RunState<'_>,
    table: &TableUse,
    specification: NodeId,
) -> Understood<Vec<(usize, NodeId)>> {
    if run.graph().is_symbolic(specification) {
        return Ok(None);
    }
    let Some(clauses) = clauses_in(run.graph(), specification) else {
        return Ok(None);
    };
    let Some(found) = matches(run, table, &clauses)? else {
        return Ok(None);
    };
    let mut values = Vec::with_capacity(found.len());
    for (place, clause, bindings) in found {
        let result = clauses.get(clause).and_then(|it| it.result);
        let value = result.and_then(|result| match_value(run.graph(), result, &bindings));
        match value {
            Some(value) if value.is_defined == Condition::TRUE => values.push((place, value.node)),
            Some(_) | None => return Ok(None),
        }
    }
    Ok(Some(values))
}

/// Decides for each row which of some clauses matches it first. Returns the rows that one matches,
/// with its number and what its variables are.
fn matches(
    run: &mut RunState<'_>,
    table: &TableUse,
    clauses: &[MatchClause],
) -> Understood<Vec<(usize, usize, Bindings)>> {
    let mut found = Vec::new();
    for (place, row) in table.rows.iter().enumerate() {
        let mut ways = Vec::with_capacity(clauses.len() + 1);
        let mut bound = Vec::with_capacity(clauses.len());
        for clause in clauses {
            let Some((condition, bindings)) = clause.matches(run.graph(), *row) else {
                return Ok(None);
            };
            ways.push(condition);
            bound.push(bindings);
        }
        ways.push(Condition::TRUE);
        match run.choose(table.at, &ways)? {
            Some(taken) if taken < bound.len() => {
                found.push((place, taken, bound.swap_remove(taken)));
            }
            Some(_) => {}
            None => return Ok(None),
        }
    }
    Ok(Some(found))
}
