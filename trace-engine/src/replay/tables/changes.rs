//! Steps that put objects into tables, change or remove them.

use solver::graph::{Condition, Node, NodeId};

use super::super::run_state::RunState;
use super::contents::{element, objects_in};
use super::lookups::position_of;
use super::table_use::{TableChange, TableUse, Understood};

pub(super) fn insert(
    run: &mut RunState<'_>,
    table: &TableUse,
    objects: NodeId,
) -> Understood<TableChange> {
    let Some(objects) = objects_in(run.graph(), objects) else {
        return Ok(None);
    };
    let mut change = table.unchanged(NodeId::TRUE);
    for object in objects {
        let Some(rows) = with_object(run, table, change.rows, object)? else {
            return Ok(None);
        };
        change.rows = rows;
    }
    Ok(Some(change))
}

/// The rows with one more object.
pub(super) fn with_object(
    run: &mut RunState<'_>,
    table: &TableUse,
    mut rows: Vec<NodeId>,
    object: NodeId,
) -> Understood<Vec<NodeId>> {
    let Some(key) = table.layout.key_of(run.graph(), object) else {
        return Ok(None);
    };
    if table.layout.keeps_all() {
        rows.push(object);
    } else if table.layout.is_bag() {
        match find_object(run, table, &rows, object)? {
            Some(Some(_)) => {}
            Some(None) => rows.push(object),
            None => return Ok(None),
        }
    } else {
        match table.find(run, &rows, key)? {
            Some(Some(place)) => {
                if let Some(old) = rows.get_mut(place) {
                    *old = object;
                }
            }
            Some(None) => rows.push(object),
            None => return Ok(None),
        }
    }
    Ok(Some(rows))
}

/// Decides which row is an object, if one is.
fn find_object(
    run: &mut RunState<'_>,
    table: &TableUse,
    rows: &[NodeId],
    object: NodeId,
) -> Understood<Option<usize>> {
    let graph = run.graph();
    let mut ways: Vec<Condition> = rows.iter().map(|row| graph.equal(*row, object)).collect();
    ways.push(Condition::TRUE);
    let taken = run.choose(table.at, &ways)?;
    Ok(taken.map(|taken| Some(taken).filter(|it| *it < rows.len())))
}

pub(super) fn insert_new(
    run: &mut RunState<'_>,
    table: &TableUse,
    given: NodeId,
) -> Understood<TableChange> {
    let Some(objects) = objects_in(run.graph(), given) else {
        return Ok(None);
    };
    for object in objects {
        let Some(key) = table.layout.key_of(run.graph(), object) else {
            return Ok(None);
        };
        match table.places_of(run, key)?.as_deref() {
            Some([]) => {}
            Some([_, ..]) => return Ok(Some(table.unchanged(NodeId::FALSE))),
            None => return Ok(None),
        }
    }
    insert(run, table, given)
}

pub(super) fn delete(
    run: &mut RunState<'_>,
    table: &TableUse,
    key: NodeId,
) -> Understood<TableChange> {
    let found = table.places_of(run, key)?;
    Ok(found.map(|found| table.without(&found, NodeId::TRUE)))
}

pub(super) fn delete_object(
    run: &mut RunState<'_>,
    table: &TableUse,
    object: NodeId,
) -> Understood<TableChange> {
    let is_object = |run: &mut RunState<'_>, place: usize| {
        let row = table.rows.get(place);
        row.map_or(Condition::FALSE, |row| run.graph().equal(*row, object))
    };
    let places = (0..table.rows.len()).collect();
    let found = table.places_where(run, places, is_object)?;
    Ok(found.map(|found| table.without(&found, NodeId::TRUE)))
}

/// Changes elements of the object with a key: `{Position, Value}`, or a list of these.
pub(super) fn update_element(
    run: &mut RunState<'_>,
    table: &TableUse,
    key: NodeId,
    updates: NodeId,
) -> Understood<TableChange> {
    let Some(found) = table.find(run, &table.rows, key)? else {
        return Ok(None);
    };
    let Some(place) = found else {
        return Ok(Some(table.unchanged(NodeId::FALSE)));
    };
    let Some(updates) = objects_in(run.graph(), updates) else {
        return Ok(None);
    };
    let Some(mut row) = table.rows.get(place).copied() else {
        return Ok(None);
    };
    for update in updates {
        let pair = [0, 1].map(|it| element(run.graph(), update, it));
        let [Some(position), Some(value)] = pair else {
            return Ok(None);
        };
        match replaced(run, table, row, (position, value)) {
            Some(changed) => row = changed,
            None => return Ok(None),
        }
    }
    Ok(Some(table.with(place, row, NodeId::TRUE)))
}

/// A row with another element; `None` if that is its key, or if there is no such element.
pub(super) fn replaced(
    run: &mut RunState<'_>,
    table: &TableUse,
    row: NodeId,
    (position, value): (NodeId, NodeId),
) -> Option<NodeId> {
    let position = position_of(run, position)?;
    let graph = run.graph();
    let Node::Tuple(elements) = graph.node(row) else {
        return None;
    };
    let mut elements = elements.clone();
    *elements.get_mut(position)? = value;
    let is_key = position == table.layout.key_position;
    (!is_key).then(|| graph.tuple_of(elements))
}
