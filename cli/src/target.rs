//! What is to be run: an instrumented program, its entry, and the inputs to begin with.

use std::path::{Path, PathBuf};

use diagnostic::Diagnostic;
use erlang_term::{Atom, Term};
use flattener::{Detail, flat, parse_module, print_module};
use rayon::prelude::*;
use trace_format::{Program, Wire};

use crate::beam::BeamError;
use crate::build_folder::BuildFolder;
use crate::contract::{Conditions, Contract};
use crate::entry::Entry;
use crate::failure::Failure;
use crate::front_end::{FrontEnd, Loaded};
use crate::instrumented::{Beam, add_module, instrument_except};
use crate::render;
use crate::sources::find_sources;

/// What the user asked for.
#[derive(Debug)]
pub(crate) struct Request<'options> {
    pub(crate) sources: &'options [PathBuf],
    pub(crate) entry: &'options str,
    /// Inputs as text.
    pub(crate) arguments: &'options [String],
    pub(crate) wire: Option<Wire>,
    /// Modules that are not followed.
    pub(crate) opaque: &'options [String],
    pub(crate) conditions: Conditions<'options>,
}

/// What is to be run.
#[derive(Debug)]
pub(crate) struct Target {
    pub(crate) program: Program,
    pub(crate) beams: Vec<Beam>,
    pub(crate) wire: Wire,
    pub(crate) entry: Entry,
    /// What is required of the entry's inputs and results.
    pub(crate) contract: Option<Contract>,
    /// The inputs, each a list.
    pub(crate) arguments: Vec<Term>,
    /// Where the code is that is not instrumented.
    pub(crate) configuration: Term,
    /// How many of the modules are the user's; they come first.
    pub(crate) own_modules: usize,
    originals: Originals,
}

/// Where the user's modules are as they were.
#[derive(Debug)]
enum Originals {
    /// In a build folder, under these names.
    Built(BuildFolder, Vec<String>),
    /// To be compiled: names, paths of the sources, and their Core Erlang.
    Sources(Vec<(Atom, PathBuf, String)>),
}

impl Target {
    /// Finds or makes the instrumented program. Whatever is wrong with entry and arguments is
    /// found before anything is instrumented.
    pub(crate) fn prepare(request: &Request<'_>, front_end: &FrontEnd) -> Result<Self, Failure> {
        let sources = sources_or_default(request.sources)?;
        if let [folder] = sources.as_slice()
            && BuildFolder::is_one(folder)
        {
            return Self::from_build(request, front_end, folder);
        }
        let sources = find_sources(&sources)?;
        let loaded = front_end.load(&sources);
        render::show(&front_end.take_warnings());
        let opaque: Vec<Atom> = request.opaque.iter().map(Atom::new).collect();
        let is_followed = |module: &Loaded| !opaque.contains(&module.module.name);
        let (loaded, hidden): (Vec<_>, Vec<_>) = loaded?.into_iter().partition(is_followed);
        let sources_of = |modules: &[Loaded]| -> Vec<(Atom, PathBuf, String)> {
            let parts = |it: &Loaded| (it.module.name.clone(), it.path.clone(), it.text.clone());
            modules.iter().map(parts).collect()
        };
        let hidden = sources_of(&hidden);
        let originals = [sources_of(&loaded), hidden.clone()].concat();
        let modules = loaded
            .into_iter()
            .map(Loaded::flatten)
            .collect::<Result<Vec<_>, _>>()?;
        let entry = Entry::find("--entry", request.entry, &modules)?;
        let arguments = read_arguments(request, &entry, front_end)?;
        let contract = Contract::find(request.conditions, &entry, &modules)?;
        let wire = request.wire.unwrap_or(Wire::Lean);
        let own_modules = modules.len();
        let mut modules = modules;
        if let Some(contract) = &contract {
            modules.push(contract.flat()?);
        }
        let instrumented = instrument_except(front_end, modules, wire, &opaque)?;
        let mut beams = instrumented.beams;
        beams.extend(compile_originals(front_end, &hidden)?);
        Ok(Self {
            program: instrumented.program,
            beams,
            wire,
            entry,
            contract,
            arguments,
            configuration: front_end.configuration(&sources),
            own_modules,
            originals: Originals::Sources(originals),
        })
    }

