//! The modules of OTP that a program uses.

use std::collections::{BTreeSet, HashMap, HashSet};

use erlang_term::Atom;
use flattener::flat::{Module, references};

/// The modules of OTP that a program uses, as they are found: those that it names, those that
/// these name, and so on.
#[derive(Debug)]
pub struct Library {
    loaded: HashMap<Atom, Module>,
    /// Modules that are named and were not returned as missing yet.
    missing: BTreeSet<Atom>,
    /// Modules that were loaded or returned as missing.
    done: HashSet<Atom>,
}

impl Library {
    /// Starts with the user's modules, and with modules of OTP that are loaded already.
    pub fn new(own: &[Module], loaded: HashMap<Atom, Module>) -> Self {
        let known = own.iter().chain(loaded.values());
        Self {
            missing: known.clone().flat_map(named_modules).collect(),
            done: known.map(|module| module.name.clone()).collect(),
            loaded,
        }
    }

    /// The wanted modules to load next. Each is returned once. If there are none, the library is
    /// complete.
    pub fn missing(&mut self, is_wanted: impl Fn(&Atom) -> bool) -> Vec<Atom> {
        let missing = std::mem::take(&mut self.missing).into_iter();
        missing
            .filter(|name| is_wanted(name) && self.done.insert(name.clone()))
            .collect()
    }

    /// Adds a module that was missing.
    pub fn add(&mut self, module: Module) {
        self.missing.extend(named_modules(&module));
        self.loaded.insert(module.name.clone(), module);
    }

    /// The whole modules of OTP.
    pub fn into_modules(self) -> HashMap<Atom, Module> {
        self.loaded
    }
}

fn named_modules(module: &Module) -> Vec<Atom> {
    let functions = module.functions.iter();
    let references = functions.flat_map(|function| references(&module.name, function));
    references.map(|(module, _)| module).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::module;

    fn names(modules: Vec<Atom>) -> Vec<String> {
        modules.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn modules_are_found_through_modules() {
        let own = module(
            "m",
            "'f'/1 = fun (X) -> do call 'b':'f'() {X,fun 'a':'f'/1,fun 'private':'f'/1}",
        );
        let mut library = Library::new(&[own], HashMap::new());
        let wanted = |name: &Atom| name.as_str() != "private";
        assert_eq!(names(library.missing(wanted)), ["a", "b"]);
        library.add(module("a", "'f'/1 = fun (X) -> call 'c':'f'(X)"));
        assert_eq!(names(library.missing(wanted)), ["c"]);
        library.add(module(
            "c",
            "'f'/1 = fun (X) -> do call 'a':'f'(X) do call 'b':'f'() call 'm':'f'(X)",
        ));
        assert!(library.missing(wanted).is_empty());
        assert_eq!(library.into_modules().len(), 2);
    }

    #[test]
    fn loaded_modules_are_not_loaded_again() {
        let own = module("m", "'f'/0 = fun () -> call 'a':'f'()");
        let known = module("a", "'f'/0 = fun () -> call 'b':'f'()");
        let loaded = HashMap::from([(known.name.clone(), known)]);
        let mut library = Library::new(&[own], loaded);
        assert_eq!(names(library.missing(|_| true)), ["b"]);
    }
}
