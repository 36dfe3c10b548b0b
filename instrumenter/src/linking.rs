//! Which code of OTP a program needs, and under which names it is loaded.
//!
//! ```text
//! the user's modules ── Library: which modules of OTP do they use? ──▶ whole modules of OTP
//!                    ── prune: which functions can they reach?     ──▶ parts of these
//!                    ── link: under which names are all of them?   ──▶ Program
//! ```
//!
//! Copies of OTP's modules are loaded beside the originals, as `lists@followed`: the runtime itself
//! may need the originals. Nothing is loaded here: the caller loads what [`Library::missing`] names.

mod library;
mod prune;
mod stubs;

use std::collections::HashMap;

use erlang_term::Atom;
use flattener::flat::Module;
use trace_format::Program;

pub use self::library::Library;
use self::prune::prune;
pub use self::stubs::replace_stubs;

/// The program of the user's modules and of all that they can reach in the library. A user's module
/// with the name of a module that a BEAM itself needs becomes a copy as well.
pub fn link(
    modules: Vec<Module>,
    library: &HashMap<Atom, Module>,
    is_needed: impl Fn(&Atom) -> bool,
) -> Program {
    let reachable = prune(&modules, library);
    let own = modules.into_iter().map(|mut module| {
        let name = if is_needed(&module.name) {
            replace_stubs(&mut module);
            copy_name(&module.name)
        } else {
            module.name.clone()
        };
        (module, name)
    });
    let copies = reachable.into_iter().map(|module| {
        let name = copy_name(&module.name);
        (module, name)
    });
    Program::new(own.chain(copies))
}

/// The name of an instrumented copy.
pub fn copy_name(module: &Atom) -> Atom {
    Atom::new(format!("{}@followed", module.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::module;

    #[test]
    fn copies_have_names_of_their_own() {
        let own = module("m", "'f'/0 = fun () -> call 'lists':'g'()");
        let named_like_otp = module("sets", "'f'/0 = fun () -> 1");
        let lists = module("lists", "'g'/0 = fun () -> 1");
        let library = HashMap::from([(lists.name.clone(), lists)]);
        let program = link(vec![own, named_like_otp], &library, |name| {
            name.as_str() == "sets"
        });
        let modules = program.modules().iter();
        let names: Vec<(&str, &str)> = modules
            .map(|it| (it.name.as_str(), it.loaded_as.as_str()))
            .collect();
        assert_eq!(
            names,
            [
                ("m", "m"),
                ("sets", "sets@followed"),
                ("lists", "lists@followed")
            ]
        );
    }
}