    fn from_build(
        request: &Request<'_>,
        front_end: &FrontEnd,
        folder: &Path,
    ) -> Result<Self, Failure> {
        if !request.opaque.is_empty() {
            let title = format!("{} is instrumented already", folder.display());
            return Err(Diagnostic::error("bad-build", title)
                .help("--opaque needs the sources: name them instead")
                .into());
        }
        let build = BuildFolder::open(folder)?;
        build.check_sources()?;
        let wire = build.manifest.wire;
        if request.wire.is_some_and(|wanted| wanted != wire) {
            let title = format!("{} was made for another wire", folder.display());
            return Err(Diagnostic::error("bad-build", title)
                .help("leave out --wire, or instrument again with the one you want")
                .into());
        }
        let (program, beams) = build.load()?;
        let names = build.manifest.modules.iter();
        let names: Vec<String> = names
            .filter(|entry| entry.source.is_some())
            .map(|entry| entry.file.clone())
            .collect();
        let modules = program.modules().iter().take(names.len());
        let own: Vec<flat::Module> = modules.map(|module| module.flat.clone()).collect();
        let entry = Entry::find("--entry", request.entry, &own)?;
        let arguments = read_arguments(request, &entry, front_end)?;
        let contract = Contract::find(request.conditions, &entry, &own)?;
        let (mut program, mut beams) = (program, beams);
        if let Some(contract) = &contract {
            program = add_module(front_end, program, contract.flat()?, wire, &mut beams)?;
        }
        Ok(Self {
            program,
            beams,
            wire,
            entry,
            contract,
            arguments,
            configuration: front_end.configuration(&build.sources()),
            own_modules: names.len(),
            originals: Originals::Built(build, names),
        })
    }

    /// The function that is run: the entry, or what its contract makes of it.
    pub(crate) fn start(&self) -> Entry {
        let contract = self.contract.as_ref();
        contract.map_or_else(|| self.entry.clone(), Contract::start)
    }

    /// Module and index of the function that is run.
    pub(crate) fn start_number(&self) -> Result<(usize, usize), Failure> {
        let Entry { module, function } = &self.start();
        let found = self.program.exported(module, function);
        found.ok_or_else(|| BeamError::BadAnswer("the entry is gone".to_owned()).into())
    }

    /// The file of the entry's module, and those of all of the user's modules.
    pub(crate) fn source_paths(&self) -> (Option<PathBuf>, Vec<PathBuf>) {
        let paths = match &self.originals {
            Originals::Built(build, _) => build.sources(),
            Originals::Sources(sources) => sources.iter().map(|it| it.1.clone()).collect(),
        };
        let number = self.program.number(&self.entry.module);
        let own = number.and_then(|number| paths.get(number).cloned());
        (own.filter(|path| path.exists()), paths)
    }

    /// The module that holds the instrumented function that is run.
    pub(crate) fn loaded_start(&self) -> Atom {
        let module = self.start().module;
        let number = self.program.number(&module);
        let loaded = number.and_then(|number| self.program.module(number));
        loaded.map_or(module, |loaded| loaded.loaded_as.clone())
    }

    /// The code of the user's modules as it is without instrumentation. Those of Erlang itself
    /// are in every node.
    pub(crate) fn original_beams(&self, front_end: &FrontEnd) -> Result<Vec<Beam>, Failure> {
        let mut beams = self.all_original_beams(front_end)?;
        if let Some(contract) = &self.contract {
            let compiled = front_end.helper()?.compile_core(&contract.core())?;
            let code = compiled.map_err(|messages| BeamError::refused("the contract", messages))?;
            let name = contract.start().module;
            beams.push(Beam { name, code });
        }
        let modules = self.program.modules().iter();
        let copies: Vec<&Atom> = modules
            .filter(|module| module.loaded_as != module.name)
            .map(|module| &module.name)
            .collect();
        beams.retain(|beam| !copies.contains(&&beam.name));
        Ok(beams)
    }

