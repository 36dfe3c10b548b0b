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
mod reach;
mod stubs;

use std::collections::HashMap;

use erlang_term::Atom;
use flattener::flat::{Module, Reference, references};
use trace_format::Program;

pub use self::library::Library;
use self::prune::prune;
pub use self::stubs::{call_elsewhere, replace_stubs};

/// The program of the user's modules and of all that they can reach in the library. A user's module
/// with the name of a module that a BEAM itself needs becomes a copy as well. OTP still means its own
/// functions, so its modules that name a function of the user's are not followed.
pub fn link(
    modules: Vec<Module>,
    library: &HashMap<Atom, Module>,
    is_needed: impl Fn(&Atom) -> bool,
) -> Program {
    let mut reachable = prune(&modules, library);
    let named_like_otp = modules.iter().filter(|it| is_needed(&it.name));
    let named_like_otp: Vec<&Module> = named_like_otp.collect();
    reachable.retain(|module| !names_function_of(module, &named_like_otp));
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

/// Whether a module names a function that one of these exports.
fn names_function_of(module: &Module, others: &[&Module]) -> bool {
    let is_exported = |(name, function): Reference| {
        let mut named = others.iter().filter(|it| it.name == name);
        named.any(|other| other.exports.contains(&function))
    };
    let mut functions = module.functions.iter();
    let names = |function| references(&module.name, function).into_iter();
    !others.is_empty() && functions.any(|it| names(it).any(is_exported))
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
        let mut named_like_otp = module("sets", "'f'/0 = fun () -> call 'dict':'g'()");
        let own_function = named_like_otp.functions.iter().map(|it| it.id.clone());
        named_like_otp.exports = own_function.collect();
        let lists = module("lists", "'g'/0 = fun () -> 1");
        let dict = module("dict", "'g'/0 = fun () -> call 'sets':'f'()");
        let library = [lists, dict].map(|it| (it.name.clone(), it));
        let library = HashMap::from(library);
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
