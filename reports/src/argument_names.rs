//! The names of a function's arguments.

use flattener::flat::{Function, Operation, Pattern, Value, VarId};
use trace_format::Program;

use crate::entry::Entry;

/// The names of an entry's arguments in its source; `Arg1` and so on where they have none.
pub fn argument_names(program: &Program, entry: &Entry) -> Vec<String> {
    let found = program.exported(&entry.module, &entry.function);
    let function = found.and_then(|(module, index)| program.module(module)?.function(index));
    function.map_or_else(Vec::new, parameter_names)
}

fn parameter_names(function: &Function) -> Vec<String> {
    let parameters = &function.fun.parameters;
    let named = |variable: &VarId| {
        let name = function.variable(*variable).name.as_str();
        let is_own = name.starts_with(char::is_uppercase) && !name.contains('@');
        is_own.then(|| name.to_owned())
    };
    let first = function.block(function.fun.body).statements.first();
    let clauses = first.and_then(|statement| match &statement.operation {
        Operation::Case { arguments, clauses } => {
            let same = |it: (&Value, _)| matches!(it.0, Value::Variable(value) if value == it.1);
            let all = arguments.iter().zip(parameters).all(same);
            (all && arguments.len() == parameters.len()).then_some(clauses.as_slice())
        }
        Operation::Values(_)
        | Operation::Apply { .. }
        | Operation::Call { .. }
        | Operation::Primop { .. }
        | Operation::Map { .. }
        | Operation::Binary(_)
        | Operation::Fun(_)
        | Operation::Letrec { .. }
        | Operation::Try { .. }
        | Operation::Catch(_)
        | Operation::Receive { .. } => None,
    });
    let mut names: Vec<String> = Vec::with_capacity(parameters.len());
    for (number, parameter) in parameters.iter().enumerate() {
        let mut patterns = clauses.unwrap_or_default().iter().filter_map(|clause| {
            match clause.patterns.get(number)? {
                Pattern::Variable(variable) => named(variable),
                Pattern::Alias(parts) => named(&parts.0),
                Pattern::Literal(_)
                | Pattern::Cons(_)
                | Pattern::Tuple(_)
                | Pattern::Map(_)
                | Pattern::Binary(_) => None,
            }
        });
        let name = named(parameter).or_else(|| patterns.next());
        let name = name.filter(|name| !names.contains(name));
        names.push(name.unwrap_or_else(|| format!("Arg{}", number + 1)));
    }
    names
}
