//! The code that a search explored.

use std::collections::HashSet;
use std::path::PathBuf;

use erlang_term::Atom;
use flattener::ast::LiteralValue;
use trace_format::{Program, ProgramModule};

use crate::callees::{FunctionNumber, callees_of};
use crate::current_folder::CurrentFolder;
use crate::entry::Entry;
use crate::process_callback::is_process_callback;

/// A program, and which of its modules are the user's.
#[derive(Debug)]
pub struct ExploredCode<'search> {
    /// The whole program.
    pub program: &'search Program,
    /// How many of its modules are the user's. They come first.
    pub own_modules: usize,
    /// The sources of these modules, in their order.
    pub source_paths: Vec<PathBuf>,
    /// Reports show paths relative to this folder.
    pub folder: CurrentFolder,
}

impl ExploredCode<'_> {
    /// The user's modules.
    pub(crate) fn modules(&self) -> impl Iterator<Item = &ProgramModule> {
        self.program.modules().iter().take(self.own_modules)
    }

    /// Whether a function is a callback of a process.
    pub(crate) fn is_process_callback(&self, entry: &Entry) -> bool {
        let mut modules = self.modules();
        let module = modules.find(|it| it.name == entry.module);
        entry.is_function() && module.is_some_and(|it| is_process_callback(it, &entry.function))
    }

    /// Whether a module declares an opaque type.
    pub(crate) fn declares_opaque_types(&self, module: &Atom) -> bool {
        let opaque = LiteralValue::Atom(Atom::new("opaque"));
        let mut modules = self.modules().filter(|it| it.name == *module);
        modules.any(|it| it.flat.attributes.iter().any(|it| it.key.value == opaque))
    }

    /// The user's functions that an entry may call, itself included.
    pub(crate) fn callees_of(&self, entry: &Entry) -> HashSet<FunctionNumber> {
        callees_of(self.program, self.own_modules, entry)
    }
}
