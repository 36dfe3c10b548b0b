//! Which functions need one under their original name.

use std::collections::HashSet;

use erlang_term::Atom;
use flattener::ast::{Attribute, LiteralValue};
use flattener::flat::{Function, FunctionId, Module, references};

/// How a function under the original name calls the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WrapperKind {
    /// By the name of the body, which is exported.
    ByName,
    /// As a function of the same module.
    Local,
}

/// The functions of a module that code without instrumentation may call.
#[derive(Debug)]
pub(crate) struct WantedWrappers<'code> {
    exports: HashSet<&'code FunctionId>,
    /// Functions that the module itself uses as values; `None` if it may need any.
    used: Option<HashSet<FunctionId>>,
}

impl<'code> WantedWrappers<'code> {
    /// Those of a module, given with the instrumented bodies of its functions.
    pub(crate) fn new(module: &'code Module, bodies: &[Function]) -> Self {
        let used = bodies.iter().flat_map(|it| references(&module.name, it));
        let used: Vec<(Atom, FunctionId)> = used.collect();
        // Native code replaces functions by their names.
        let loads_native_code = used
            .iter()
            .any(|(name, id)| name.as_str() == "erlang" && id.name.as_str() == "load_nif");
        let runs_when_loaded = module.attributes.iter().any(is_on_load);
        let own = used.into_iter().filter(|(name, _)| *name == module.name);
        Self {
            exports: module.exports.iter().collect(),
            used: (!loads_native_code && !runs_when_loaded)
                .then(|| own.map(|(_, id)| id).collect()),
        }
    }

    /// How this function is called under its original name, if it is.
    pub(crate) fn kind(&self, function: &FunctionId) -> Option<WrapperKind> {
        if self.exports.contains(function) {
            return Some(WrapperKind::ByName);
        }
        let is_used = self.used.as_ref().is_none_or(|it| it.contains(function));
        is_used.then_some(WrapperKind::Local)
    }
}

fn is_on_load(attribute: &Attribute) -> bool {
    attribute.key.value == LiteralValue::Atom(Atom::new("on_load"))
}
