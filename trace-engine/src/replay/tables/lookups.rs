//! Steps that look at the objects with a key.

use solver::graph::{Node, NodeId};

use super::super::run_state::RunState;
use super::contents::element;
use super::table_use::{TableChange, TableUse, Understood, as_logged, list_of};

pub(super) fn lookup(
    run: &mut RunState<'_>,
    table: &TableUse,
    key: NodeId,
) -> Understood<TableChange> {
    let found = table.places_of(run, key)?;
    Ok(found.map(|found| table.unchanged(table.list(run, &found))))
}

pub(super) fn take(
    run: &mut RunState<'_>,
    table: &TableUse,
    key: NodeId,
) -> Understood<TableChange> {
    let found = table.places_of(run, key)?;
    Ok(found.map(|found| table.without(&found, table.list(run, &found))))
}

pub(super) fn member(
    run: &mut RunState<'_>,
    table: &TableUse,
    key: NodeId,
) -> Understood<TableChange> {
    let found = table.places_of(run, key)?;
    Ok(found.map(|found| match found.as_slice() {
        [] => table.unchanged(NodeId::FALSE),
        [_, ..] => table.unchanged(NodeId::TRUE),
    }))
}

/// An element of the object with a key. Without a default it raises if there is none.
pub(super) fn lookup_element(
    run: &mut RunState<'_>,
    table: &TableUse,
    key: NodeId,
    position: NodeId,
    default: Option<NodeId>,
) -> Understood<TableChange> {
    let Some(found) = table.places_of(run, key)? else {
        return Ok(None);
    };
    if found.is_empty() {
        return Ok(default.map(|default| table.unchanged(default)));
    }
    let Some(position) = position_of(run, position) else {
        return Ok(None);
    };
    let rows = found.iter().filter_map(|place| table.rows.get(*place));
    let elements = rows.map(|row| element(run.graph(), *row, position));
    let Some(elements) = elements.collect::<Option<Vec<NodeId>>>() else {
        return Ok(None);
    };
    let value = match elements.as_slice() {
        [element] if !table.layout.is_bag() => *element,
        _ => {
            let ordered = as_logged(run, &elements, table.logged).unwrap_or(elements);
            list_of(run, ordered)
        }
    };
    Ok(Some(table.unchanged(value)))
}

/// A position in a tuple, from 0, that is the same for all inputs.
pub(super) fn position_of(run: &mut RunState<'_>, position: NodeId) -> Option<usize> {
    if let Node::Integer(position) = run.graph().node(position) {
        return usize::try_from(position.to_i64()?.checked_sub(1)?).ok();
    }
    None
}
