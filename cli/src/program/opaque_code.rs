//! Code that runs as it is because the user says so: `--opaque M` and `--opaque M:F/A`.
//!
//! A module is left out of the program. A function stays in it, and only calls itself elsewhere: a
//! function of OTP calls the original, one of the user's calls a *native copy* of its module.
//!
//! ```text
//! 'f'/1 = fun (X) -> ...      becomes      'f'/1 = fun (X) -> call 'm@native':'f'(X)
//! ```

use std::collections::{BTreeMap, HashMap};

use diagnostic::Diagnostic;
use erlang_term::Atom;
use flattener::ast::{CoreModule, FunctionName, Meta};
use flattener::flat::{FunctionId, Module};
use flattener::{Detail, print_module};
use instrumenter::linking::call_elsewhere;
use models::is_followed;
use reports::Entry;
use trace_format::native_copy;

use crate::beam::{Beam, BeamError, Effort};
use crate::failure::Failure;
use crate::program::entry::nearest;
use crate::program::library_code::load_modules;
use crate::program::names::{self, Named};
use crate::program::renaming::Renaming;
use crate::sources::front_end::{FrontEnd, Loaded};

/// What the user named.
#[derive(Debug, Default)]
pub(crate) struct OpaqueCode {
    modules: Vec<Atom>,
    /// By their modules.
    functions: BTreeMap<Atom, Vec<FunctionId>>,
}

impl OpaqueCode {
    /// Reads the values of `--opaque`.
    pub(crate) fn read(texts: &[String]) -> Result<Self, Failure> {
        let mut opaque = Self::default();
        for text in texts {
            match names::named(text) {
                Some(Named::Modules(modules)) => opaque.modules.extend(modules),
                Some(Named::Function(module, function)) => {
                    opaque.functions.entry(module).or_default().push(function);
                }
                None => {
                    let title = format!("--opaque {text}: this is neither a module nor a function");
                    let help = "write a module, as in --opaque shop, or a function: \
                                --opaque shop:hash/1";
                    return Err(Diagnostic::error("bad-opaque", title).help(help).into());
                }
            }
        }
        let Self { modules, functions } = &mut opaque;
        functions.retain(|module, _| !modules.contains(module));
        Ok(opaque)
    }

    /// Whether a whole module is opaque.
    pub(crate) fn hides(&self, module: &Atom) -> bool {
        self.modules.contains(module)
    }

    /// The native copies of the user's modules that have opaque functions.
    pub(crate) fn native_copies(
        &self,
        own: &[Loaded],
        renaming: &Renaming,
        front_end: &FrontEnd,
    ) -> Result<Vec<Beam>, Failure> {
        let mut copies = Vec::new();
        for Loaded { path, module, .. } in own {
            let Some(functions) = self.functions.get(&module.name) else {
                continue;
            };
            let copy = exporting(functions, module)?;
            let code = if renaming.is_empty() {
                let text = print_module(&copy, Detail::Code);
                let compiled = front_end.compile_core(&text, Effort::Usual)?;
                let name = path.display().to_string();
                compiled.map_err(|messages| BeamError::refused(&name, messages))?
            } else {
                let text = print_module(&copy, Detail::Full);
                front_end.compile_renamed(path, &text, &renaming.renamings())?
            };
            let name = copy.name;
            copies.push(Beam { name, code });
        }
        Ok(copies)
    }

    /// Lets the opaque functions of the user's modules call the native copies.
    pub(crate) fn cut_own(&self, own: Vec<Module>) -> Vec<Module> {
        let cut = |module: Module| match self.functions.get(&module.name) {
            Some(functions) => {
                let native = native_copy(&module.name);
                call_elsewhere(module, functions, &native)
            }
            None => module,
        };
        own.into_iter().map(cut).collect()
    }

    /// The modules of OTP that have opaque functions, which call the originals.
    pub(crate) fn cut_library(
        &self,
        own: &[Module],
        front_end: &FrontEnd,
    ) -> Result<HashMap<Atom, Module>, Failure> {
        let mut cut = HashMap::new();
        for (name, functions) in &self.functions {
            if own.iter().any(|it| it.name == *name) {
                continue;
            }
            for function in functions {
                reject_what_is_not_followed(name, function)?;
            }
            for module in load_modules(front_end, std::slice::from_ref(name))? {
                for function in functions {
                    if !module.exports.contains(function) {
                        return Err(missing(name, function, &module.exports));
                    }
                }
                cut.insert(name.clone(), call_elsewhere(module, functions, name));
            }
        }
        Ok(cut)
    }
}

/// The native copy of a module, from which these functions can be called.
fn exporting(functions: &[FunctionId], module: &CoreModule) -> Result<CoreModule, Failure> {
    let mut copy = module.clone();
    copy.name = native_copy(&module.name);
    let defined = module.definitions.iter().map(|it| FunctionId {
        name: it.name.name.clone(),
        arity: it.name.arity,
    });
    let defined: Vec<FunctionId> = defined.collect();
    for function in functions {
        if !defined.contains(function) {
            return Err(missing(&module.name, function, &defined));
        }
        let is_this = |it: &FunctionName| it.name == function.name && it.arity == function.arity;
        if !copy.exports.iter().any(is_this) {
            copy.exports.push(FunctionName {
                meta: Meta::default(),
                name: function.name.clone(),
                arity: function.arity,
            });
        }
    }
    Ok(copy)
}

/// Only code that would be followed can be made opaque.
fn reject_what_is_not_followed(module: &Atom, function: &FunctionId) -> Result<(), Failure> {
    let (name, arity) = (function.name.as_str(), function.arity);
    let is_built_in = models::find(module.as_str(), name, arity).is_some()
        || models::step(module.as_str(), name, arity).is_some();
    let (why, help) = if is_built_in {
        let why = "it is built into the BEAM, and the tool knows what it does";
        (why, "make a function that calls it opaque")
    } else if !is_followed(module.as_str()) {
        let why = "it is neither in the sources nor in a module of OTP that is followed";
        (why, "drop it: code that is not followed is opaque anyway")
    } else {
        return Ok(());
    };
    let title = format!("--opaque {}: {why}", shown(module, function));
    Err(Diagnostic::error("bad-opaque", title).help(help).into())
}

fn missing(module: &Atom, function: &FunctionId, others: &[FunctionId]) -> Failure {
    let text = shown(module, function);
    let others: Vec<String> = others.iter().map(|it| shown(module, it)).collect();
    let title = format!("--opaque {text}: there is no such function");
    let error = Diagnostic::error("bad-opaque", title);
    let error = match nearest(&text, &others) {
        Some(meant) => error.help(format!("did you mean {meant}?")),
        None => error,
    };
    error.into()
}

fn shown(module: &Atom, function: &FunctionId) -> String {
    Entry::new(module.clone(), function.clone()).to_string()
}
