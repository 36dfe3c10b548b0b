//! The atoms in the patterns of a program.

use erlang_term::{Atom, Term};
use flattener::flat::visit::{Visitor, walk_pattern};
use flattener::flat::{Function, Guard, Module, Pattern};

/// The atoms in the patterns of some modules, in order.
pub(crate) fn matched_atoms<'flat>(modules: impl Iterator<Item = &'flat Module>) -> Vec<Atom> {
    let mut atoms = Vec::new();
    for function in modules.flat_map(|module| &module.functions) {
        let mut finder = AtomFinder {
            function,
            atoms: &mut atoms,
        };
        finder.visit_fun(&function.fun);
    }
    atoms.sort();
    atoms.dedup();
    atoms
}

struct AtomFinder<'flat, 'found> {
    function: &'flat Function,
    atoms: &'found mut Vec<Atom>,
}

impl<'flat> Visitor<'flat> for AtomFinder<'flat, '_> {
    fn function(&self) -> &'flat Function {
        self.function
    }

    fn visit_guard(&mut self, _: &'flat Guard) {}

    fn visit_pattern(&mut self, pattern: &'flat Pattern) {
        if !matches!(pattern, Pattern::Binary(_)) {
            walk_pattern(self, pattern);
        }
    }

    fn visit_literal_pattern(&mut self, literal: &'flat Term) {
        if let Term::Atom(atom) = literal {
            self.atoms.push(atom.clone());
        }
    }
}
