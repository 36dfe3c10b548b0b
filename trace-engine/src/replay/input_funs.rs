//! Calls of values that may be funs of the input. Whether one is a fun with this number of
//! parameters is a decision; its result is a part of the input.

use flattener::ast::deep;
use flattener::flat::{Operation, Statement};
use models::Stop;
use solver::graph::{Condition, Graph, Kinds, Node, NodeId, can_be_key, has_funs, to_term};
use trace_format::CallKind;

use super::arguments_of_calls::call_arguments;
use super::handlers::Raised;
use super::operations::is_apply;
use super::replayed::Misfit;
use super::run_state::{Nodes, RunState};
use super::stack::Stack;

const GIVEN_HANDLES: &str = "a fun of the input that is given a pid, port or reference";
const GIVEN_FUNS: &str = "a fun of the input that is given funs: it could call them";

/// What a call of a value did.
#[derive(Clone, Debug)]
pub(super) enum Called {
    /// It called a fun of the program or of a library, with these arguments.
    Known(Nodes),
    /// A fun of the input returned.
    Returned(NodeId),
    /// The value was not a fun, or one with another number of parameters.
    Raised(Raised),
}

/// Why arguments cannot be in a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NoKey {
    /// A pid, port or reference of the program is among them, or a fun of which nobody knows how many
    /// parameters it has.
    Impossible,
    /// Nobody can tell.
    Open,
}

/// A value was called. `None` if there may be more to it: another input calls another function, or
/// nothing is known about the value.
pub(super) fn apply_value<'run>(
    run: &mut RunState<'run>,
    stack: &mut Stack<'run>,
    statement: &'run Statement,
) -> Result<Option<Called>, Misfit> {
    if stack.call_kind(statement) != Some(CallKind::Computed) {
        return Ok(None);
    }
    let (Some(fun), arguments) = call_arguments(run, stack, statement)? else {
        return Ok(None);
    };
    if run.graph().is_unknown(fun) && !matches!(run.graph().node(fun), Node::Closure(_)) {
        return Ok(None);
    }
    let arguments = match all_arguments(run, stack, statement, arguments)? {
        Ok(arguments) => arguments,
        Err(called) => return Ok(called),
    };
    let count = u32::try_from(arguments.len()).unwrap_or(u32::MAX);
    let graph = run.graph();
    let ways = [
        graph.fun_arity(count, fun),
        graph.kind(Kinds::FUN, fun),
        Condition::TRUE,
    ];
    Ok(match run.choose(stack.at(statement), &ways)? {
        Some(0) => returned(run, fun, arguments),
        Some(taken) => {
            let raised = wrong_call(run.graph(), fun, &arguments, taken == 1);
            Some(Called::Raised(raised))
        }
        None => None,
    })
}

/// The arguments of a call, also if `apply/2` got them in a list whose end is not known.
fn all_arguments<'run>(
    run: &mut RunState<'run>,
    stack: &mut Stack<'run>,
    statement: &'run Statement,
    known: Nodes,
) -> Result<Result<Nodes, Option<Called>>, Misfit> {
    let Operation::Call {
        module,
        name,
        arguments,
    } = &statement.operation
    else {
        return Ok(Ok(known));
    };
    if !is_apply(module, name) {
        return Ok(Ok(known));
    }
    let &[_, list] = stack.values(run, arguments).as_slice() else {
        return Ok(Err(None));
    };
    let mut walk = run.walk();
    let walked = walk.elements(list);
    let choices = walk.choices;
    run.decide_all(stack.at(statement), choices)?;
    Ok(match walked {
        Ok(elements) => Ok(elements.into()),
        Err(Stop::Raises) => {
            let graph = run.graph();
            Err(Some(Called::Raised(Raised {
                class: graph.atom("error"),
                reason: graph.atom("badarg"),
            })))
        }
        Err(Stop::Error(_) | Stop::Taken(_) | Stop::Perhaps(_) | Stop::Unknown) => Err(None),
    })
}

