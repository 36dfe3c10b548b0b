//! The functions that runs of an entry may reach, as far as the text of the program shows.

use std::collections::{BTreeSet, HashSet};

use erlang_term::{Atom, Term};
use flattener::flat::visit::{Visitor, walk_operation};
use flattener::flat::{Function, Operation};
use reports::{Entry, callees_of};

use crate::program::target::Target;

/// The functions of the user that an entry may call. If the code that it reaches names a module as
/// a value, as `gen_server:start(?MODULE, …)` does, all functions of that module count; if there
/// are conditions, all functions do.
pub(crate) fn reached_functions<'target>(
    target: &'target Target,
    entry: &Entry,
) -> Vec<&'target Function> {
    let own_modules = target.own_modules;
    let called = callees_of(&target.program, own_modules, entry);
    let modules = target.program.modules().iter().take(own_modules);
    let own: HashSet<&Atom> = modules.map(|it| &it.name).collect();
    let mut whole = BTreeSet::new();
    if target.contract.is_some() {
        whole.extend(0..own_modules);
    }
    let functions = |number: usize| {
        let module = target
            .program
            .module(number)
            .filter(|_| number < own_modules);
        module.map_or(&[][..], |it| it.flat.functions.as_slice())
    };
    // Which modules are values is looked for in whole modules as well, until there are no new ones.
    let mut named = Vec::new();
    for (module, index) in &called {
        let function = functions(*module).get(*index);
        named.extend(function.map(|it| named_modules(it, &own)));
    }
    let mut waiting: Vec<Atom> = named.into_iter().flatten().collect();
    while let Some(name) = waiting.pop() {
        let number = target.program.number(&name);
        if let Some(number) = number.filter(|it| whole.insert(*it)) {
            let named = functions(number).iter().map(|it| named_modules(it, &own));
            waiting.extend(named.flatten());
        }
    }
    let single = called.iter().filter(|it| !whole.contains(&it.0));
    let single = single.filter_map(|(module, index)| functions(*module).get(*index));
    let all = whole.iter().flat_map(|it| functions(*it));
    single.chain(all).collect()
}

/// The modules that a function has as values.
fn named_modules(function: &Function, own: &HashSet<&Atom>) -> Vec<Atom> {
    let mut finder = ModuleFinder {
        function,
        own,
        found: Vec::new(),
    };
    finder.visit_fun(&function.fun);
    finder.found
}

struct ModuleFinder<'flat> {
    function: &'flat Function,
    own: &'flat HashSet<&'flat Atom>,
    found: Vec<Atom>,
}

impl<'flat> Visitor<'flat> for ModuleFinder<'flat> {
    fn function(&self) -> &'flat Function {
        self.function
    }

    fn visit_operation(&mut self, operation: &'flat Operation) {
        // Such a call names a module only to call a function of it, which counts by itself.
        if operation.remote_callee().is_some()
            && let Operation::Call { arguments, .. } = operation
        {
            for argument in arguments {
                self.visit_value(argument);
            }
        } else {
            walk_operation(self, operation);
        }
    }

    fn visit_literal(&mut self, literal: &'flat Term) {
        for term in literal.subterms() {
            if let Some(name) = term.as_atom()
                && let Some(known) = self.own.get(&Atom::new(name))
            {
                self.found.push((*known).clone());
            }
        }
    }
}
