//! Flat Core Erlang in, flat Core Erlang that logs its events out: Definition 4 and Figure 8 of
//! Palacios and Vidal's paper, for all of the flat language.
//!
//! A function `f` becomes two. `@f` has its body, with emitters; followed calls go there. `f` is for
//! all other callers: it announces that `f` was entered, then calls `@f`. If there can be no other
//! caller, it is left out. Funs announce themselves in the same way, and so do functions of a
//! `letrec` that are used as values.
//!
//! Emitters do not change the program: they stand before a call, at the start of a clause, and at
//! the end of a block unless it ends in a tail call. Events after a tail call are not emitted; the
//! reader of the log restores them.

mod body;
mod calls;
mod figure_9;
mod function_state;
mod guarding;
pub mod linking;
mod locals;
mod outlining;
mod receive;
mod runtime;
#[cfg(test)]
mod testing;
mod wanted_wrappers;
mod wrapper;

pub use figure_9::figure_9;
use flattener::flat::{Callable, Function, FunctionId, Module};
pub use outlining::outline;
use trace_format::{Program, Wire};

use self::guarding::GuardedBuiltins;
use self::wanted_wrappers::{WantedWrappers, WrapperKind};

/// The instrumented code of the module with this number; `None` if there is no such module.
pub fn instrument(program: &Program, number: usize, wire: Wire) -> Option<Module> {
    let source = program.module(number)?;
    let mut module = source.flat.clone();
    module.name = source.loaded_as.clone();
    let indices = 0..source.flat.functions.len();
    let mut builtins = GuardedBuiltins::new(source.flat.site_count);
    let bodies =
        indices.map(|index| body::instrument(program, (number, index), wire, &mut builtins));
    let bodies: Vec<Function> = bodies.collect();
    let wanted = WantedWrappers::new(&source.flat, &bodies);
    module.functions = Vec::with_capacity(2 * bodies.len());
    for (index, body) in bodies.into_iter().enumerate() {
        let announced_as = (number, source.announced_as(Callable::Function(index))?);
        let function = source.function(index)?;
        let wrapper = match wanted.kind(&function.id) {
            Some(WrapperKind::ByName) => Some(wrapper::by_name(
                announced_as,
                function,
                &source.loaded_as,
                &body.id.name,
            )),
            Some(WrapperKind::Local) => Some(wrapper::local(announced_as, function, &body.id.name)),
            None => None,
        };
        module.functions.extend(wrapper);
        module.functions.push(body);
    }
    module.functions.extend(builtins.into_functions(number));
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