fn returned(run: &mut RunState<'_>, fun: NodeId, arguments: Nodes) -> Option<Called> {
    let graph = &mut run.replayed.graph;
    if matches!(graph.node(fun), Node::Closure(_)) || graph.is_ground(fun) {
        return Some(Called::Known(arguments));
    }
    let value = run.input.value(graph, fun);
    if !value.is_some_and(|it| matches!(graph.node(it), Node::Table(_))) {
        return None;
    }
    let arity = graph.known_fun_arity(value?)?;
    let arguments = graph.tuple(arguments);
    let result = match table_key(graph, arguments, fun, arity) {
        Ok(key) => {
            note_if_it_could_do_more(run, fun, arguments, key);
            run.graph().result(key, fun)
        }
        Err(NoKey::Impossible) => {
            run.note_opaque_anywhere(GIVEN_HANDLES);
            run.graph().default_result(fun)
        }
        Err(NoKey::Open) => return None,
    };
    Some(Called::Returned(result))
}

/// Notes if a fun that is no table could do more with these arguments: call funs of the program, or
/// tell two funs apart that are the same to a table.
fn note_if_it_could_do_more(run: &mut RunState<'_>, fun: NodeId, arguments: NodeId, key: NodeId) {
    let graph = &mut run.replayed.graph;
    let value = run.input.value(graph, arguments);
    if !has_funs(graph, arguments) && !value.is_some_and(|it| has_funs(graph, it)) {
        return;
    }
    let known = value.map(|it| graph.table_key(it));
    let first = *run.given_funs.entry((fun, key)).or_insert(arguments);
    if first != arguments
        || known.is_none_or(|it| !can_be_key(graph, it))
        || value.is_some_and(|it| has_funs_of_program(graph, it))
    {
        run.note_opaque_anywhere(GIVEN_FUNS);
    }
}

/// Whether a constant contains a fun that is no table.
fn has_funs_of_program(graph: &Graph, constant: NodeId) -> bool {
    let node = graph.node(constant);
    if let Node::Cons(..) | Node::Tuple(_) | Node::Map(_) = node {
        let mut parts = node.operands().into_iter();
        return parts.any(|it| deep(|| has_funs_of_program(graph, it)));
    }
    matches!(node, Node::Closure(_) | Node::Other(Kinds::FUN, _))
}

/// Arguments as the table of a fun with this many parameters knows them.
fn table_key(graph: &mut Graph, node: NodeId, fun: NodeId, arity: u32) -> Result<NodeId, NoKey> {
    if node == fun {
        return Ok(graph.any_fun(arity));
    }
    if let Some(arity) = graph.known_fun_arity(node) {
        return Ok(graph.any_fun(arity));
    }
    if let Node::Cons(head, tail) = *graph.node(node) {
        let head = deep(|| table_key(graph, head, fun, arity))?;
        let tail = deep(|| table_key(graph, tail, fun, arity))?;
        return Ok(graph.cons(head, tail));
    }
    if let Node::Tuple(elements) = graph.node(node) {
        let elements = elements.clone();
        let keys = elements
            .iter()
            .map(|it| deep(|| table_key(graph, *it, fun, arity)));
        let keys = keys.collect::<Result<Vec<NodeId>, NoKey>>()?;
        return Ok(graph.tuple(keys));
    }
    if graph.is_unknown(node) {
        return Err(NoKey::Open);
    }
    if let Node::Choice(..) = graph.node(node) {
        let leaves = graph.leaves(node);
        let mut keys = leaves
            .into_iter()
            .map(|it| (it, deep(|| table_key(graph, it, fun, arity))));
        let are_keys = keys.all(|(leaf, key)| key == Ok(leaf));
        return if are_keys { Ok(node) } else { Err(NoKey::Open) };
    }
    if let Node::Other(kinds, _) = graph.node(node)
        && (kinds.is_within(Kinds::FOREIGN) || to_term(graph, node).is_none())
    {
        return Err(NoKey::Impossible);
    }
    Ok(node)
}

/// The exception of a call of something that is not a fun, or one of another arity.
fn wrong_call(graph: &mut Graph, fun: NodeId, arguments: &[NodeId], is_fun: bool) -> Raised {
    let reason = if is_fun {
        let list = arguments.iter().rev();
        let list = list.fold(NodeId::NIL, |tail, head| graph.cons(*head, tail));
        let call = graph.tuple([fun, list]);
        [graph.atom("badarity"), call]
    } else {
        [graph.atom("badfun"), fun]
    };
    Raised {
        class: graph.atom("error"),
        reason: graph.tuple(reason),
    }
}
