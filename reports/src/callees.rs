//! Which of the user's functions a function may call, as far as its text shows.

use std::collections::HashSet;

use flattener::flat::references;
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
            for (name, id) in references(&module.name, function) {
                let module = program.number(&name);
                let index = |module: usize| program.module(module)?.index(&id);
                waiting.extend(module.and_then(|module| Some((module, index(module)?))));
            }
        }
    }
    found
}
