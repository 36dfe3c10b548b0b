//! Which functions a program has, by name.

use std::collections::HashMap;

use erlang_term::Atom;
use flattener::flat::{FunctionId, Module};

/// The functions of one module.
#[derive(Clone, Debug)]
pub(crate) struct ModuleIndex {
    /// The number of the module.
    pub(crate) number: usize,
    indices: HashMap<FunctionId, usize>,
}

impl ModuleIndex {
    pub(crate) fn new(number: usize, module: &Module) -> Self {
        let functions = module.functions.iter().enumerate();
        let indices = functions.map(|(index, function)| (function.id.clone(), index));
        Self {
            number,
            indices: indices.collect(),
        }
    }

    /// The index of the function with this name and arity.
    pub(crate) fn index(&self, function: &FunctionId) -> Option<usize> {
        self.indices.get(function).copied()
    }
}

/// The exported functions of all modules.
#[derive(Clone, Debug, Default)]
pub(crate) struct ExportIndex {
    functions: HashMap<(Atom, FunctionId), (usize, usize)>,
}

impl ExportIndex {
    pub(crate) fn add(&mut self, module: &Module, functions: &ModuleIndex) {
        for export in &module.exports {
            if let Some(index) = functions.index(export) {
                let key = (module.name.clone(), export.clone());
                self.functions.insert(key, (functions.number, index));
            }
        }
    }

    /// Module and index of an exported function.
    pub(crate) fn exported(&self, module: &Atom, function: &FunctionId) -> Option<(usize, usize)> {
        let key = (module.clone(), function.clone());
        self.functions.get(&key).copied()
    }
}
