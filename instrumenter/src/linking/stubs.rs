//! Functions of OTP that are built into the BEAM.

use erlang_term::{Atom, Term};
use flattener::flat::{Fun, Module, Operation, Value};

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
            statement.operation = Operation::Call {
                module: Value::literal(Term::Atom(name.clone())),
                name: Value::literal(Term::Atom(function.id.name.clone())),
                arguments: parameters.iter().copied().map(Value::Variable).collect(),
            };
        }
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
}
