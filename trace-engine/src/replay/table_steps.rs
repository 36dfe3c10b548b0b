//! Steps that use tables. What is in a table that followed code made stays symbolic, as far as it is
//! known; whether a key is there is a decision if it depends on the input.

use flattener::flat::Statement;
use models::Object as Touched;
use models::{AccessMode, Step};
use solver::graph::{Condition, Kinds, Node, NodeId, Operator};
use trace_format::Payload;

use super::known_calls::KnownCall;
use super::known_tables::{KnownTable, TableLayout, element, objects_in};
use super::objects::in_fixed_order;
use super::replayed::{Misfit, ProgramSite};
use super::run_state::RunState;
use super::stack::Stack;

/// Functions that have nothing to do with what is in a table.
const NOT_ABOUT_CONTENTS: &[&str] = &["give_away", "setopts", "whereis"];

/// The table of a step, while the step is replayed.
struct TableUse {
    at: ProgramSite,
    id: NodeId,
    layout: TableLayout,
    rows: Vec<NodeId>,
}

/// What a step does to a table.
struct TableChange {
    /// What it returns.
    value: NodeId,
    /// What is in the table then.
    rows: Vec<NodeId>,
}

/// Whether a step can be understood.
type Understood<T> = Result<Option<T>, Misfit>;

/// A step of `ets` returned. Returns its value.
pub(super) fn table_step<'run>(
    run: &mut RunState<'run>,
    stack: &mut Stack<'run>,
    statement: &'run Statement,
    (step, call): (&Step, &KnownCall),
    payload: &Payload,
) -> Result<NodeId, Misfit> {
    let at = stack.at(statement);
    let logged = run.constant(payload);
    if (step.name, step.arity) == ("new", 2) {
        make_table(run, at, call, logged);
        return Ok(logged);
    }
    let table = table_of(run, at, (step, call));
    let changed = match &table {
        Some(table) => change(run, table, call)?,
        None => None,
    };
    if let (Some(table), Some(changed)) = (&table, changed)
        && run.is_as_logged(changed.value, logged)
    {
        set_rows(run, table.id, Some(changed.rows));
        return Ok(changed.value);
    }
    note_not_understood(run, at, (step, call), table.as_ref());
    Ok(logged)
}

fn make_table(run: &mut RunState<'_>, at: ProgramSite, call: &KnownCall, id: NodeId) {
    if run.is_open(&call.arguments) {
        run.note_opaque(at, call.text(), &call.arguments);
    }
    let options = call.arguments.get(1).copied();
    let graph = &mut run.replayed.graph;
    let options = options.and_then(|options| run.input.value(graph, options));
    if let (Some(options), Some(together)) = (options, &mut run.together) {
        let table = KnownTable::new(graph, id, options, together.current);
        together.shared.add_table(table);
    }
}

/// The table whose contents a step uses, if they are known.
fn table_of(
    run: &RunState<'_>,
    at: ProgramSite,
    (step, call): (&Step, &KnownCall),
) -> Option<TableUse> {
    if NOT_ABOUT_CONTENTS.contains(&step.name) {
        return None;
    }
    let position = step
        .accesses
        .iter()
        .find_map(|it| table_position(it.object));
    let table = run.shared()?.table(*call.arguments.get(position?)?)?;
    Some(TableUse {
        at,
        id: table.id,
        layout: table.layout,
        rows: table.rows()?.to_vec(),
    })
}

/// Which argument names a table that a step touches.
fn table_position(object: Touched) -> Option<usize> {
    match object {
        Touched::Table(at) | Touched::TableKey(at, _) | Touched::TableObject(at, _) => Some(at),
        Touched::Mailbox(_)
        | Touched::Name(_)
        | Touched::Names
        | Touched::Process(_)
        | Touched::Processes
        | Touched::OwnSignals
        | Touched::AnyTable
        | Touched::Term(_)
        | Touched::Terms
        | Touched::Cell(..)
        | Touched::Variable(..)
        | Touched::AnyVariable => None,
    }
}

fn set_rows(run: &mut RunState<'_>, id: NodeId, rows: Option<Vec<NodeId>>) {
    let together = run.together.as_deref_mut();
    if let Some(table) = together.and_then(|it| it.shared.table_mut(id)) {
        table.set_rows(rows);
    }
}

/// A step that is not understood: what it is given, and what is in the table, counts as opaque. What
/// is in the table after it is not known.
fn note_not_understood(
    run: &mut RunState<'_>,
    at: ProgramSite,
    (step, call): (&Step, &KnownCall),
    table: Option<&TableUse>,
) {
    let rows = table.into_iter().flat_map(|table| &table.rows);
    let given: Vec<NodeId> = call.arguments.iter().chain(rows).copied().collect();
    if run.is_open(&given) {
        run.note_opaque(at, call.text(), &given);
    }
    let writes = |access: &models::Access| access.mode == AccessMode::Write;
    if let Some(table) = table
        && step.accesses.iter().any(writes)
    {
        set_rows(run, table.id, None);
    }
}

