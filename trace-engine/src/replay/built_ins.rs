//! Calls of functions that have a model.

use flattener::flat::{Bound, Operation, Statement, Value};
use models::{Applied, Meaning, Primop, Stop, Walked, Walker};
use solver::graph::{Condition, NodeId};
use trace_format::CallKind;

use super::callee::has_one_callee;
use super::known_calls::known_call;
use super::opaque_operations::note_opaque;
use super::replayed::{Fits, Misfit};
use super::run_state::RunState;
use super::stack::Stack;

/// What a built-in does.
pub(super) enum BuiltIn {
    /// One condition says when it returns.
    Applied(Applied),
    /// It walked through its arguments.
    Walked(Walked),
}

/// A built-in returned.
pub(super) fn built_in<'run>(
    run: &mut RunState<'run>,
    stack: &mut Stack<'run>,
    statement: &'run Statement,
) -> Fits {
    let value = match apply_built_in(run, stack, statement)? {
        BuiltIn::Applied(Applied { returns, value }) => {
            // Most built-ins of a run always return.
            if returns != Condition::TRUE {
                run.decide(stack.at(statement), &[returns, Condition::TRUE], 0)?;
            }
            value
        }
        BuiltIn::Walked(Ok(value)) => value,
        BuiltIn::Walked(Err(Stop::Taken(value))) if is_unseen(run, stack, statement) => value,
        BuiltIn::Walked(Err(Stop::Taken(value) | Stop::Perhaps(value))) => {
            note_opaque(run, stack, statement);
            value
        }
        BuiltIn::Walked(Err(Stop::Raises | Stop::Error(_) | Stop::Unknown)) => {
            // For other arguments it may raise.
            if stack.call_kind(statement) == Some(CallKind::Builtin) {
                note_opaque(run, stack, statement);
            }
            run.graph().unknown()
        }
    };
    stack.bind(run, statement, &[value]);
    Ok(())
}

/// Whether nobody looks at what a statement binds, so that no path depends on it.
fn is_unseen(run: &RunState<'_>, stack: &Stack<'_>, statement: &Statement) -> bool {
    let Some(views) = run.views else {
        return false;
    };
    let function = (stack.frame.module, stack.frame.function);
    match &statement.bound {
        Bound::Variables(bound) => {
            let mut bound = bound.iter();
            bound.all(|it| views.view(function, *it).is_nothing())
        }
        Bound::Discarded => true,
    }
}

/// Applies a built-in to its arguments. The choices of a walk are noted.
pub(super) fn apply_built_in<'run>(
    run: &mut RunState<'run>,
    stack: &mut Stack<'run>,
    statement: &'run Statement,
) -> Result<BuiltIn, Misfit> {
    let Operation::Call { arguments, .. } = &statement.operation else {
        return Ok(BuiltIn::Walked(primitive(run, &statement.operation)));
    };
    let arguments = stack.values(run, arguments);
    let model = stack.frame.code.plan.model(statement.site);
    let meaning = model.map(|model| model.meaning);
    apply_meaning(run, stack, statement, meaning, &arguments)
}

/// The same for a call that the program computes: of `fun erlang:abs/1`, or by a name in a variable.
/// `None` if it calls something else than a built-in, or if the input says what it calls.
pub(super) fn apply_computed_built_in<'run>(
    run: &mut RunState<'run>,
    stack: &mut Stack<'run>,
    statement: &'run Statement,
) -> Result<Option<BuiltIn>, Misfit> {
    if stack.call_kind(statement) != Some(CallKind::Computed)
        || !has_one_callee(run, stack, statement)?
    {
        return Ok(None);
    }
    let Some(call) = known_call(run, stack, statement)? else {
        return Ok(None);
    };
    let arity = u32::try_from(call.arguments.len()).unwrap_or(u32::MAX);
    let model = models::find(call.module.as_str(), call.name.as_str(), arity);
    match model.map(|model| model.meaning) {
        meaning @ Some(Meaning::Rule(..) | Meaning::Walk(_)) => {
            apply_meaning(run, stack, statement, meaning, &call.arguments).map(Some)
        }
        Some(Meaning::GuardRule(_) | Meaning::Raise(_) | Meaning::Process(_)) | None => Ok(None),
    }
}

/// What such a call returned; `None` if that is not understood.
pub(super) fn computed_built_in<'run>(
    run: &mut RunState<'run>,
    stack: &mut Stack<'run>,
    statement: &'run Statement,
) -> Result<Option<NodeId>, Misfit> {
    Ok(match apply_computed_built_in(run, stack, statement)? {
        Some(BuiltIn::Applied(Applied { returns, value })) => {
            if returns != Condition::TRUE {
                run.decide(stack.at(statement), &[returns, Condition::TRUE], 0)?;
            }
            Some(value)
        }
        Some(BuiltIn::Walked(Ok(value))) => Some(value),
        Some(BuiltIn::Walked(Err(_))) | None => None,
    })
}

fn apply_meaning<'run>(
    run: &mut RunState<'run>,
    stack: &Stack<'run>,
    statement: &'run Statement,
    meaning: Option<Meaning>,
    arguments: &[NodeId],
) -> Result<BuiltIn, Misfit> {
    let walker = match meaning {
        Some(Meaning::Rule(rule, walker)) => {
            if let Some(applied) = rule.apply(run.graph(), arguments) {
                return Ok(BuiltIn::Applied(applied));
            }
            walker
        }
        Some(Meaning::Walk(walker)) => Some(walker),
        Some(Meaning::GuardRule(_) | Meaning::Raise(_) | Meaning::Process(_)) | None => None,
    };
    let walked = match walker {
        Some(walker) => walk(run, stack, statement, walker, arguments)?,
        None => Err(Stop::Unknown),
    };
    Ok(BuiltIn::Walked(walked))
}

fn walk<'run>(
    run: &mut RunState<'run>,
    stack: &Stack<'run>,
    statement: &'run Statement,
    walker: Walker,
    arguments: &[NodeId],
) -> Result<Walked, Misfit> {
    let program = run.program;
    let known_atoms = || program.matched_atoms();
    let mut walk = run.walk().with_atoms(&known_atoms);
    let walked = walker.walk(&mut walk, arguments);
    let choices = walk.choices;
    run.decide_all(stack.at(statement), choices)?;
    Ok(walked)
}

/// What a primitive operation returns.
fn primitive(run: &mut RunState<'_>, operation: &Operation) -> Walked {
    let Operation::Primop { name, .. } = operation else {
        return Err(Stop::Unknown);
    };
    match models::primop(name.as_str()) {
        Some(Primop::EmptyBinary) => Ok(run.graph().constant(&erlang_term::Term::binary([]))),
        // Nobody uses its value.
        Some(Primop::Mark) => Ok(run.graph().atom("ok")),
        Some(
            Primop::Raise(_)
            | Primop::StackTrace
            | Primop::PeekMessage
            | Primop::TakeMessage
            | Primop::NextMessage
            | Primop::WaitForMessage,
        )
        | None => Err(Stop::Unknown),
    }
}

/// The arguments of an operation that calls something.
pub(super) fn call_operands(operation: &Operation) -> Option<&[Value]> {
    match operation {
        Operation::Apply { arguments, .. }
        | Operation::Call { arguments, .. }
        | Operation::Primop { arguments, .. } => Some(arguments),
        Operation::Values(_)
        | Operation::Fun(_)
        | Operation::Letrec { .. }
        | Operation::Map { .. }
        | Operation::Binary(_)
        | Operation::Case { .. }
        | Operation::Try { .. }
        | Operation::Catch(_)
        | Operation::Receive { .. } => None,
    }
}
