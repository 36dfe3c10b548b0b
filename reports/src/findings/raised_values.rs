//! What the code raises by itself in a line.

use flattener::flat::{Operation, Value};

use crate::crash_site::CrashSite;
use crate::explored_code::ExploredCode;

/// The values that calls of `error`, `exit` and `throw` in a line raise with this class, the most
/// precise first.
pub(super) fn raised_values<'code>(
    code: &'code ExploredCode<'_>,
    site: &CrashSite,
    class: &str,
) -> Vec<&'code Value> {
    let module = code
        .modules()
        .find(|it| site.function.starts_with(&format!("{}:", it.name)));
    let statements = module.into_iter().flat_map(|it| it.flat.statements());
    let there = statements.filter(|it| {
        let line = it.annotations.position().map(|it| i64::from(it.0));
        line == Some(site.line)
    });
    let mut values: Vec<&Value> = there
        .filter_map(|it| raised(&it.operation, class))
        .collect();
    values.sort_by_key(|value| match value {
        Value::Literal(_) => 0,
        Value::Tuple(_) => 1,
        Value::Variable(_) | Value::Function(_) | Value::Cons(_) => 2,
    });
    values
}

/// The value that an operation raises, if it raises one with this class.
fn raised<'code>(operation: &'code Operation, class: &str) -> Option<&'code Value> {
    let (module, function) = operation.remote_callee()?;
    let raises = match function.name.as_str() {
        "error" | "nif_error" => "error",
        "exit" if function.arity == 1 => "exit",
        "throw" => "throw",
        _ => return None,
    };
    if module.as_str() != "erlang" || raises != class {
        return None;
    }
    match operation {
        Operation::Call { arguments, .. } => arguments.first(),
        Operation::Values(_)
        | Operation::Apply { .. }
        | Operation::Primop { .. }
        | Operation::Map { .. }
        | Operation::Binary(_)
        | Operation::Fun(_)
        | Operation::Case { .. }
        | Operation::Letrec { .. }
        | Operation::Try { .. }
        | Operation::Catch(_)
        | Operation::Receive { .. } => None,
    }
}