    fn all_original_beams(&self, front_end: &FrontEnd) -> Result<Vec<Beam>, Failure> {
        match &self.originals {
            Originals::Built(build, files) => {
                let names = self.program.modules().iter().map(|it| it.name.clone());
                let codes = files.iter().map(|file| build.original(file));
                let beams = names.zip(codes);
                beams
                    .map(|(name, code)| Ok(Beam { name, code: code? }))
                    .collect()
            }
            Originals::Sources(sources) => compile_originals(front_end, sources),
        }
    }
}

/// Modules as they are, given by name, path and Core Erlang.
fn compile_originals(
    front_end: &FrontEnd,
    sources: &[(Atom, PathBuf, String)],
) -> Result<Vec<Beam>, Failure> {
    let compile = |(name, path, text): &(Atom, PathBuf, String)| {
        let code = original_code(front_end, path, text)?;
        let name = name.clone();
        Ok(Beam { name, code })
    };
    sources.par_iter().map(compile).collect()
}

/// A beam as it is; otherwise what the compiler makes of its own Core Erlang.
pub(crate) fn original_code(
    front_end: &FrontEnd,
    path: &Path,
    text: &str,
) -> Result<Vec<u8>, Failure> {
    if path.extension().is_some_and(|it| it == "beam") {
        return std::fs::read(path).map_err(|error| Failure::io("read", path, &error));
    }
    let name = path.display().to_string();
    let module = parse_module(text).map_err(|error| error.diagnostic(&name, text))?;
    let text = print_module(&module, Detail::Full);
    let compiled = front_end.helper()?.compile_core(&text)?;
    compiled.map_err(|messages| BeamError::refused(&name, messages).into())
}

fn read_arguments(
    request: &Request<'_>,
    entry: &Entry,
    front_end: &FrontEnd,
) -> Result<Vec<Term>, Failure> {
    let texts = request.arguments.iter();
    texts
        .map(|text| entry.arguments(text, &*front_end.helper()?))
        .collect()
}

/// Without sources: what `instrument` made, or else the sources of a project.
pub(crate) fn sources_or_default(sources: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    if !sources.is_empty() {
        return Ok(sources.to_vec());
    }
    let build = PathBuf::from("build");
    let source = PathBuf::from("src");
    if BuildFolder::is_one(&build) {
        Ok(vec![build])
    } else if source.is_dir() {
        Ok(vec![source])
    } else {
        Err(
            Diagnostic::error("no-sources", "there is neither build/ nor src/ here")
                .help("name the files or folders to run")
                .into(),
        )
    }
}

/// What `--allow` names, as the runtime takes it.
pub(crate) fn allowed_calls(texts: &[String]) -> Result<Vec<Term>, Failure> {
    texts.iter().map(|text| allowed(text)).collect()
}

/// `m` or `m:f/1`, as the runtime takes it.
fn allowed(text: &str) -> Result<Term, Failure> {
    let function = || {
        let (module, rest) = text.split_once(':')?;
        let (name, arity) = rest.rsplit_once('/')?;
        let arity: u8 = arity.parse().ok()?;
        Some(Term::Tuple(vec![
            Term::atom(module),
            Term::atom(name),
            Term::Integer(i64::from(arity).into()),
        ]))
    };
    if !text.is_empty() && !text.contains([':', '/']) {
        return Ok(Term::atom(text));
    }
    function().ok_or_else(|| {
        Diagnostic::error("bad-allow", format!("--allow {text}: this is no function"))
            .help("write a module, as in --allow file, or a function: --allow file:delete/1")
            .into()
    })
}
