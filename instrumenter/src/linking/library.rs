//! The modules of OTP that a program uses.

use std::collections::{HashMap, HashSet};

use erlang_term::Atom;
use flattener::flat::Module;

use super::reach::Reach;

/// The modules of OTP that a program uses, as they are found: those that it names, those that
/// the functions name that it reaches in them, and so on.
#[derive(Debug)]
pub struct Library {
    loaded: HashMap<Atom, Module>,
    reach: Reach,
    /// Modules that were loaded or returned as missing.
    done: HashSet<Atom>,
}

impl Library {
    /// Starts with the user's modules, and with modules of OTP that are loaded already.
    pub fn new(own: &[Module], loaded: HashMap<Atom, Module>) -> Self {
        let mut reach = Reach::of_own(own);
        let mut names: Vec<&Atom> = loaded.keys().collect();
        names.sort();
        for name in names {
            reach.know(name, &loaded);
        }
        let known = own.iter().chain(loaded.values());
        Self {
            done: known.map(|module| module.name.clone()).collect(),
            reach,
            loaded,
        }
    }

    /// The wanted modules to load next. Each is returned once. If there are none, the library is
    /// complete.
    pub fn missing(&mut self, is_wanted: impl Fn(&Atom) -> bool) -> Vec<Atom> {
        let missing = self.reach.take_named().into_iter();
        missing
            .filter(|name| is_wanted(name) && self.done.insert(name.clone()))
            .collect()
    }

    /// Adds a module that was missing.
    pub fn add(&mut self, module: Module) {
        let name = module.name.clone();
        self.loaded.insert(name.clone(), module);
        self.reach.know(&name, &self.loaded);
    }

    /// The whole modules of OTP.
    pub fn into_modules(self) -> HashMap<Atom, Module> {
        self.loaded
    }
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
