//! The exceptions of calls that raise.

use flattener::flat::{Operation, Statement};
use models::{Exception, Meaning, Primop, ProcessCall};
use solver::graph::{Condition, Graph, Node, NodeId};
use trace_format::Payload;

use super::built_ins::call_operands;
use super::handlers::Raised;
use super::logged_values::logged_value;
use super::replayed::Misfit;
use super::run_state::RunState;
use super::stack::Stack;

impl Raised {
    pub(super) fn unknown(graph: &mut Graph) -> Self {
        Self {
            class: graph.unknown(),
            reason: graph.unknown(),
        }
    }
}

/// What `erlang:raise(Class, Reason, Trace)` raises, if there is such a class; `None` for other
/// calls, and if the trace is not known.
pub(super) fn raised_by_call<'run>(
    run: &mut RunState<'run>,
    stack: &mut Stack<'run>,
    statement: &'run Statement,
) -> Result<Option<Raised>, Misfit> {
    let model = stack.frame.code.plan.model(statement.site);
    let Some(Meaning::Process(ProcessCall::Raise)) = model.map(|model| model.meaning) else {
        return Ok(None);
    };
    let arguments = call_operands(&statement.operation).unwrap_or_default();
    let &[class, reason, trace] = stack.values(run, arguments).as_slice() else {
        return Ok(None);
    };
    if run.graph().is_symbolic(trace) {
        return Ok(None);
    }
    let classes = ["error", "exit", "throw"].map(|it| run.graph().atom(it));
    let mut ways: Vec<Condition> = classes
        .iter()
        .map(|known| run.graph().equal(class, *known))
        .collect();
    ways.push(Condition::TRUE);
    let Some(taken) = run.choose(stack.at(statement), &ways)? else {
        return Ok(None);
    };
    let class = classes.get(taken).copied();
    Ok(class.map(|class| Raised { class, reason }))
}

/// Class and reason in the log.
pub(super) fn logged_exception(graph: &mut Graph, payload: &Payload) -> Raised {
    let exception = logged_value(graph, payload);
    if let Node::Tuple(parts) = graph.node(exception)
        && let [class, reason] = *parts.as_slice()
    {
        return Raised { class, reason };
    }
    Raised::unknown(graph)
}

/// The exception of a call that always raises, from its arguments.
pub(super) fn computed_exception<'run>(
    run: &mut RunState<'run>,
    stack: &mut Stack<'run>,
    statement: &'run Statement,
) -> Result<Raised, Misfit> {
    let exception = exception_of(stack, statement)?;
    let arguments = call_operands(&statement.operation).unwrap_or_default();
    let arguments = stack.values(run, arguments);
    let graph = &mut run.replayed.graph;
    let (class, reason) = match (exception, arguments.as_slice()) {
        (Exception::OfClass(class), [reason, ..]) => (graph.atom(class), *reason),
        (Exception::MatchFailure, [reason]) => (graph.atom("error"), match_failure(graph, *reason)),
        (Exception::Given, [class, reason, ..]) => (*class, *reason),
        (Exception::Again, [trace, reason]) => {
            let class = run.classes.get(trace).copied();
            (class.unwrap_or_else(|| graph.unknown()), *reason)
        }
        (
            Exception::OfClass(_)
            | Exception::MatchFailure
            | Exception::Given
            | Exception::Again
            | Exception::Unknown,
            _,
        ) => return Ok(Raised::unknown(graph)),
    };
    Ok(Raised { class, reason })
}

fn exception_of(stack: &Stack<'_>, statement: &Statement) -> Result<Exception, Misfit> {
    if let Operation::Primop { name, .. } = &statement.operation {
        return Ok(match models::primop(name.as_str()) {
            Some(Primop::Raise(exception)) => exception,
            Some(
                Primop::EmptyBinary
                | Primop::Mark
                | Primop::StackTrace
                | Primop::PeekMessage
                | Primop::TakeMessage
                | Primop::NextMessage
                | Primop::WaitForMessage,
            )
            | None => Exception::Unknown,
        });
    }
    let Operation::Call { .. } = &statement.operation else {
        return Err(Misfit("nothing raises there"));
    };
    let model = stack.frame.code.plan.model(statement.site);
    Ok(match model.map(|model| model.meaning) {
        Some(Meaning::Raise(exception)) => exception,
        Some(
            Meaning::Rule(..) | Meaning::Walk(_) | Meaning::GuardRule(_) | Meaning::Process(_),
        )
        | None => Exception::Unknown,
    })
}

/// The reason of a match that failed: the compiler writes another one than the program sees.
fn match_failure(graph: &mut Graph, reason: NodeId) -> NodeId {
    let function_clause = graph.atom("function_clause");
    if let Node::Tuple(elements) = graph.node(reason)
        && elements.first() == Some(&function_clause)
    {
        return function_clause;
    }
    reason
}
