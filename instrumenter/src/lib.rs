//! Flat Core Erlang in, flat Core Erlang that logs its events out: Definition 4 and Figure 8 of
//! Palacios and Vidal's paper, for all of the flat language.
//!
//! A function `f` becomes two. `@f` has its body, with emitters; followed calls go there. `f` is for
//! all other callers: it announces that `f` was entered, then calls `@f`. Funs announce themselves
//! in the same way, and so do functions of a `letrec` that are used as values.
//!
//! Emitters do not change the program: they stand before a call, at the start of a clause, and at
//! the end of a block unless it ends in a tail call. Events after a tail call are not emitted; the
//! reader of the log restores them.

mod body;
mod calls;
mod figure_9;
mod function_state;
pub mod linking;
mod locals;
mod runtime;
#[cfg(test)]
mod testing;
mod wrapper;

pub use figure_9::figure_9;
use flattener::flat::{Callable, FunctionId, Module};
use trace_format::{Program, Wire};

/// The instrumented code of the module with this number; `None` if there is no such module.
pub fn instrument(program: &Program, number: usize, wire: Wire) -> Option<Module> {
    let source = program.module(number)?;
    let mut module = source.flat.clone();
    module.name = source.loaded_as.clone();
    let mut functions = Vec::with_capacity(2 * source.flat.functions.len());
    for (index, function) in source.flat.functions.iter().enumerate() {
        let announced_as = (number, source.announced_as(Callable::Function(index))?);
        let body = source.body_name(index)?;
        functions.push(wrapper::wrapper(announced_as, function, body));
        functions.push(body::instrument(program, number, index, wire));
    }
    module.functions = functions;
    let bodies: Vec<FunctionId> = module
        .exports
        .iter()
        .filter_map(|export| {
            Some(FunctionId {
                name: source.body_name(source.index(export)?)?.clone(),
                arity: export.arity,
            })
        })
        .collect();
    module.exports.extend(bodies);
    Some(module)
}
