//! Calls of values that may be funs of the input. Whether one is a fun with this number of
//! parameters is a decision; its result is a part of the input.

use flattener::ast::deep;
use flattener::flat::{Operation, Statement};
use models::Stop;
use solver::graph::{Condition, Graph, Kinds, Node, NodeId, has_funs, to_term};
use trace_format::CallKind;

use super::arguments_of_calls::call_arguments;
use super::handlers::Raised;
use super::operations::is_apply;
use super::replayed::Misfit;
use super::run_state::{Nodes, RunState};
use super::stack::Stack;

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

/// Whether arguments can be in a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TableKey {
    /// They can.
    Possible,
    /// They cannot: a fun, pid, port or reference of the program is among them.
    Impossible,
    /// Nobody can tell.
    Open,
}

impl TableKey {
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Open, _) | (_, Self::Open) => Self::Open,
            (Self::Impossible, _) | (_, Self::Impossible) => Self::Impossible,
            (Self::Possible, Self::Possible) => Self::Possible,
        }
    }
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
    let arguments = graph.tuple(arguments);
    let key = table_key(graph, arguments, fun);
    if key == TableKey::Open {
        return None;
    }
    let value = run.input.value(graph, arguments);
    let has_funs = value.is_some_and(|it| has_funs(graph, it));
    if has_funs || key == TableKey::Impossible {
        // It could tell them apart.
        run.note_opaque_anywhere("a fun of the input that is given a fun, pid, port or reference");
    }
    let graph = run.graph();
    let result = if key == TableKey::Possible {
        graph.result(arguments, fun)
    } else {
        graph.default_result(fun)
    };
    Some(Called::Returned(result))
}

/// Whether arguments can be in the table of a fun.
fn table_key(graph: &Graph, node: NodeId, fun: NodeId) -> TableKey {
    if node == fun || matches!(graph.node(node), Node::Closure(_)) {
        return TableKey::Impossible;
    }
    if graph.is_unknown(node) {
        return TableKey::Open;
    }
    match graph.node(node) {
        Node::Cons(..) | Node::Tuple(_) => {
            let inner = graph.node(node).operands().into_iter();
            let inner = inner.map(|it| deep(|| table_key(graph, it, fun)));
            inner.fold(TableKey::Possible, TableKey::and)
        }
        Node::Choice(..) => {
            let mut leaves = graph.leaves(node).into_iter();
            if leaves.all(|it| deep(|| table_key(graph, it, fun)) == TableKey::Possible) {
                TableKey::Possible
            } else {
                TableKey::Open
            }
        }
        Node::Other(kinds, _)
            if kinds.is_within(Kinds::FOREIGN) || to_term(graph, node).is_none() =>
        {
            TableKey::Impossible
        }
        Node::Input(_)
        | Node::Part(..)
        | Node::Integer(_)
        | Node::Float(_)
        | Node::Atom(_)
        | Node::Nil
        | Node::Other(..)
        | Node::Map(_)
        | Node::Put(..)
        | Node::Without(..)
        | Node::Arithmetic(..)
        | Node::Rounded(..)
        | Node::Length(_)
        | Node::TupleSize(_)
        | Node::MapSize(_)
        | Node::AtomOf(_)
        | Node::Bits(_)
        | Node::FloatOf(..)
        | Node::Truth(_)
        | Node::Closure(_)
        | Node::Table(_)
        | Node::Unknown(_) => TableKey::Possible,
    }
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