/// What a step does; `None` if that is not understood.
fn change(run: &mut RunState<'_>, table: &TableUse, call: &KnownCall) -> Understood<TableChange> {
    let given = call.arguments.get(1..).unwrap_or_default();
    match (call.name.as_str(), given) {
        ("insert", [objects]) => insert(run, table, *objects),
        ("insert_new", [objects]) => insert_new(run, table, *objects),
        ("lookup", [key]) => lookup(run, table, *key),
        ("take", [key]) => take(run, table, *key),
        ("member", [key]) => member(run, table, *key),
        ("delete", [key]) => delete(run, table, *key),
        ("delete_all_objects", []) => Ok(Some(table.emptied())),
        ("lookup_element", [key, position]) => lookup_element(run, table, *key, *position),
        ("update_element", [key, update]) => update_element(run, table, *key, *update),
        ("update_counter", [key, update]) => update_counter(run, table, *key, *update),
        _ => Ok(None),
    }
}

impl TableUse {
    fn unchanged(&self, value: NodeId) -> TableChange {
        TableChange {
            value,
            rows: self.rows.clone(),
        }
    }

    fn emptied(&self) -> TableChange {
        TableChange {
            value: NodeId::TRUE,
            rows: Vec::new(),
        }
    }

    fn without(&self, index: usize, value: NodeId) -> TableChange {
        let mut change = self.unchanged(value);
        change.rows.remove(index);
        change
    }

    fn with(&self, index: usize, row: NodeId, value: NodeId) -> TableChange {
        let mut change = self.unchanged(value);
        if let Some(place) = change.rows.get_mut(index) {
            *place = row;
        }
        change
    }
}

/// Decides which row has a key, if one has it.
fn find(
    run: &mut RunState<'_>,
    table: &TableUse,
    rows: &[NodeId],
    key: NodeId,
) -> Understood<Option<usize>> {
    let graph = run.graph();
    let keys = rows.iter().map(|row| table.layout.key_of(graph, *row));
    let Some(keys) = keys.collect::<Option<Vec<NodeId>>>() else {
        return Ok(None);
    };
    let order = in_fixed_order(graph, &keys);
    let mut ways = Vec::with_capacity(rows.len() + 1);
    for known in order.iter().filter_map(|index| keys.get(*index)) {
        ways.push(table.layout.same_key(graph, key, *known));
    }
    ways.push(Condition::TRUE);
    let taken = run.choose(table.at, &ways)?;
    Ok(taken.map(|taken| order.get(taken).copied()))
}

/// The row with a key, if one has it.
fn row_at(run: &mut RunState<'_>, table: &TableUse, key: NodeId) -> Understood<Option<usize>> {
    find(run, table, &table.rows, key)
}

fn insert(run: &mut RunState<'_>, table: &TableUse, objects: NodeId) -> Understood<TableChange> {
    let Some(objects) = objects_in(run.graph(), objects) else {
        return Ok(None);
    };
    let mut change = table.unchanged(NodeId::TRUE);
    for object in objects {
        let Some(key) = table.layout.key_of(run.graph(), object) else {
            return Ok(None);
        };
        match find(run, table, &change.rows, key)? {
            Some(Some(index)) => {
                if let Some(place) = change.rows.get_mut(index) {
                    *place = object;
                }
            }
            Some(None) => change.rows.push(object),
            None => return Ok(None),
        }
    }
    Ok(Some(change))
}

fn insert_new(run: &mut RunState<'_>, table: &TableUse, given: NodeId) -> Understood<TableChange> {
    let Some(objects) = objects_in(run.graph(), given) else {
        return Ok(None);
    };
    for object in objects {
        let Some(key) = table.layout.key_of(run.graph(), object) else {
            return Ok(None);
        };
        match row_at(run, table, key)? {
            Some(Some(_)) => return Ok(Some(table.unchanged(NodeId::FALSE))),
            Some(None) => {}
            None => return Ok(None),
        }
    }
    insert(run, table, given)
}

fn lookup(run: &mut RunState<'_>, table: &TableUse, key: NodeId) -> Understood<TableChange> {
    let found = row_at(run, table, key)?;
    Ok(found.map(|found| {
        let row = found.and_then(|index| table.rows.get(index));
        let value = row.map_or(NodeId::NIL, |row| run.graph().cons(*row, NodeId::NIL));
        table.unchanged(value)
    }))
}

