//! What Elixir's compiler leaves in modules.

use super::code::Module;
use super::ids::FunctionId;

/// What the names of Elixir's modules begin with.
const PREFIX: &str = "Elixir.";

/// Whether a module is written in Elixir, by its name.
pub fn is_elixir_module(name: &str) -> bool {
    name.starts_with(PREFIX)
}

/// Whether a function of a module was made by Elixir: it describes the module, is a macro, or finds
/// the implementations of a protocol.
pub fn is_made_by_elixir(module: &Module, function: &FunctionId) -> bool {
    let name = function.name.as_str();
    let is_dispatch = || {
        let mut exports = module.exports.iter();
        matches!(name, "impl_for" | "impl_for!" | "struct_impl_for")
            && exports.any(|it| it.name.as_str() == "__protocol__")
    };
    is_elixir_module(module.name.as_str())
        && (name.starts_with("__") || name.starts_with("MACRO-") || is_dispatch())
}

#[cfg(test)]
mod tests {
    use erlang_term::Atom;

    use super::*;
    use crate::{flatten, parse_module};

    #[test]
    fn what_elixir_made_is_known() {
        let cases = [
            (
                "Elixir.Cost",
                "'__protocol__'/1,'impl_for'/1",
                [true, true, true, false],
            ),
            ("Elixir.Shop", "'impl_for'/1", [true, false, true, false]),
            ("shop", "'impl_for'/1", [false, false, false, false]),
        ];
        for (name, exports, made) in cases {
            let definitions = exports.replace("/1,", "/1 = fun (X) -> X\n");
            let text = format!(
                "module '{name}' [{exports}] attributes [] {definitions} = fun (X) -> X end"
            );
            let module = flatten(parse_module(&text).expect("a module")).expect("a program");
            let names = ["__struct__", "impl_for", "MACRO-is_small", "total"];
            let found = names.map(|name| {
                let name = Atom::new(name);
                is_made_by_elixir(&module, &FunctionId { name, arity: 1 })
            });
            assert_eq!(found, made, "{name}");
        }
    }
}
