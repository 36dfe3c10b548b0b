//! Which functions of library modules a program can reach.

use std::collections::{BTreeSet, HashMap, HashSet};

use erlang_term::Atom;
use flattener::flat::{Function, FunctionId, Module, Reference, mentions};
use models::is_reached_by_names;

/// What is reached, while more and more library modules become known. Calls and funs count as far as
/// the text shows them. A protocol of Elixir calls modules that are values: there, every module of
/// Elixir whose name is a value somewhere may be the one that is called. A behaviour of OTP is called by
/// names that only a run knows: all that it exports is reached.
#[derive(Debug, Default)]
pub(super) struct Reach {
    reached: HashSet<Reference>,
    /// Functions of modules that are not known yet.
    waiting: HashMap<Atom, HashSet<FunctionId>>,
    /// Modules whose names are values.
    values: BTreeSet<Atom>,
    /// Functions that are called in modules that are values.
    computed: HashSet<FunctionId>,
    /// Modules that are named or called, and were not asked for yet.
    named: BTreeSet<Atom>,
}

impl Reach {
    /// All that the user's modules can reach without any library.
    pub(super) fn of_own(modules: &[Module]) -> Self {
        let mut reach = Self::default();
        let mut found = Vec::new();
        for module in modules {
            for function in &module.functions {
                reach.follow(&module.name, function, &mut found);
            }
        }
        reach.add_all(found, &HashMap::new());
        reach
    }

    /// The modules that were named since the last time.
    pub(super) fn take_named(&mut self) -> BTreeSet<Atom> {
        std::mem::take(&mut self.named)
    }

    /// Whether a function is reached.
    pub(super) fn is_reached(&self, module: &Atom, function: &FunctionId) -> bool {
        self.reached.contains(&(module.clone(), function.clone()))
    }

    /// A library module became known, with all others.
    pub(super) fn know(&mut self, name: &Atom, library: &HashMap<Atom, Module>) {
        let waiting = self.waiting.remove(name).unwrap_or_default();
        let mut found: Vec<Reference> = waiting.into_iter().map(|it| (name.clone(), it)).collect();
        if is_reached_by_names(name.as_str())
            && let Some(module) = library.get(name)
        {
            found.extend(module.exports.iter().map(|it| (name.clone(), it.clone())));
        }
        if self.values.contains(name) {
            found.extend(self.computed.iter().map(|it| (name.clone(), it.clone())));
        }
        self.add_all(found, library);
    }

    fn add_all(&mut self, mut found: Vec<Reference>, library: &HashMap<Atom, Module>) {
        while let Some((name, id)) = found.pop() {
            let Some(module) = library.get(&name) else {
                self.named.insert(name.clone());
                self.waiting.entry(name).or_default().insert(id);
                continue;
            };
            let function = module.functions.iter().find(|function| function.id == id);
            if let Some(function) = function
                && self.reached.insert((name, id))
            {
                self.follow(&module.name, function, &mut found);
            }
        }
    }

    /// Adds what a reached function mentions.
    fn follow(&mut self, module: &Atom, function: &Function, found: &mut Vec<Reference>) {
        let mentions = mentions(module, function);
        found.extend(mentions.references);
        for value in mentions.modules {
            if self.values.insert(value.clone()) {
                found.extend(self.computed.iter().map(|it| (value.clone(), it.clone())));
            }
        }
        for called in mentions.computed {
            if self.computed.insert(called.clone()) {
                found.extend(self.values.iter().map(|it| (it.clone(), called.clone())));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::module;

    #[test]
    fn a_protocol_reaches_its_implementations() {
        let own = module("m", "'f'/1 = fun (X) -> call 'Elixir.P':'of'(X)");
        let library = [
            module(
                "Elixir.P",
                "'of'/1 = fun (X) -> let <M> = apply 'impl'/1(X) in call M:'of'(X)
                 'impl'/1 = fun (X) -> case X of
                   <[]> when 'true' -> 'Elixir.P.List'
                   <Y> when 'true' -> 'Elixir.P.Any'
                 end",
            ),
            module(
                "Elixir.P.List",
                "'of'/1 = fun (X) -> call 'Elixir.P.List':'in'(X)
                 'in'/1 = fun (X) -> X
                 'unused'/1 = fun (X) -> X",
            ),
        ];
        let library: HashMap<Atom, Module> =
            library.map(|module| (module.name.clone(), module)).into();
        let mut reach = Reach::of_own(&[own]);
        for name in library.keys() {
            reach.know(name, &library);
        }
        let is_reached = |name: &str, function: &str| {
            let name_of_function = Atom::new(function);
            let id = FunctionId {
                name: name_of_function,
                arity: 1,
            };
            reach.is_reached(&Atom::new(name), &id)
        };
        assert!(is_reached("Elixir.P.List", "of") && is_reached("Elixir.P.List", "in"));
        assert!(!is_reached("Elixir.P.List", "unused"));
        assert!(reach.named.contains(&Atom::new("Elixir.P.Any")));
    }
}
