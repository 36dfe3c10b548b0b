//! What a statement calls, as far as the code names it.

use flattener::flat::{Operation, Value};
use models::{Exception, Meaning, Primop};

/// Module, name and arity; the module of a primitive operation has no name.
pub(super) type CalledName<'code> = (&'code str, &'code str, usize);

/// The arguments of a call.
pub(super) fn arguments_of(operation: &Operation) -> &[Value] {
    match operation {
        Operation::Apply { arguments, .. }
        | Operation::Call { arguments, .. }
        | Operation::Primop { arguments, .. } => arguments,
        Operation::Values(_)
        | Operation::Map { .. }
        | Operation::Binary(_)
        | Operation::Fun(_)
        | Operation::Case { .. }
        | Operation::Letrec { .. }
        | Operation::Try { .. }
        | Operation::Catch(_)
        | Operation::Receive { .. } => &[],
    }
}

/// The callee, if the code names it.
pub(super) fn called_name(operation: &Operation) -> Option<CalledName<'_>> {
    if let Operation::Primop { name, arguments } = operation {
        return Some(("", name.as_str(), arguments.len()));
    }
    let Operation::Call {
        module,
        name,
        arguments,
    } = operation
    else {
        return None;
    };
    let module = module.as_literal()?.as_atom()?;
    Some((module, name.as_literal()?.as_atom()?, arguments.len()))
}

/// The exception of a call that always raises.
pub(super) fn raised_by(operation: &Operation) -> Exception {
    let Some((module, name, arity)) = called_name(operation) else {
        return Exception::Unknown;
    };
    if let Operation::Primop { .. } = operation {
        return match models::primop(name) {
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
        };
    }
    let arity = u32::try_from(arity).unwrap_or(u32::MAX);
    match models::find(module, name, arity).map(|model| model.meaning) {
        Some(Meaning::Raise(exception)) => exception,
        Some(
            Meaning::Rule(..) | Meaning::Walk(_) | Meaning::GuardRule(_) | Meaning::Process(_),
        )
        | None => Exception::Unknown,
    }
}

/// Whether a reason stands for `function_clause`: its arguments are not part of what is raised.
pub(super) fn is_function_clause(reason: &Value) -> bool {
    let is_name = |value: &Value| {
        let literal = value.as_literal();
        literal.and_then(|it| it.as_atom()) == Some("function_clause")
    };
    matches!(reason, Value::Tuple(elements) if elements.first().is_some_and(is_name))
}
