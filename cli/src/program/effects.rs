//! Whether calls of a module's functions can have an effect on later ones other than by what they
//! return.

use flattener::flat::{FunctionId, Module};
use models::step;

use crate::program::mailbox::reaches;

/// Modules of OTP that only compute.
const PURE: [&str; 19] = [
    "array",
    "base64",
    "binary",
    "dict",
    "gb_sets",
    "gb_trees",
    "io_lib",
    "lists",
    "maps",
    "math",
    "orddict",
    "ordsets",
    "proplists",
    "queue",
    "re",
    "sets",
    "string",
    "unicode",
    "unicode_util",
];

/// Functions of the module `erlang` that are models, but not of values alone.
const STATEFUL: [&str; 10] = [
    "!", "apply", "erase", "get", "get_keys", "make_fun", "put", "self", "send", "raise",
];

/// What raises exceptions.
const RAISING: [&str; 4] = ["error", "exit", "throw", "nif_error"];

/// Whether some functions of a module may have effects. What is not known may have them.
pub(crate) fn has_effects(module: &Module, functions: Vec<FunctionId>, own: &[Module]) -> bool {
    reaches(module, functions.iter(), own, may_have_effects)
}

fn may_have_effects(module: &str, id: &FunctionId) -> bool {
    let (name, arity) = (id.name.as_str(), id.arity);
    if step(module, name, arity).is_some() {
        return true;
    }
    if module != "erlang" {
        return !PURE.contains(&module);
    }
    let is_raising = RAISING.contains(&name) && (name, arity) != ("exit", 2);
    let is_value = models::find(module, name, arity).is_some() && !STATEFUL.contains(&name);
    !is_raising && !is_value && name != "phash2"
}
