//! Instrumented programs: the user's modules, the OTP modules that they use, and their code.

use std::collections::HashMap;
use std::path::PathBuf;

use erlang_term::{Atom, Term};
use flattener::flat::{self, TailForm, to_ast};
use flattener::{Detail, parse_module, print_module};
use instrumenter::linking::{self, Library, replace_stubs};
use models::is_followed;
use rayon::prelude::*;
use trace_format::manifest::{hash, interface};
use trace_format::{Program, Wire};

use crate::beam::{BeamError, Effort, Helper};
use crate::failure::Failure;
use crate::program::library_models::model;
use crate::program::opaque_code::OpaqueCode;
use crate::program::renaming::needed_by_node;
use crate::sources::front_end::{FrontEnd, LibraryBeam};

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

/// The flat forms of OTP modules, or of their models.
pub(crate) fn load_modules(
    front_end: &FrontEnd,
    names: &[Atom],
) -> Result<Vec<flat::Module>, Failure> {
    let helper = front_end.helper()?;
    let mut found = Vec::new();
    let mut paths = Vec::new();
    for name in names {
        match model(name.as_str()) {
            Some(text) => found.push(flat_module(name, text)?),
            None => paths.extend(library_beam(&helper, name)?),
        }
    }
    for module in front_end.load_library(&paths)? {
        let mut module = module.flatten()?;
        replace_stubs(&mut module);
        found.push(module);
    }
    Ok(found)
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

/// The flat form of a module that is embedded in this tool, or made by it.
pub(crate) fn flat_module(name: &Atom, text: &str) -> Result<flat::Module, Failure> {
    let bad = |what: String| Failure::from(BeamError::BadAnswer(format!("{name}: {what}")));
    let module = parse_module(text).map_err(|error| bad(error.to_string()))?;
    flattener::flatten(module).map_err(|errors| bad(format!("{errors:?}")))
}

/// The path of an OTP module.
pub(crate) fn beam_path(helper: &Helper, name: &Atom) -> Result<Option<PathBuf>, Failure> {
    Ok(library_beam(helper, name)?.map(|it| it.path))
}

/// The file of a module of OTP or of Elixir.
fn library_beam(helper: &Helper, name: &Atom) -> Result<Option<LibraryBeam>, Failure> {
    let command = Term::Tuple(vec![Term::atom("which"), Term::Atom(name.clone())]);
    let Ok(answer) = helper.call(command)? else {
        return Ok(None);
    };
    let path = answer.get("path").and_then(Term::as_binary);
    let implementations = answer.get("implementations").map(ToString::to_string);
    Ok(path.map(|path| LibraryBeam {
        path: PathBuf::from(String::from_utf8_lossy(path).into_owned()),
        implementations: implementations.unwrap_or_default(),
    }))
}
