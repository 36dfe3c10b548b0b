//! Which of the user's functions a function may call, as far as its text shows.

use std::collections::HashSet;

use erlang_term::Atom;
use flattener::flat::{Function, FunctionId, FunctionRef, Module, Operation, Value};
use trace_format::Program;

/// A function of a program: the number of its module, and its index there.
pub type FunctionNumber = (usize, usize);

/// The functions that a function calls or makes funs of, directly or through others, itself
/// included. Only the first `own_modules` modules of the program count.
pub fn callees(
    program: &Program,
    own_modules: usize,
    start: FunctionNumber,
) -> HashSet<FunctionNumber> {
    let mut found = HashSet::new();
    let mut waiting = vec![start];
    while let Some(number) = waiting.pop() {
        let module = program.module(number.0).filter(|_| number.0 < own_modules);
        if let Some(module) = module
            && let Some(function) = module.flat.functions.get(number.1)
            && found.insert(number)
        {
            for (name, id) in references(&module.flat, function) {
                let module = program.number(&name);
                let index = |module: usize| program.module(module)?.index(&id);
                waiting.extend(module.and_then(|module| Some((module, index(module)?))));
            }
        }
    }
    found
}

/// The functions that a function names.
fn references(module: &Module, function: &Function) -> Vec<(Atom, FunctionId)> {
    let mut found = Vec::new();
    for block in &function.blocks {
        for statement in &block.statements {
            found.extend(remote_call(&statement.operation));
            for value in statement.operation.operands() {
                mentioned(&module.name, value, &mut found);
            }
        }
        for value in &block.result {
            mentioned(&module.name, value, &mut found);
        }
    }
    found
}

fn mentioned(module: &Atom, value: &Value, found: &mut Vec<(Atom, FunctionId)>) {
    match value {
        Value::Function(function) => {
            if let FunctionRef::Module(id) = &**function {
                found.push((module.clone(), id.clone()));
            }
        }
        Value::Cons(parts) => {
            flattener::ast::deep(|| mentioned(module, &parts.0, found));
            flattener::ast::deep(|| mentioned(module, &parts.1, found));
        }
        Value::Tuple(elements) => {
            let mut each = |it| flattener::ast::deep(|| mentioned(module, it, found));
            elements.iter().for_each(&mut each);
        }
        Value::Variable(_) | Value::Literal(_) => {}
    }
}

/// The function that a call by name calls, if the text shows it.
fn remote_call(operation: &Operation) -> Option<(Atom, FunctionId)> {
    let Operation::Call {
        module,
        name,
        arguments,
    } = operation
    else {
        return None;
    };
    let module = Atom::new(module.as_literal()?.as_atom()?);
    let name = Atom::new(name.as_literal()?.as_atom()?);
    let arity = u32::try_from(arguments.len()).ok()?;
    Some((module, FunctionId { name, arity }))
}
