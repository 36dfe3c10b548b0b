//! `update_counter`: integers in the objects of tables that grow or shrink.

use solver::graph::{Condition, Kinds, Node, NodeId, Operator};

use super::super::replayed::Misfit;
use super::super::run_state::RunState;
use super::changes::{replaced, with_object};
use super::contents::element;
use super::lookups::position_of;
use super::table_use::{TableChange, TableUse, Understood, list_of};

/// One change of a counter.
struct Change {
    position: NodeId,
    more: NodeId,
    /// The largest value (the smallest, for a change that is negative), and what comes behind it.
    turn: Option<(NodeId, NodeId)>,
}

/// Changes counters of the object with a key, or of a copy of the default if there is none.
pub(super) fn update_counter(
    run: &mut RunState<'_>,
    table: &TableUse,
    (key, updates): (NodeId, NodeId),
    default: Option<NodeId>,
) -> Understood<TableChange> {
    let (Some(found), Some((changes, is_list))) = (
        table.find(run, &table.rows, key)?,
        changes_in(run, table, updates),
    ) else {
        return Ok(None);
    };
    let row = match found {
        Some(place) => table.rows.get(place).copied(),
        None => default.and_then(|default| with_key(run, table, default, key)),
    };
    let Some(mut row) = row else {
        return Ok(None);
    };
    let mut results = Vec::new();
    for change in changes {
        let Some((changed, result)) = counted(run, table, row, &change)? else {
            return Ok(None);
        };
        row = changed;
        results.push(result);
    }
    let value = match results.as_slice() {
        [result] if !is_list => *result,
        _ => list_of(run, results),
    };
    if let Some(place) = found {
        return Ok(Some(table.with(place, row, value)));
    }
    let rows = with_object(run, table, table.rows.clone(), row)?;
    Ok(rows.map(|rows| TableChange { value, rows }))
}

/// The changes, and whether they are in a list.
fn changes_in(
    run: &mut RunState<'_>,
    table: &TableUse,
    updates: NodeId,
) -> Option<(Vec<Change>, bool)> {
    let mut rest = updates;
    let mut changes = Vec::new();
    while let Node::Cons(update, tail) = *run.graph().node(rest) {
        changes.push(change_in(run, table, update)?);
        rest = tail;
    }
    if rest == NodeId::NIL {
        return Some((changes, true));
    }
    let change = change_in(run, table, updates).filter(|_| changes.is_empty())?;
    Some((vec![change], false))
}

fn change_in(run: &mut RunState<'_>, table: &TableUse, update: NodeId) -> Option<Change> {
    let graph = run.graph();
    let Node::Tuple(parts) = graph.node(update) else {
        let behind_key = i64::try_from(table.layout.key_position + 2).ok()?;
        return Some(Change {
            position: graph.integer(behind_key),
            more: update,
            turn: None,
        });
    };
    match *parts.as_slice() {
        [position, more] => Some(Change {
            position,
            more,
            turn: None,
        }),
        [position, more, most, behind] => Some(Change {
            position,
            more,
            turn: Some((most, behind)),
        }),
        _ => None,
    }
}

/// A row with a counter that has changed, and the counter. It raises unless all are integers.
fn counted(
    run: &mut RunState<'_>,
    table: &TableUse,
    row: NodeId,
    change: &Change,
) -> Understood<(NodeId, NodeId)> {
    let position = position_of(run, change.position);
    let old = position.and_then(|position| element(run.graph(), row, position));
    let Some(old) = old else {
        return Ok(None);
    };
    let are_integers = are_integers(run, old, change);
    run.decide(table.at, &[are_integers, Condition::TRUE], 0)?;
    let mut new = run.graph().arithmetic(Operator::Add, old, change.more);
    if let Some((most, behind)) = change.turn {
        let graph = run.graph();
        let zero = graph.integer(0);
        let falls = graph.less(change.more, zero);
        let is_too_small = graph.less(new, most);
        let is_too_large = graph.less(most, new);
        let turns = graph.either(falls, is_too_small, is_too_large);
        match run.choose(table.at, &[turns, Condition::TRUE])? {
            Some(0) => new = behind,
            Some(_) => {}
            None => return Ok(None),
        }
    }
    let row = replaced(run, table, row, (change.position, new));
    Ok(row.map(|row| (row, new)))
}

fn are_integers(run: &mut RunState<'_>, old: NodeId, change: &Change) -> Condition {
    let graph = run.graph();
    let mut numbers = vec![old, change.more];
    numbers.extend(change.turn.iter().flat_map(|it| [it.0, it.1]));
    let conditions = numbers.into_iter();
    let conditions: Vec<Condition> = conditions
        .map(|it| graph.kind(Kinds::INTEGER, it))
        .collect();
    graph.all(conditions)
}

/// Decides why one change raised: there is no such object, or something is no integer. Returns
/// whether that is understood.
pub(super) fn counter_raises(
    run: &mut RunState<'_>,
    table: &TableUse,
    key: NodeId,
    update: NodeId,
) -> Result<bool, Misfit> {
    let place = match table.find(run, &table.rows, key)? {
        Some(Some(place)) => place,
        Some(None) => return Ok(true),
        None => return Ok(false),
    };
    let row = table.rows.get(place).copied();
    let (Some(row), Some(change)) = (row, change_in(run, table, update)) else {
        return Ok(false);
    };
    let position = position_of(run, change.position);
    let old = position.and_then(|position| element(run.graph(), row, position));
    let Some(old) = old else {
        return Ok(false);
    };
    let are_integers = are_integers(run, old, &change);
    let taken = run.choose(table.at, &[are_integers, Condition::TRUE])?;
    Ok(taken == Some(1))
}

/// An object with another key.
fn with_key(
    run: &mut RunState<'_>,
    table: &TableUse,
    object: NodeId,
    key: NodeId,
) -> Option<NodeId> {
    let graph = run.graph();
    let Node::Tuple(elements) = graph.node(object) else {
        return None;
    };
    let mut elements = elements.clone();
    *elements.get_mut(table.layout.key_position)? = key;
    Some(graph.tuple_of(elements))
}
