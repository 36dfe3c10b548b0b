//! Which of the user's functions a function may call, as far as its text shows.

use std::collections::HashSet;

use flattener::flat::{FunctionId, references};
use trace_format::Program;

use crate::entry::{Entry, EntryKind};

/// A function of a program: the number of its module, and its index there.
pub type FunctionNumber = (usize, usize);

/// The functions that an entry calls or makes funs of, directly or through others, itself included:
/// those of a machine begin with its callbacks. Only the first `own_modules` modules of the program
/// count.
pub fn callees_of(program: &Program, own_modules: usize, entry: &Entry) -> HashSet<FunctionNumber> {
    let mut found = HashSet::new();
    let mut waiting = starts(program, entry);
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

/// The functions with which runs of an entry begin.
fn starts(program: &Program, entry: &Entry) -> Vec<FunctionNumber> {
    let number = program.number(&entry.module);
    let Some(module) = number.and_then(|it| program.module(it)) else {
        return Vec::new();
    };
    let starts: Vec<&FunctionId> = match entry.kind {
        EntryKind::Function => vec![&entry.function],
        EntryKind::Machine(behaviour) => behaviour.callbacks(&module.flat).collect(),
        EntryKind::Calls => module.flat.exports.iter().collect(),
    };
    let starts = starts.into_iter();
    starts
        .filter_map(|it| program.exported(&entry.module, it))
        .collect()
}
