//! What operations of the flat form call.

use erlang_term::Term;
use flattener::flat::{Operation, Value};
use trace_format::without_native;

/// Module, name and arguments.
pub(super) type NamedCall<'run> = (&'run Value, &'run Value, &'run [Value]);

/// Module, name and arguments of a call by name; `None` for other operations.
pub(super) fn call_by_name(operation: &Operation) -> Option<NamedCall<'_>> {
    if let Operation::Call {
        module,
        name,
        arguments,
    } = operation
    {
        return Some((module, name, arguments.as_slice()));
    }
    None
}

/// Whether an operation may call a function of these modules, as far as the code tells.
pub(super) fn may_call(operation: &Operation, modules: &[&str]) -> bool {
    match call_by_name(operation) {
        Some((module, name, _)) => {
            atom_text(module).is_none_or(|it| modules.contains(&it)) || is_apply(module, name)
        }
        None => matches!(operation, Operation::Apply { .. }),
    }
}

/// Whether this is the name of `erlang:apply`.
pub(super) fn is_apply(module: &Value, name: &Value) -> bool {
    atom_text(module) == Some("erlang") && atom_text(name) == Some("apply")
}

/// Whether a function whose results differ from run to run is called.
pub(super) fn is_changing(operation: &Operation) -> bool {
    let Some((module, name, _)) = call_by_name(operation) else {
        return false;
    };
    let name = atom_text(name).unwrap_or_default();
    atom_text(module).is_some_and(|module| models::is_changing(module, name))
}

/// Functions of `erlang` that are not followed, change nothing, and always return the same for the
/// same arguments in one process.
const WITHOUT_EFFECT: &[&str] = &[
    "adler32",
    "crc32",
    "external_size",
    "function_exported",
    "md5",
    "node",
    "phash",
    "phash2",
    "self",
    "term_to_binary",
];

/// Whether a call of code that is not followed leaves nothing behind but its result.
pub(super) fn leaves_nothing(operation: &Operation) -> bool {
    let Some((module, name, _)) = call_by_name(operation) else {
        return false;
    };
    let name = atom_text(name).unwrap_or_default();
    atom_text(module) == Some("erlang") && WITHOUT_EFFECT.contains(&name)
}

fn atom_text(value: &Value) -> Option<&str> {
    value.as_literal()?.as_atom()
}

/// The name of an operation for users.
pub(super) fn operation_name(operation: &Operation) -> String {
    match operation {
        Operation::Call {
            module,
            name,
            arguments,
        } => match (module.as_literal(), name.as_literal()) {
            (Some(Term::Atom(module)), Some(name)) => {
                let module = Term::Atom(without_native(module));
                format!("{module}:{name}/{}", arguments.len())
            }
            (Some(module), Some(name)) => format!("{module}:{name}/{}", arguments.len()),
            _ => "a computed call".to_owned(),
        },
        Operation::Primop { name, .. } => format!("primop {name}"),
        Operation::Map { .. } => "a map that is built or changed".to_owned(),
        Operation::Binary(_) => "a bit string that is built".to_owned(),
        Operation::Values(_)
        | Operation::Apply { .. }
        | Operation::Fun(_)
        | Operation::Case { .. }
        | Operation::Letrec { .. }
        | Operation::Try { .. }
        | Operation::Catch(_)
        | Operation::Receive { .. } => "a fun".to_owned(),
    }
}
