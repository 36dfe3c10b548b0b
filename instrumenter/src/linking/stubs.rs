//! Functions that only call the function of the same name in another module: those of OTP that are
//! built into the BEAM, and those that shall run as they are.

use erlang_term::{Atom, Term};
use flattener::flat::{Fun, Function, FunctionId, Module, Operation, Value, VarId};
use flattener::passes::number_sites;

use crate::wrapper::{tail_block, without_body};

/// Replaces stubs. The Erlang code of a built-in function only calls `erlang:nif_error`; the copy
/// calls the function of the original module instead.
pub fn replace_stubs(module: &mut Module) {
    let name = module.name.clone();
    for function in &mut module.functions {
        let Fun {
            body, parameters, ..
        } = &function.fun;
        let block = function.blocks.get_mut(body.index());
        if let Some([statement]) = block.map(|block| block.statements.as_mut_slice())
            && is_stub(&statement.operation)
        {
            statement.operation = call_of(&function.id, &name, parameters);
        }
    }
}

/// Lets functions of a module call those of the same name in another module. In a copy of a module of
/// OTP, that may be the original.
pub fn call_elsewhere(mut module: Module, functions: &[FunctionId], other: &Atom) -> Module {
    for function in &mut module.functions {
        if functions.contains(&function.id) {
            *function = calling(function, other);
        }
    }
    number_sites::run(module)
}

fn calling(function: &Function, other: &Atom) -> Function {
    let mut calling = without_body(function);
    let call = call_of(&function.id, other, &calling.fun.parameters);
    let annotations = function.fun.annotations.clone();
    let body = tail_block(&mut calling, call);
    calling.fun.body = body;
    let block = calling.blocks.get_mut(body.index());
    if let Some(statement) = block.and_then(|it| it.statements.first_mut()) {
        statement.annotations = annotations;
    }
    calling
}

fn call_of(function: &FunctionId, module: &Atom, parameters: &[VarId]) -> Operation {
    Operation::Call {
        module: Value::literal(Term::Atom(module.clone())),
        name: Value::literal(Term::Atom(function.name.clone())),
        arguments: parameters.iter().copied().map(Value::Variable).collect(),
    }
}

fn is_stub(operation: &Operation) -> bool {
    operation.remote_callee().is_some_and(|(module, function)| {
        let nif_error = (Atom::new("erlang"), Atom::new("nif_error"));
        (module, function.name) == nif_error
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::module;

    #[test]
    fn stubs_call_the_real_functions() {
        let mut copy = module(
            "lists",
            "'member'/2 = fun (X,Y) -> call 'erlang':'nif_error'('undef')
             'other'/1 = fun (X) -> call 'erlang':'error'(X)",
        );
        replace_stubs(&mut copy);
        let calls = copy.statements();
        let calls: Vec<String> = calls
            .filter_map(|statement| statement.operation.remote_callee())
            .map(|(module, function)| format!("{module}:{function}"))
            .collect();
        assert_eq!(calls, ["lists:'member'/2", "erlang:'error'/1"]);
    }

    #[test]
    fn functions_call_those_of_another_module() {
        let own = module(
            "m",
            "'f'/1 = fun (X) -> call 'erlang':'+'(X,1)
             'g'/2 = fun (X,Y) -> do call 'a':'f'(X) do call 'a':'f'(Y) call 'a':'g'(X,Y)",
        );
        let functions = [own.functions[1].id.clone()];
        let own = call_elsewhere(own, &functions, &Atom::new("m@native"));
        let calls = own.statements();
        let calls: Vec<(u32, String)> = calls
            .filter_map(|it| Some((it.site.0, it.operation.remote_callee()?)))
            .map(|(site, (module, function))| (site, format!("{module}:{function}")))
            .collect();
        assert_eq!(
            calls,
            [
                (0, "erlang:'+'/2".to_owned()),
                (1, "m@native:'g'/2".to_owned())
            ]
        );
    }
}
