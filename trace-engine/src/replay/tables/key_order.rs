//! Steps that go through a table from key to key, or that show all of it.
//!
//! An ordered table is in the order of its keys, which is decided where keys depend on the input.
//! Other tables have an order of their own. It is taken from the run, and is the same for other
//! inputs only if no key depends on them.

use solver::graph::{Condition, NodeId};

use super::super::run_state::RunState;
use super::table_use::{TableChange, TableUse, Understood, as_logged, list_of};

/// Which end of a table a step begins at.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    First,
    Last,
}

/// The first or last key.
pub(super) fn key_at_end(
    run: &mut RunState<'_>,
    table: &TableUse,
    end: End,
) -> Understood<TableChange> {
    if table.rows.is_empty() {
        return Ok(Some(table.unchanged(end_of_table(run))));
    }
    if !table.layout.is_ordered() {
        return Ok(logged_key(run, table, None));
    }
    let Some(sorted) = sorted(run, table)? else {
        return Ok(None);
    };
    let place = match end {
        End::First => sorted.first(),
        End::Last => sorted.last(),
    };
    let row = place.and_then(|place| table.rows.get(*place));
    let key = row.and_then(|row| table.layout.key_of(run.graph(), *row));
    Ok(key.map(|key| table.unchanged(key)))
}

/// The next key behind this one, seen from an end of the table.
pub(super) fn next_key(
    run: &mut RunState<'_>,
    table: &TableUse,
    key: NodeId,
    from: End,
) -> Understood<TableChange> {
    if !table.layout.is_ordered() {
        return Ok(logged_key(run, table, Some(key)));
    }
    let Some(mut sorted) = sorted(run, table)? else {
        return Ok(None);
    };
    if from == End::Last {
        sorted.reverse();
    }
    let rows: Vec<NodeId> = sorted
        .iter()
        .filter_map(|it| table.rows.get(*it).copied())
        .collect();
    let Some(keys) = table.keys(run, &rows) else {
        return Ok(None);
    };
    let graph = run.graph();
    let mut ways: Vec<Condition> = keys
        .iter()
        .map(|known| match from {
            End::First => graph.less(key, *known),
            End::Last => graph.less(*known, key),
        })
        .collect();
    ways.push(Condition::TRUE);
    let taken = run.choose(table.at, &ways)?;
    let end = end_of_table(run);
    Ok(taken.map(|taken| table.unchanged(keys.get(taken).copied().unwrap_or(end))))
}

/// The key that the run came to, if it is the same for all inputs.
fn logged_key(
    run: &mut RunState<'_>,
    table: &TableUse,
    behind: Option<NodeId>,
) -> Option<TableChange> {
    let mut keys = table.keys(run, &table.rows)?;
    keys.extend(behind);
    let is_same = !run.is_open(&keys);
    is_same.then(|| table.unchanged(table.logged))
}

fn end_of_table(run: &mut RunState<'_>) -> NodeId {
    run.graph().atom("$end_of_table")
}

/// The places of the rows of an ordered table, in its order.
pub(super) fn sorted(run: &mut RunState<'_>, table: &TableUse) -> Understood<Vec<usize>> {
    let Some(keys) = table.keys(run, &table.rows) else {
        return Ok(None);
    };
    let mut sorted: Vec<usize> = Vec::with_capacity(keys.len());
    for (place, key) in keys.iter().enumerate() {
        let graph = run.graph();
        let others = sorted.iter().filter_map(|it| keys.get(*it));
        let mut ways: Vec<Condition> = others.map(|other| graph.less(*key, *other)).collect();
        ways.push(Condition::TRUE);
        match run.choose(table.at, &ways)? {
            Some(taken) => sorted.insert(taken, place),
            None => return Ok(None),
        }
    }
    Ok(Some(sorted))
}

/// What a step finds in rows, as a list in the order of the table.
pub(super) fn in_order(
    run: &mut RunState<'_>,
    table: &TableUse,
    mut found: Vec<(usize, NodeId)>,
) -> Understood<NodeId> {
    let values: Vec<NodeId> = if found.len() < 2 {
        found.into_iter().map(|it| it.1).collect()
    } else if table.layout.is_ordered() {
        let Some(sorted) = sorted(run, table)? else {
            return Ok(None);
        };
        found.sort_by_key(|(place, _)| sorted.iter().position(|it| it == place));
        found.into_iter().map(|it| it.1).collect()
    } else {
        let keys = table.keys(run, &table.rows);
        if keys.is_none_or(|keys| run.is_open(&keys)) {
            return Ok(None);
        }
        let found: Vec<NodeId> = found.into_iter().map(|it| it.1).collect();
        let Some(values) = as_logged(run, &found, table.logged) else {
            return Ok(None);
        };
        values
    };
    Ok(Some(list_of(run, values)))
}
