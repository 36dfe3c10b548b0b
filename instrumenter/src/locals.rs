//! Functions of a `letrec` that are used as values, as named funs are. The caller of such a value
//! does not know which function it calls, so the function announces itself, then calls a second one
//! that holds its body. Calls by name go straight to the body.

use std::collections::HashMap;

use flattener::ast::{Annotations, Child};
use flattener::flat::visit::{Visitor, visit_values, walk_operation};
use flattener::flat::{
    Callable, Fun, Function, FunctionId, FunctionRef, LocalFunction, LocalId, Operation, SiteId,
    Value,
};

use crate::function_state::Instrumenter;
use crate::wrapper::{announce_and_call, count, fresh_variable};

/// Adds a function for the body of each function of a `letrec` that is used as a value.
pub(crate) fn bodies_of_values(function: &mut Function) -> HashMap<LocalId, LocalId> {
    let mut bodies = HashMap::new();
    for id in used_as_values(function) {
        if bodies.contains_key(&id) {
            continue;
        }
        let body = LocalId(count(function.locals.len()));
        let arity = function.local(id).arity;
        let name = erlang_term::Atom::new(format!("@local{}", body.0));
        function.locals.push(FunctionId { name, arity });
        bodies.insert(id, body);
    }
    bodies
}

/// The functions of `letrec`s that a function uses as values.
fn used_as_values(function: &Function) -> Vec<LocalId> {
    let mut finder = LocalValues {
        function,
        found: Vec::new(),
    };
    finder.visit_fun(&function.fun);
    finder.found
}

struct LocalValues<'flat> {
    function: &'flat Function,
    found: Vec<LocalId>,
}

impl<'flat> Visitor<'flat> for LocalValues<'flat> {
    fn function(&self) -> &'flat Function {
        self.function
    }

    fn visit_operation(&mut self, operation: &'flat Operation) {
        // A function that is called by name is not a value.
        if let Operation::Apply { arguments, .. } = operation {
            visit_values(self, arguments);
        } else {
            walk_operation(self, operation);
        }
    }

    fn visit_function_ref(&mut self, reference: &'flat FunctionRef) {
        if let FunctionRef::Local(id) = reference {
            self.found.push(*id);
        }
    }
}

impl Instrumenter<'_> {
    /// Splits the functions of a `letrec` that are used as values.
    pub(crate) fn announce_locals(&mut self, site: SiteId, definitions: &mut Vec<LocalFunction>) {
        let mut bodies = Vec::new();
        for local in definitions.iter_mut() {
            let Some(body) = self.announced.get(&local.id).copied() else {
                continue;
            };
            let number = self.code.announced_as(Callable::Local(site, local.id));
            let announced_as = (self.module, number.unwrap_or_default());
            let function = &mut self.function;
            let parameters = local.fun.parameters.iter();
            let parameters: Vec<_> = parameters.map(|_| fresh_variable(function)).collect();
            let target = FunctionRef::Local(body);
            let announcing = Fun {
                body: announce_and_call(function, announced_as, &parameters, target),
                parameters,
                annotations: local.fun.annotations.clone(),
            };
            bodies.push(LocalFunction {
                id: body,
                fun: std::mem::replace(&mut local.fun, announcing),
                name_annotations: Annotations::default(),
            });
        }
        definitions.extend(bodies);
    }

    /// A call by name goes to the body.
    pub(crate) fn redirect_local(&self, operation: &mut Operation, local: LocalId) {
        if let Operation::Apply { operator, .. } = operation
            && let Some(body) = self.announced.get(&local)
        {
            *operator = Value::Function(Child::new(FunctionRef::Local(*body)));
        }
    }
}
