//! Funs: where they were made, and the variables that they capture.

use std::collections::HashMap;
use std::rc::Rc;

use flattener::flat::{Callable, Fun, Function, FunctionRef, SiteId, VarId};
use solver::graph::{Closure, Graph, NodeId};
use trace_format::Program;

use super::environment::Environment;
use crate::scopes;

/// A function of a program: its module, and its index there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Surroundings<'run> {
    pub(crate) program: &'run Program,
    pub(crate) module: usize,
    pub(crate) function: usize,
}

/// The variables that the funs of a program capture, by module and site.
#[derive(Debug, Default)]
pub(crate) struct CapturedVariables(HashMap<(usize, SiteId), Rc<[VarId]>>);

impl CapturedVariables {
    fn of(&mut self, module: usize, site: SiteId, function: &Function, fun: &Fun) -> Rc<[VarId]> {
        let known = self.0.entry((module, site));
        let captured = known.or_insert_with(|| scopes::captured(function, fun).into());
        Rc::clone(captured)
    }
}

/// The value of a fun expression.
pub(crate) fn made_fun(
    graph: &mut Graph,
    environment: &Environment,
    captured: &mut CapturedVariables,
    (module, site): (usize, SiteId),
    (function, fun): (&Function, &Fun),
) -> NodeId {
    let variables = captured.of(module, site, function, fun);
    let captured = variables.iter();
    let captured = captured
        .map(|variable| (*variable, environment.get(graph, *variable)))
        .collect();
    graph.closure(Closure {
        module,
        callable: Callable::Fun(site),
        arity: fun.parameters.len(),
        captured,
    })
}

/// The value of a function that is named in some other function.
pub(crate) fn function_value(
    surroundings: Surroundings<'_>,
    graph: &mut Graph,
    environment: &Environment,
    reference: &FunctionRef,
) -> NodeId {
    match closure_of(surroundings, graph, environment, reference) {
        Some(closure) => graph.closure(closure),
        None => graph.unknown(),
    }
}

fn closure_of(
    Surroundings {
        program,
        module,
        function,
    }: Surroundings<'_>,
    graph: &mut Graph,
    environment: &Environment,
    reference: &FunctionRef,
) -> Option<Closure> {
    let code = program.module(module)?;
    match reference {
        FunctionRef::Module(id) => Some(Closure {
            module,
            callable: Callable::Function(code.index(id)?),
            arity: id.arity as usize,
            captured: Box::default(),
        }),
        FunctionRef::Local(id) => {
            let callable = Callable::Local(code.plan.letrec(function, *id), *id);
            let (_, fun) = code.callable(callable)?;
            let captured = scopes::captured(code.function(function)?, fun);
            let captured = captured.into_iter();
            Some(Closure {
                module,
                callable,
                arity: fun.parameters.len(),
                captured: captured
                    .map(|variable| (variable, environment.get(graph, variable)))
                    .collect(),
            })
        }
    }
}
