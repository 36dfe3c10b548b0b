//! What a step touches, from the table of steps and the arguments that the step had in the run.

use models::AccessMode;
use models::Object as Touched;
use solver::graph::{Graph, Node, NodeId};

use super::known_calls::KnownCall;

use super::objects::Shared;
use super::process_ids::process_number;
use super::run_state::RunState;
use super::shared_access::Access;
use super::tables::{element, objects_in};

/// What a step touches that others can see.
pub(super) fn accesses_of(
    run: &mut RunState<'_>,
    step: &models::Step,
    call: &KnownCall,
) -> Vec<Access> {
    let mut accesses = Vec::new();
    if run.together.is_none() {
        return accesses;
    }
    for access in step.accesses {
        // Sends only read mailboxes, see `signals`, so whoever looks into one must count as writing.
        let is_mailbox = matches!(access.object, Touched::Mailbox(_));
        let writes = access.mode == AccessMode::Write || is_mailbox;
        for shared in touched(run, access.object, &call.arguments) {
            run.note_touched(shared);
            let object = shared.object(run.graph());
            accesses.push(Access { object, writes });
        }
    }
    accesses
}

/// The things that an entry of the table means.
fn touched(run: &mut RunState<'_>, object: Touched, given: &[NodeId]) -> Vec<Shared> {
    let one = match object {
        Touched::Mailbox(at) => {
            let named = value(run, given, at);
            process(run, named).map(Shared::Mailbox)
        }
        Touched::Process(at) => {
            let named = value(run, given, at);
            process(run, named).map(Shared::Process)
        }
        Touched::Signals(at) => {
            let named = value(run, given, at);
            process(run, named).map(Shared::Signals)
        }
        Touched::OwnSignals => run.together.as_ref().map(|it| Shared::Signals(it.current)),
        Touched::Name(at) => {
            let name = value(run, given, at).filter(|it| is_atom(run.graph(), *it));
            name.map(|_| Shared::Name(part(run, given, at)))
        }
        Touched::Names => Some(Shared::Name(None)),
        Touched::Processes => Some(Shared::Processes),
        Touched::Table(at) => {
            let table = value(run, given, at);
            table_id(run, table).map(|it| Shared::Table(it, None))
        }
        Touched::TableKey(at, key) => {
            let (table, key) = (value(run, given, at), part(run, given, key));
            table_id(run, table).map(|it| Shared::Table(it, key))
        }
        Touched::TableObject(at, objects) => {
            let table = value(run, given, at);
            return table_objects(run, table, given.get(objects).copied());
        }
        // The argument is what is left of a search, which names its table.
        Touched::AnyTable => {
            let search = value(run, given, 0);
            let table = search.and_then(|it| element(run.graph(), it, 0));
            table_id(run, table).map(|it| Shared::Table(it, None))
        }
        Touched::Term(at) => Some(Shared::Term(part(run, given, at))),
        Touched::Terms => Some(Shared::Term(None)),
        Touched::Cell(array, index) => {
            let index = part(run, given, index);
            value(run, given, array).map(|array| Shared::Cell(array, index))
        }
        Touched::Variable(application, name) => {
            let names = part(run, given, application).zip(part(run, given, name));
            Some(Shared::Variable(names))
        }
        Touched::AnyVariable => Some(Shared::Variable(None)),
    };
    one.into_iter().collect()
}

/// The process of the run that an argument names.
pub(super) fn reached_process(run: &mut RunState<'_>, named: Option<NodeId>) -> Option<usize> {
    let named = run.input.value(&mut run.replayed.graph, named?);
    process(run, named)
}

/// The value that an argument had in the run.
fn value(run: &mut RunState<'_>, given: &[NodeId], at: usize) -> Option<NodeId> {
    run.input.value(&mut run.replayed.graph, *given.get(at)?)
}

/// The same for the name of a part. If it depends on the input, another input means another part, so
/// it stands for all of them.
fn part(run: &mut RunState<'_>, given: &[NodeId], at: usize) -> Option<NodeId> {
    let is_symbolic = run.replayed.graph.is_symbolic(*given.get(at)?);
    value(run, given, at).filter(|_| !is_symbolic)
}

/// The process of the run that a pid or a name means.
fn process(run: &mut RunState<'_>, named: Option<NodeId>) -> Option<usize> {
    let named = named?;
    let number = process_number(run.graph(), named);
    let known = run.replayed.processes.len();
    let number = number.or_else(|| run.shared.registered(named));
    number.filter(|number| *number < known)
}

fn is_atom(graph: &Graph, node: NodeId) -> bool {
    matches!(graph.node(node), Node::Atom(_))
}

fn table_id(run: &RunState<'_>, id: Option<NodeId>) -> Option<NodeId> {
    Some(run.shared.table_id(id?))
}

/// The keys of objects that are put into a table, or all of it.
fn table_objects(run: &RunState<'_>, id: Option<NodeId>, given: Option<NodeId>) -> Vec<Shared> {
    let Some(table) = table_id(run, id) else {
        return Vec::new();
    };
    let keys = given.and_then(|given| known_keys(run, table, given));
    match keys {
        Some(keys) => keys
            .into_iter()
            .map(|key| Shared::Table(table, Some(key)))
            .collect(),
        None => vec![Shared::Table(table, None)],
    }
}

/// The keys of objects, if they are the same for all inputs.
fn known_keys(run: &RunState<'_>, table: NodeId, given: NodeId) -> Option<Vec<NodeId>> {
    let layout = run.shared.table(table)?.layout;
    let graph = &run.replayed.graph;
    let objects = objects_in(graph, given)?.into_iter();
    let keys = objects.map(|object| layout.key_of(graph, object));
    let keys = keys.map(|key| key.filter(|key| graph.is_ground(*key)));
    keys.collect()
}
