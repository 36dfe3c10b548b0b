//! What a step touches, from the table of steps and the arguments that the step had in the run.

use models::AccessMode;
use models::Object as Touched;
use solver::graph::{Graph, Node, NodeId};

use super::known_calls::KnownCall;
use super::objects::Shared;
use super::process_ids::process_number;
use super::run_event::Access;
use super::run_state::RunState;

/// What a step touches.
pub(super) fn accesses_of(
    run: &mut RunState<'_>,
    step: &models::Step,
    call: &KnownCall,
) -> Vec<Access> {
    let arguments = call.arguments.iter();
    let arguments: Vec<Option<NodeId>> = arguments
        .map(|argument| run.input.value(&mut run.replayed.graph, *argument))
        .collect();
    let mut accesses = Vec::new();
    for access in step.accesses {
        // Sends only read mailboxes, see `signals`, so whoever looks into one must count as writing.
        let is_mailbox = matches!(access.object, Touched::Mailbox(_));
        let writes = access.mode == AccessMode::Write || is_mailbox;
        for shared in touched(run, access.object, &arguments) {
            run.note_touched(shared);
            let object = shared.object(run.graph());
            accesses.push(Access { object, writes });
        }
    }
    accesses
}

/// The things that an entry of the table means.
fn touched(run: &mut RunState<'_>, object: Touched, arguments: &[Option<NodeId>]) -> Vec<Shared> {
    let argument = |at: usize| arguments.get(at).copied().flatten();
    match object {
        Touched::Mailbox(at) => process(run, argument(at)).map(Shared::Mailbox),
        Touched::Process(at) => process(run, argument(at)).map(Shared::Process),
        Touched::OwnSignals => run.together.as_ref().map(|it| Shared::Process(it.current)),
        Touched::Name(at) => argument(at)
            .filter(|it| is_atom(run.graph(), *it))
            .map(|it| Shared::Name(Some(it))),
        Touched::Names => Some(Shared::Name(None)),
        Touched::Processes => Some(Shared::Processes),
        Touched::Table(at) => table(run, argument(at)).map(|it| Shared::Table(it, None)),
        Touched::TableKey(at, key) => {
            table(run, argument(at)).map(|it| Shared::Table(it, argument(key)))
        }
        Touched::TableObject(at, rows) => return table_objects(run, argument(at), argument(rows)),
        // The argument is what is left of a search, which names its table.
        Touched::AnyTable => {
            let named = argument(0).and_then(|it| element(run.graph(), it, 0));
            table(run, named).map(|it| Shared::Table(it, None))
        }
        Touched::Term(at) => Some(Shared::Term(argument(at))),
        Touched::Terms => Some(Shared::Term(None)),
        Touched::Cell(array, index) => match (argument(array), argument(index)) {
            (Some(array), Some(index)) => Some(Shared::Cell(array, index)),
            (None, _) | (_, None) => None,
        },
        Touched::Variable(application, name) => {
            let names = argument(application).zip(argument(name));
            Some(Shared::Variable(names))
        }
        Touched::AnyVariable => Some(Shared::Variable(None)),
    }
    .into_iter()
    .collect()
}

/// The process of the run that a pid or a name means.
fn process(run: &mut RunState<'_>, named: Option<NodeId>) -> Option<usize> {
    let named = named?;
    let number = process_number(run.graph(), named);
    let known = run.replayed.processes.len();
    let number = number.or_else(|| run.shared()?.registered(named));
    number.filter(|number| *number < known)
}

fn is_atom(graph: &Graph, node: NodeId) -> bool {
    matches!(graph.node(node), Node::Atom(_))
}

fn table(run: &RunState<'_>, id: Option<NodeId>) -> Option<NodeId> {
    Some(run.shared()?.table_id(id?))
}

/// The keys of objects that are put into a table, or all of it.
fn table_objects(run: &RunState<'_>, id: Option<NodeId>, rows: Option<NodeId>) -> Vec<Shared> {
    let Some(table) = table(run, id) else {
        return Vec::new();
    };
    let position = run.shared().and_then(|it| it.key_position(table));
    let graph = &run.replayed.graph;
    let keys = position
        .zip(rows)
        .and_then(|(position, rows)| keys_of(graph, rows, position));
    match keys {
        Some(keys) => keys
            .into_iter()
            .map(|key| Shared::Table(table, Some(key)))
            .collect(),
        None => vec![Shared::Table(table, None)],
    }
}

/// The elements at a position of a tuple, or of a list of tuples.
fn keys_of(graph: &Graph, rows: NodeId, position: usize) -> Option<Vec<NodeId>> {
    if matches!(graph.node(rows), Node::Tuple(_)) {
        return Some(vec![element(graph, rows, position)?]);
    }
    let (mut keys, mut rest) = (Vec::new(), rows);
    while let Node::Cons(head, tail) = graph.node(rest) {
        keys.push(element(graph, *head, position)?);
        rest = *tail;
    }
    Some(keys)
}

fn element(graph: &Graph, node: NodeId, position: usize) -> Option<NodeId> {
    if let Node::Tuple(elements) = graph.node(node) {
        return elements.get(position).copied();
    }
    None
}
