//! Instrumented programs: the user's modules, the OTP modules that they use, and their code.

use std::collections::HashMap;

use erlang_term::Atom;
use flattener::flat::{self, TailForm, to_ast};
use flattener::{Detail, print_module};
use instrumenter::linking::{self, Library};
use models::is_followed;
use rayon::prelude::*;
use trace_format::manifest::{hash, interface};
use trace_format::{Program, Wire};

use crate::beam::{BeamError, Effort};
use crate::failure::Failure;
use crate::program::library_code::load_modules;
use crate::program::opaque_code::OpaqueCode;
use crate::program::renaming::needed_by_node;
use crate::sources::front_end::FrontEnd;

pub use crate::beam::Beam;

/// A program, and its instrumented code.
#[derive(Debug)]
pub struct Instrumented {
    /// The modules, to which the logs of runs refer.
    pub program: Program,
    /// The code of all its modules.
    pub beams: Vec<Beam>,
}

/// The same, with everything that the next build can reuse.
#[derive(Debug)]
pub struct Build {
    /// The program and its code.
    pub instrumented: Instrumented,
    /// For each module the text of its flat form.
    pub texts: Vec<String>,
    /// For each module a hash of everything that its code depends on.
    pub keys: Vec<String>,
    /// The OTP modules that are used, unshortened.
    pub library: HashMap<Atom, flat::Module>,
}

/// What to reuse from an earlier build.
#[derive(Debug, Default)]
pub struct Reuse {
    /// OTP modules, unshortened.
    pub library: HashMap<Atom, flat::Module>,
    /// Instrumented code, by its key.
    pub beams: HashMap<String, Vec<u8>>,
}

/// Instruments modules and the OTP modules that they use.
///
/// # Errors
/// When there is no Erlang.
pub fn instrument(
    front_end: &FrontEnd,
    modules: Vec<flat::Module>,
    wire: Wire,
) -> Result<Instrumented, Failure> {
    instrument_except(front_end, modules, wire, &OpaqueCode::default())
}

/// The same, without some modules and functions of OTP.
///
/// # Errors
/// When there is no Erlang, or no such function.
pub(crate) fn instrument_except(
    front_end: &FrontEnd,
    modules: Vec<flat::Module>,
    wire: Wire,
    opaque: &OpaqueCode,
) -> Result<Instrumented, Failure> {
    let library = opaque.cut_library(&modules, front_end)?;
    let (program, _) = link(front_end, modules, library, opaque)?;
    let beams = compile_all(front_end, &program, wire, |_| None)?;
    Ok(Instrumented { program, beams })
}

/// Adds a module to an instrumented program, which must have all functions that it calls.
///
/// # Errors
/// When there is no Erlang.
pub(crate) fn add_module(
    front_end: &FrontEnd,
    program: Program,
    module: flat::Module,
    wire: Wire,
    beams: &mut Vec<Beam>,
) -> Result<Program, Failure> {
    let known = program.modules().iter();
    let known = known.map(|it| (it.flat.clone(), it.loaded_as.clone()));
    let name = module.name.clone();
    let number = program.modules().len();
    let program = Program::new(known.chain([(module, name.clone())]));
    let code = compile(front_end, &program, number, wire)?;
    beams.push(Beam { name, code });
    Ok(program)
}

/// Instruments modules and the OTP modules that they use, and reuses results of an earlier build.
///
/// # Errors
/// When there is no Erlang.
pub fn build(
    front_end: &FrontEnd,
    modules: Vec<flat::Module>,
    wire: Wire,
    reuse: Reuse,
) -> Result<Build, Failure> {
    let (program, library) = link(front_end, modules, reuse.library, &OpaqueCode::default())?;
    let texts = flat_texts(&program);
    let keys = keys(&program, &texts, wire);
    let known = |number: usize| reuse.beams.get(keys.get(number)?);
    let beams = compile_all(front_end, &program, wire, known)?;
    Ok(Build {
        instrumented: Instrumented { program, beams },
        texts,
        keys,
        library,
    })
}

/// The program of some modules and the OTP functions that they can reach; and the OTP modules,
/// unshortened.
fn link(
    front_end: &FrontEnd,
    modules: Vec<flat::Module>,
    known: HashMap<Atom, flat::Module>,
    opaque: &OpaqueCode,
) -> Result<(Program, HashMap<Atom, flat::Module>), Failure> {
    let library = load_library(front_end, &modules, known, opaque)?;
    let names: Vec<Atom> = modules.iter().map(|it| it.name.clone()).collect();
    let needed = needed_by_node(&*front_end.helper()?, &names)?;
    let program = linking::link(modules, &library, |name| needed.contains(name));
    Ok((program, library))
}

/// The followed OTP modules that a program uses.
fn load_library(
    front_end: &FrontEnd,
    modules: &[flat::Module],
    known: HashMap<Atom, flat::Module>,
    opaque: &OpaqueCode,
) -> Result<HashMap<Atom, flat::Module>, Failure> {
    let mut library = Library::new(modules, known);
    let is_wanted = |name: &Atom| is_followed(name.as_str()) && !opaque.hides(name);
    loop {
        let missing = library.missing(is_wanted);
        if missing.is_empty() {
            return Ok(library.into_modules());
        }
        for module in load_modules(front_end, &missing)? {
            library.add(module);
        }
    }
}

/// The texts of all flat modules of a program.
pub fn flat_texts(program: &Program) -> Vec<String> {
    let modules = program.modules().par_iter();
    modules.map(|module| flat_text(&module.flat)).collect()
}

/// The text of a flat module, from which it can be read again.
pub fn flat_text(module: &flat::Module) -> String {
    print_module(&to_ast(module, TailForm::Bound), Detail::Full)
}

fn keys(program: &Program, texts: &[String], wire: Wire) -> Vec<String> {
    let interface = interface(program);
    let wire = format!("{wire:?}");
    let key = |text: &String| {
        hash([
            env!("CARGO_PKG_VERSION").as_bytes(),
            wire.as_bytes(),
            interface.as_bytes(),
            text.as_bytes(),
        ])
    };
    texts.par_iter().map(key).collect()
}

/// The instrumented code of all modules; the code of some may be known.
fn compile_all<'code>(
    front_end: &FrontEnd,
    program: &Program,
    wire: Wire,
    known: impl Fn(usize) -> Option<&'code Vec<u8>> + Sync,
) -> Result<Vec<Beam>, Failure> {
    let modules = program.modules().par_iter().enumerate();
    modules
        .map(|(number, module)| {
            let code = match known(number) {
                Some(code) => code.clone(),
                None => compile(front_end, program, number, wire)?,
            };
            let name = module.loaded_as.clone();
            Ok(Beam { name, code })
        })
        .collect()
}

fn compile(
    front_end: &FrontEnd,
    program: &Program,
    number: usize,
    wire: Wire,
) -> Result<Vec<u8>, Failure> {
    let module = instrumenter::instrument(program, number, wire);
    let module = module.expect("the program has a module with this number");
    let code = instrumenter::outline(to_ast(&module, TailForm::Bare));
    let text = print_module(&code, Detail::Code);
    front_end
        .compile_core(&text, Effort::Quick)?
        .map_err(|messages| {
            let what = format!("instrumented {}", module.name);
            BeamError::refused(&what, messages).into()
        })
}