fn take(run: &mut RunState<'_>, table: &TableUse, key: NodeId) -> Understood<TableChange> {
    let found = row_at(run, table, key)?;
    Ok(found.map(|found| {
        let row = found.and_then(|index| Some((index, *table.rows.get(index)?)));
        match row {
            Some((index, row)) => table.without(index, run.graph().cons(row, NodeId::NIL)),
            None => table.unchanged(NodeId::NIL),
        }
    }))
}

fn member(run: &mut RunState<'_>, table: &TableUse, key: NodeId) -> Understood<TableChange> {
    let found = row_at(run, table, key)?;
    Ok(found.map(|found| match found {
        Some(_) => table.unchanged(NodeId::TRUE),
        None => table.unchanged(NodeId::FALSE),
    }))
}

fn delete(run: &mut RunState<'_>, table: &TableUse, key: NodeId) -> Understood<TableChange> {
    let found = row_at(run, table, key)?;
    Ok(found.map(|found| match found {
        Some(index) => table.without(index, NodeId::TRUE),
        None => table.unchanged(NodeId::TRUE),
    }))
}

fn lookup_element(
    run: &mut RunState<'_>,
    table: &TableUse,
    key: NodeId,
    position: NodeId,
) -> Understood<TableChange> {
    let Some(Some(index)) = row_at(run, table, key)? else {
        return Ok(None);
    };
    let row = table.rows.get(index).copied();
    let value = row.zip(position_of(run, position));
    let value = value.and_then(|(row, position)| element(run.graph(), row, position));
    Ok(value.map(|value| table.unchanged(value)))
}

fn update_element(
    run: &mut RunState<'_>,
    table: &TableUse,
    key: NodeId,
    update: NodeId,
) -> Understood<TableChange> {
    let Some(found) = row_at(run, table, key)? else {
        return Ok(None);
    };
    let Some(index) = found else {
        return Ok(Some(table.unchanged(NodeId::FALSE)));
    };
    let pair = [0, 1].map(|it| element(run.graph(), update, it));
    let [Some(position), Some(value)] = pair else {
        return Ok(None);
    };
    let row = replaced(run, table, index, (position, value));
    Ok(row.map(|row| table.with(index, row, NodeId::TRUE)))
}

fn update_counter(
    run: &mut RunState<'_>,
    table: &TableUse,
    key: NodeId,
    update: NodeId,
) -> Understood<TableChange> {
    let Some(Some(index)) = row_at(run, table, key)? else {
        return Ok(None);
    };
    let graph = run.graph();
    let behind_key = i64::try_from(table.layout.key_position + 2).unwrap_or(i64::MAX);
    let (position, more) = if let Node::Tuple(parts) = graph.node(update) {
        let is_pair = parts.len() == 2;
        let part = |it| element(graph, update, it).filter(|_| is_pair);
        (part(0), part(1))
    } else {
        (Some(graph.integer(behind_key)), Some(update))
    };
    let (Some(position), Some(more)) = (position, more) else {
        return Ok(None);
    };
    let old = table
        .rows
        .get(index)
        .copied()
        .zip(position_of(run, position));
    let Some(old) = old.and_then(|(row, position)| element(run.graph(), row, position)) else {
        return Ok(None);
    };
    let graph = run.graph();
    let are_integers = [old, more].map(|it| graph.kind(Kinds::INTEGER, it));
    let are_integers = graph.all(are_integers);
    let sum = graph.arithmetic(Operator::Add, old, more);
    run.decide(table.at, &[are_integers, Condition::TRUE], 0)?;
    let row = replaced(run, table, index, (position, sum));
    Ok(row.map(|row| table.with(index, row, sum)))
}

/// A row with another element; `None` if that is its key, or if there is no such element.
fn replaced(
    run: &mut RunState<'_>,
    table: &TableUse,
    index: usize,
    (position, value): (NodeId, NodeId),
) -> Option<NodeId> {
    let position = position_of(run, position)?;
    let graph = run.graph();
    let Node::Tuple(elements) = graph.node(*table.rows.get(index)?) else {
        return None;
    };
    let mut elements = elements.clone();
    *elements.get_mut(position)? = value;
    let is_key = position == table.layout.key_position;
    (!is_key).then(|| graph.tuple_of(elements))
}

/// A position in a tuple, from 0, that is the same for all inputs.
fn position_of(run: &mut RunState<'_>, position: NodeId) -> Option<usize> {
    if let Node::Integer(position) = run.graph().node(position) {
        return usize::try_from(position.to_i64()?.checked_sub(1)?).ok();
    }
    None
}
