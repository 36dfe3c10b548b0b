//! Steps that use tables.

use models::Object as Touched;
use models::{AccessMode, Step};
use solver::graph::{Node, NodeId};

use super::super::known_calls::KnownCall;
use super::super::replayed::{Misfit, ProgramSite};
use super::super::run_state::RunState;
use super::changes::{delete, delete_object, insert, insert_new, update_element};
use super::contents::KnownTable;
use super::counting::{counter_raises, update_counter};
use super::key_order::{End, key_at_end, next_key};
use super::lookups::{lookup, lookup_element, member, take};
use super::selections::{Selected, all_objects, match_delete, matching, select, select_true};
use super::table_use::{TableChange, TableUse, Understood};

/// Functions that have nothing to do with what is in a table.
const NOT_ABOUT_CONTENTS: &[&str] = &["give_away", "setopts", "whereis"];
/// What `ets:info/2` tells that never changes.
const FIXED_FACTS: &[&str] = &["keypos", "name", "named_table", "protection", "type"];

/// A step of `ets` returned. Returns its value.
pub(in super::super) fn table_step(
    run: &mut RunState<'_>,
    at: ProgramSite,
    (step, call): (&Step, &KnownCall),
    logged: NodeId,
) -> Result<NodeId, Misfit> {
    if (step.name, step.arity) == ("new", 2) {
        make_table(run, at, call, logged);
        return Ok(logged);
    }
    if step.name == "whereis" && is_known_name(run, call) {
        return Ok(logged);
    }
    let table = table_of(run, at, (step, call), logged);
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
    let owner = run.together.as_ref().map_or(0, |it| it.current);
    let graph = &mut run.replayed.graph;
    if let Some(options) = options.and_then(|options| run.input.value(graph, options)) {
        let table = KnownTable::new(graph, id, options, owner);
        run.shared.add_table(table);
    }
}

/// Whether the first argument names a table that followed code made.
fn is_known_name(run: &RunState<'_>, call: &KnownCall) -> bool {
    let name = call.arguments.first();
    name.is_some_and(|name| run.shared.table(*name).is_some())
}

/// The table whose contents a step uses, if they are known.
fn table_of(
    run: &RunState<'_>,
    at: ProgramSite,
    (step, call): (&Step, &KnownCall),
    logged: NodeId,
) -> Option<TableUse> {
    if NOT_ABOUT_CONTENTS.contains(&step.name) {
        return None;
    }
    let position = step
        .accesses
        .iter()
        .find_map(|it| table_position(it.object));
    let table = run.shared.table(*call.arguments.get(position?)?)?;
    Some(TableUse {
        at,
        id: table.id,
        layout: table.layout,
        rows: table.rows()?.to_vec(),
        logged,
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
        | Touched::Signals(_)
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
    if let Some(table) = run.shared.table_mut(id) {
        table.set_rows(rows);
    }
}

/// A step that is not understood: what it is given, and what is in the table, counts as opaque. What
/// is in the table after it is not known. Where there is one process, all such steps count, because
/// what they return may differ from run to run.
fn note_not_understood(
    run: &mut RunState<'_>,
    at: ProgramSite,
    (step, call): (&Step, &KnownCall),
    table: Option<&TableUse>,
) {
    let rows = table.into_iter().flat_map(|table| &table.rows);
    let given: Vec<NodeId> = call.arguments.iter().chain(rows).copied().collect();
    if run.is_open(&given) || run.together.is_none() {
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
    let name = call.name.as_str();
    let given = call.arguments.get(1..).unwrap_or_default();
    match (name, given) {
        ("insert", [objects]) => insert(run, table, *objects),
        ("insert_new", [objects]) => insert_new(run, table, *objects),
        ("delete", []) | ("delete_all_objects", []) => Ok(Some(emptied())),
        ("delete", [key]) => delete(run, table, *key),
        ("delete_object", [object]) => delete_object(run, table, *object),
        ("update_element", [key, updates]) => update_element(run, table, *key, *updates),
        ("update_counter", [key, updates]) => update_counter(run, table, (*key, *updates), None),
        ("update_counter", [key, updates, default]) => {
            update_counter(run, table, (*key, *updates), Some(*default))
        }
        ("match_delete", [pattern]) => match_delete(run, table, *pattern),
        ("select_delete", [specification]) => {
            let found = select_true(run, table, *specification)?;
            Ok(found.map(|(count, places)| table.without(&places, count)))
        }
        ("safe_fixtable", [_]) => Ok(Some(table.unchanged(NodeId::TRUE))),
        _ => look(run, table, (name, given)),
    }
}

/// The same for steps that change nothing.
fn look(
    run: &mut RunState<'_>,
    table: &TableUse,
    (name, given): (&str, &[NodeId]),
) -> Understood<TableChange> {
    match (name, given) {
        ("lookup", [key]) => lookup(run, table, *key),
        ("take", [key]) => take(run, table, *key),
        ("member", [key]) => member(run, table, *key),
        ("lookup_element", [key, position]) => lookup_element(run, table, *key, *position, None),
        ("lookup_element", [key, position, default]) => {
            lookup_element(run, table, *key, *position, Some(*default))
        }
        ("first", []) => key_at_end(run, table, End::First),
        ("last", []) => key_at_end(run, table, End::Last),
        ("next", [key]) => next_key(run, table, *key, End::First),
        ("prev", [key]) => next_key(run, table, *key, End::Last),
        ("tab2list", []) => all_objects(run, table),
        ("info", [item]) => Ok(fact(run, table, *item)),
        ("match", [pattern]) => matching(run, table, *pattern, Selected::Variables),
        ("match_object", [pattern]) => matching(run, table, *pattern, Selected::Objects),
        ("select", [specification]) => select(run, table, *specification),
        ("select_count", [specification]) => {
            let found = select_true(run, table, *specification)?;
            Ok(found.map(|(count, _)| table.unchanged(count)))
        }
        _ => Ok(None),
    }
}

fn emptied() -> TableChange {
    TableChange {
        value: NodeId::TRUE,
        rows: Vec::new(),
    }
}

/// What `ets:info/2` tells.
fn fact(run: &mut RunState<'_>, table: &TableUse, item: NodeId) -> Option<TableChange> {
    let graph = run.graph();
    let Node::Atom(item) = graph.node(item) else {
        return None;
    };
    if FIXED_FACTS.contains(&item.as_str()) {
        return Some(table.unchanged(table.logged));
    }
    if item.as_str() == "size" {
        let size = i64::try_from(table.rows.len()).ok()?;
        return Some(table.unchanged(graph.integer(size)));
    }
    None
}

/// Decides why a step of `ets` raised. Returns whether that is understood.
pub(in super::super) fn table_raising_is_understood(
    run: &mut RunState<'_>,
    at: ProgramSite,
    (step, call): (&Step, &KnownCall),
) -> Result<bool, Misfit> {
    let is_new = (step.name, step.arity) == ("new", 2);
    if is_new {
        return Ok(is_known_name(run, call) && !run.is_open(&call.arguments));
    }
    let Some(table) = table_of(run, at, (step, call), NodeId::NIL) else {
        return Ok(false);
    };
    match (step.name, call.arguments.as_slice()) {
        ("lookup_element", [_, key, _]) => {
            let found = table.places_of(run, *key)?;
            Ok(found.is_some_and(|it| it.is_empty()))
        }
        ("update_counter", [_, key, updates]) => counter_raises(run, &table, *key, *updates),
        _ => Ok(false),
    }
}
