//! What to run: an instrumented program, its entries, and inputs to start with.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use diagnostic::Diagnostic;
use erlang_term::{Atom, Term};
use flattener::flat;
use rayon::prelude::*;
use reports::{Entry, EntryKind, ExploredCode, Outcome, OwnSources};
use trace_engine::PlayModules;
use trace_format::{Program, Wire};

use crate::beam::worker::Worker;
use crate::beam::{Beam, BeamError};
use crate::failure::Failure;
use crate::program::build_folder::BuildFolder;
use crate::program::contract::{Conditions, Contract};
use crate::program::entry::{Choice, Chosen, read_arguments, read_events};
use crate::program::instrumented::{add_module, instrument, instrument_except};
use crate::program::machine_types::{SpecSources, machine_spec};
use crate::program::machines::MachineOptions;
use crate::program::named_calls::NamedCall;
use crate::program::names::{self, Named};
use crate::program::opaque_code::OpaqueCode;
use crate::program::plays::{OwnModules, Plays};
use crate::program::recipe_grammar::Change;
use crate::program::recipe_wrapper::RecipeWrapper;
use crate::program::renaming::{NamedModule, Renaming};
use crate::program::source_names::own_sources;
use crate::sources::broken_source::{self, BrokenSource};
use crate::sources::finding::{find_sources, is_build_folder};
use crate::sources::front_end::{FrontEnd, Loaded, Runs};
use crate::sources::specs::{OpaqueTypes, Spec, Specs, all_specs, excluded_results};
use crate::terminal::near_path::current_folder;
use crate::terminal::render;

/// The options of the user.
#[derive(Debug)]
pub(crate) struct Request<'options> {
    pub(crate) sources: &'options [PathBuf],
    pub(crate) choice: Choice<'options>,
    /// Inputs as text.
    pub(crate) arguments: &'options [String],
    pub(crate) wire: Option<Wire>,
    /// Modules and functions that are not followed.
    pub(crate) opaque: &'options [String],
    pub(crate) conditions: Conditions<'options>,
    /// Whether what funs of the input are given is checked.
    pub(crate) contracts: bool,
    pub(crate) machines: MachineOptions<'options>,
    /// How specs are read, if inputs are made from them.
    pub(crate) specs: SpecUse,
    pub(crate) runs: Runs,
}

/// Whether inputs are made from specs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SpecUse {
    /// They are, with these values of opaque types.
    Read(OpaqueTypes),
    /// Inputs are made without specs.
    Ignore,
    /// No inputs are made.
    NoInputs,
}

impl Request<'_> {
    /// Why something was not found. If it may be in a source that does not compile, the errors of
    /// the compiler are the reason.
    fn failed(&self, broken: &[BrokenSource], failure: Failure) -> Failure {
        let modules = self.choice.modules.iter();
        let modules = modules.flat_map(|text| names::modules(text));
        let machines = self.choice.machines.iter().chain(self.choice.calls);
        let modules = modules.chain(machines.flat_map(|text| names::modules(text)));
        let conditions = [self.conditions.before, self.conditions.after];
        let functions = self.choice.entries.iter().map(String::as_str);
        let functions = functions.chain(conditions.into_iter().flatten());
        let modules = functions
            .map(|text| names::function(text).and_then(|it| it.0))
            .chain(modules.map(Some));
        let may_be_in = |module: &Option<Atom>| {
            let is_that =
                |it: &BrokenSource| module.as_ref().is_none_or(|name| *name == it.module());
            broken.iter().any(is_that)
        };
        if !broken.is_empty() && (self.choice.all || modules.into_iter().any(|it| may_be_in(&it))) {
            return Failure(broken_source::errors(broken));
        }
        render::show(&broken_source::warnings(broken));
        failure
    }
}

/// An instrumented program, and what to run of it.
#[derive(Debug)]
pub(crate) struct Target {
    pub(crate) program: Program,
    pub(crate) beams: Vec<Beam>,
    pub(crate) wire: Wire,
    /// The functions to run; at least one.
    pub(crate) chosen: Vec<Chosen>,
    /// The contract of the function, if there is only one.
    pub(crate) contract: Option<Contract>,
    /// The inputs of the function, if there is only one; each is a list.
    pub(crate) arguments: Vec<Term>,
    /// The specs of the functions that have one.
    specs: Specs,
    /// What plays machines and calls.
    plays: Plays,
    /// What makes arguments of opaque types.
    recipes: RecipeWrapper,
    /// What checks the arguments of funs.
    fun_contracts: RecipeWrapper,
    /// The command that tells where other code is.
    pub(crate) configuration: Term,
    /// How many modules belong to the user; they come first.
    pub(crate) own_modules: usize,
    /// Sources that do not compile.
    pub(crate) broken: Vec<BrokenSource>,
    /// Modules of the user that are loaded under other names.
    pub(crate) renaming: Renaming,
    originals: Originals,
}

/// An instrumented function.
#[derive(Clone, Debug)]
pub(crate) struct Start {
    /// Module and index in the program.
    pub(crate) number: (usize, usize),
    /// The name of the loaded module.
    pub(crate) module: Atom,
    /// The function that has its body and writes the log.
    pub(crate) body: Atom,
}

/// Where the user's modules without instrumentation are.
#[derive(Debug)]
enum Originals {
    /// From a build folder: the paths of the sources, and the code. The folder may be replaced
    /// during the search.
    Built(Vec<PathBuf>, Vec<Beam>),
    /// Names, paths of the sources, and their Core Erlang; and the code, once it is compiled.
    Sources(Vec<(Atom, PathBuf, String)>, Mutex<Option<Vec<Beam>>>),
}

impl Target {
    /// Finds or makes the instrumented program. Errors in entry and arguments are found before
    /// anything is instrumented.
    pub(crate) fn prepare(request: &Request<'_>, front_end: &FrontEnd) -> Result<Self, Failure> {
        let sources = sources_or_default(request.sources)?;
        if let [folder] = sources.as_slice()
            && is_build_folder(folder)
        {
            front_end.get_ready(request.runs);
            return Self::from_build(request, front_end, folder);
        }
        let sources = find_sources(&sources)?;
        front_end.get_ready(request.runs);
        let loaded = front_end.load_what_compiles(&sources);
        render::show(&front_end.take_warnings());
        let (loaded, broken) = loaded?;
        let opaque = OpaqueCode::read(request.opaque)?;
        let is_followed = |module: &Loaded| !opaque.hides(&module.module.name);
        let (loaded, hidden): (Vec<_>, Vec<_>) = loaded.into_iter().partition(is_followed);
        let sources_of = |modules: &[Loaded]| -> Vec<(Atom, PathBuf, String)> {
            let parts = |it: &Loaded| (it.module.name.clone(), it.path.clone(), it.text.clone());
            modules.iter().map(parts).collect()
        };
        let own = loaded.iter().chain(&hidden);
        let own = own.map(|it| NamedModule::from(&it.module));
        let renaming = Renaming::find(&*front_end.helper()?, own)?;
        let hidden = sources_of(&hidden);
        let originals = [sources_of(&loaded), hidden.clone()].concat();
        let native = opaque.native_copies(&loaded, &renaming, front_end)?;
        let modules = loaded
            .into_iter()
            .map(Loaded::flatten)
            .collect::<Result<Vec<_>, _>>()?;
        let modules = opaque.cut_own(modules);
        let chosen = request.choice.find(&modules);
        let chosen = chosen.map_err(|failure| request.failed(&broken, failure))?;
        let (arguments, contract) = inputs_and_contract(request, &chosen, &modules, front_end)
            .map_err(|failure| request.failed(&broken, failure))?;
        render::show(&broken_source::warnings(&broken));
        let files = originals.iter().map(|it| (it.0.clone(), it.1.clone()));
        let files: Vec<(Atom, PathBuf)> = files.collect();
        let own = OwnModules {
            modules: &modules,
            files: &files,
        };
        let plays = find_plays(request, &chosen, own, front_end)
            .map_err(|failure| request.failed(&broken, failure))?;
        let specs = read_specs(request, &chosen, own, &plays, front_end)?;
        let wrapped = (contract.as_ref(), &plays);
        let fun_contracts = check_funs(request.contracts, &chosen, wrapped, &specs, &modules);
        let wrapped = (contract.as_ref(), &plays, &fun_contracts);
        let recipes = wrap(request.specs, &chosen, wrapped, &specs, &arguments);
        let wire = request.wire.unwrap_or(Wire::Lean);
        let own_modules = modules.len();
        let mut modules = modules;
        if let Some(contract) = &contract {
            modules.push(contract.flat()?);
        }
        modules.extend(plays.flat()?);
        modules.extend(fun_contracts.flat()?);
        modules.extend(recipes.flat()?);
        let instrumented = instrument_except(front_end, modules, wire, &opaque)?;
        let mut beams = instrumented.beams;
        beams.extend(compile_originals(front_end, &hidden, &renaming)?);
        beams.extend(native);
        Ok(Self {
            program: instrumented.program,
            beams,
            wire,
            chosen,
            contract,
            arguments,
            specs,
            plays,
            recipes,
            fun_contracts,
            configuration: front_end.configuration(&sources),
            own_modules,
            broken,
            renaming,
            originals: Originals::Sources(originals, Mutex::default()),
        })
    }

    fn from_build(
        request: &Request<'_>,
        front_end: &FrontEnd,
        folder: &Path,
    ) -> Result<Self, Failure> {
        if !request.opaque.is_empty() {
            let title = format!("{} is already instrumented", folder.display());
            return Err(Diagnostic::error("bad-build", title)
                .help("--opaque needs the sources: name them instead")
                .into());
        }
        let build = BuildFolder::open(folder)?;
        build.check_sources()?;
        let wire = build.manifest.wire;
        if request.wire.is_some_and(|wanted| wanted != wire) {
            let title = format!("{} was created with another --wire", folder.display());
            return Err(Diagnostic::error("bad-build", title)
                .help("drop --wire, or instrument again with this wire")
                .into());
        }
        let (program, beams) = build.load()?;
        let names = build.manifest.modules.iter();
        let names: Vec<String> = names
            .filter(|entry| entry.source.is_some())
            .map(|entry| entry.file.clone())
            .collect();
        let originals = program.modules().iter().zip(&names).map(|(module, file)| {
            let (name, code) = (module.loaded_as.clone(), build.original(file)?);
            Ok(Beam { name, code })
        });
        let originals = originals.collect::<Result<Vec<_>, Failure>>()?;
        let modules = program.modules().iter().take(names.len());
        let loaded = modules.clone();
        let loaded = loaded.map(|it| (it.name.clone(), it.loaded_as.clone()));
        let renaming = Renaming::of_build(loaded);
        let own: Vec<flat::Module> = modules.map(|module| module.flat.clone()).collect();
        let chosen = request.choice.find(&own)?;
        let (arguments, contract) = inputs_and_contract(request, &chosen, &own, front_end)?;
        let sources = build.sources();
        front_end.find_elixir(&sources)?;
        let own_names = own.iter().map(|it| it.name.clone());
        let files: Vec<(Atom, PathBuf)> = own_names.zip(sources.iter().cloned()).collect();
        let named = OwnModules {
            modules: &own,
            files: &files,
        };
        let plays = find_plays(request, &chosen, named, front_end)?;
        let specs = read_specs(request, &chosen, named, &plays, front_end)?;
        let wrapped = (contract.as_ref(), &plays);
        let fun_contracts = check_funs(request.contracts, &chosen, wrapped, &specs, &own);
        let wrapped = (contract.as_ref(), &plays, &fun_contracts);
        let recipes = wrap(request.specs, &chosen, wrapped, &specs, &arguments);
        let (mut program, mut beams) = (program, beams);
        let mut wrappers = plays.flat()?;
        wrappers.extend(fun_contracts.flat()?);
        wrappers.extend(recipes.flat()?);
        if !wrappers.is_empty() {
            // They may call functions of OTP that the program does not have.
            let contract = contract.as_ref().map(Contract::flat).transpose()?;
            let modules = own.into_iter().chain(contract).chain(wrappers);
            let instrumented = instrument(front_end, modules.collect(), wire)?;
            (program, beams) = (instrumented.program, instrumented.beams);
        } else if let Some(contract) = &contract {
            program = add_module(front_end, program, contract.flat()?, wire, &mut beams)?;
        }
        Ok(Self {
            program,
            beams,
            wire,
            chosen,
            contract,
            arguments,
            specs,
            plays,
            recipes,
            fun_contracts,
            configuration: front_end.configuration(&sources),
            own_modules: names.len(),
            broken: Vec::new(),
            renaming,
            originals: Originals::Built(sources, originals),
        })
    }

    /// The function, if the user named one and nothing else.
    pub(crate) fn only_entry(&self) -> Option<&Entry> {
        match self.chosen.as_slice() {
            [only] if only.is_named => Some(&only.entry),
            _ => None,
        }
    }

    /// The code that reports are about.
    pub(crate) fn explored_code(&self) -> ExploredCode<'_> {
        ExploredCode {
            program: &self.program,
            own_modules: self.own_modules,
            source_paths: self.source_paths(),
            folder: current_folder(),
        }
    }

    /// The function of the original code that is run: the entry, or the wrapper of its contract, of
    /// its funs or of a machine.
    pub(crate) fn start(&self, entry: &Entry) -> Entry {
        let wrapped = (self.contract.as_ref(), &self.plays, &self.fun_contracts);
        start(entry, wrapped)
    }

    /// The same in the instrumented program. It may have a wrapper that makes its arguments.
    pub(crate) fn instrumented_start(&self, entry: &Entry) -> Result<Start, Failure> {
        let wrapper = self.recipes.start(entry);
        let Entry {
            module, function, ..
        } = wrapper.unwrap_or_else(|| self.start(entry));
        let number = self.program.exported(&module, &function);
        let start = number.and_then(|number| {
            let loaded = self.program.module(number.0)?;
            Some(Start {
                number,
                module: loaded.loaded_as.clone(),
                body: loaded.body_name(number.1)?.clone(),
            })
        });
        start.ok_or_else(|| BeamError::BadAnswer("an entry is missing".to_owned()).into())
    }

    /// The arguments of the wrapper of an entry for some calls; or the number of the first call that
    /// fits no spec.
    pub(crate) fn call_arguments(
        &self,
        entry: &Entry,
        calls: &[NamedCall],
    ) -> Result<Vec<Term>, usize> {
        self.plays.call_arguments(entry, calls)
    }

    /// The modules of plays; `None` if nothing is played.
    pub(crate) fn marks(&self) -> Option<PlayModules> {
        Some(PlayModules {
            marks: self.program.number(&self.plays.marks()?)?,
            own: self.own_modules,
        })
    }

    /// Removes what wraps the entry from an outcome.
    pub(crate) fn tidy(&self, outcome: &mut Outcome) {
        self.recipes.tidy(outcome);
        self.tidy_original(outcome);
    }

    /// The same for an outcome of the original code.
    pub(crate) fn tidy_original(&self, outcome: &mut Outcome) {
        self.plays.tidy(outcome);
        self.fun_contracts.tidy(outcome);
        if let Some(contract) = &self.contract {
            contract.tidy(outcome);
        }
    }

    /// The spec of a chosen function.
    pub(crate) fn spec(&self, entry: &Entry) -> Option<&Spec> {
        self.specs.get(entry)
    }

    /// The same with opaque types as they are declared; `None` if nothing is opaque.
    pub(crate) fn open_spec(
        &self,
        front_end: &FrontEnd,
        entry: &Entry,
    ) -> Result<Option<Spec>, Failure> {
        if self.recipes.start(entry).is_none() {
            return Ok(None);
        }
        let modules = self.program.modules().iter().map(|it| it.name.clone());
        let files: Vec<(Atom, PathBuf)> = modules.zip(self.source_paths()).collect();
        let specs = all_specs(front_end, [entry.clone()], &files, OpaqueTypes::Open)?;
        Ok(specs.into_values().next())
    }

    /// A worker for the instrumented code.
    pub(crate) fn worker(&self) -> Worker {
        let (beams, configuration) = (self.beams.clone(), self.configuration.clone());
        Worker::new(&self.program, beams, configuration)
            .with_aliases(self.renaming.aliases())
            .without(self.broken.iter().map(BrokenSource::module).collect())
    }

    /// The sources that do not compile.
    pub(crate) fn broken_paths(&self) -> Vec<String> {
        let broken = self.broken.iter();
        broken.map(|it| it.path.display().to_string()).collect()
    }

    /// The source that would have this function, given as `m:f/1`, if it does not compile.
    pub(crate) fn broken_source_of(&self, function: &str) -> Option<&Path> {
        let (module, _) = names::function(function)?;
        let module = module?;
        let broken = self.broken.iter().find(|it| it.module() == module);
        broken.map(|it| it.path.as_path())
    }

    /// The files of the user's modules, in their order.
    pub(crate) fn source_paths(&self) -> Vec<PathBuf> {
        match &self.originals {
            Originals::Built(sources, _) => sources.clone(),
            Originals::Sources(sources, _) => sources.iter().map(|it| it.1.clone()).collect(),
        }
    }

    /// The user's modules and their sources.
    pub(crate) fn own_sources(&self) -> OwnSources {
        let own = self.program.modules().iter().take(self.own_modules);
        let code = own.clone().map(|it| &it.flat);
        match &self.originals {
            Originals::Built(sources, _) => {
                // The code may have other names.
                let names = own.map(|it| it.name.clone());
                own_sources(names.zip(sources.iter().cloned()), code)
            }
            Originals::Sources(sources, _) => {
                let sources = sources.iter().map(|it| (it.0.clone(), it.1.clone()));
                own_sources(sources, code)
            }
        }
    }

    /// A worker for the user's modules without instrumentation.
    pub(crate) fn original_worker(&self, front_end: &FrontEnd) -> Result<Worker, Failure> {
        let mut beams = self.original_beams(front_end)?;
        if let Some(contract) = &self.contract {
            beams.push(contract.beam(front_end, &self.renaming)?);
        }
        beams.extend(self.plays.beams(front_end, &self.renaming)?);
        beams.extend(self.fun_contracts.beam(front_end, &self.renaming)?);
        let configuration = self.configuration.clone();
        Ok(Worker::for_original_code(beams, configuration)
            .making_values(excluded_results(&self.specs))
            .with_aliases(self.renaming.aliases())
            .with(front_end.standby()))
    }

    /// The user's modules without instrumentation. They are compiled once, and threads that want
    /// them meanwhile wait.
    pub(crate) fn original_beams(&self, front_end: &FrontEnd) -> Result<Vec<Beam>, Failure> {
        let (sources, compiled) = match &self.originals {
            Originals::Built(_, beams) => return Ok(beams.clone()),
            Originals::Sources(sources, compiled) => (sources, compiled),
        };
        let mut compiled = compiled.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(beams) = compiled.as_ref() {
            return Ok(beams.clone());
        }
        let beams = compile_originals(front_end, sources, &self.renaming)?;
        *compiled = Some(beams.clone());
        Ok(beams)
    }
}

/// Compiles modules without instrumentation, given by name, path and Core Erlang.
fn compile_originals(
    front_end: &FrontEnd,
    sources: &[(Atom, PathBuf, String)],
    renaming: &Renaming,
) -> Result<Vec<Beam>, Failure> {
    let compile = |(name, path, text): &(Atom, PathBuf, String)| {
        let code = original_code(front_end, path, text, renaming)?;
        let name = renaming.loaded_as(name).clone();
        Ok(Beam { name, code })
    };
    sources.par_iter().map(compile).collect()
}

/// The contents of a beam; other sources are compiled from their Core Erlang, and so are beams if
/// a module has another name.
pub(crate) fn original_code(
    front_end: &FrontEnd,
    path: &Path,
    text: &str,
    renaming: &Renaming,
) -> Result<Vec<u8>, Failure> {
    if !renaming.is_empty() {
        return front_end.compile_renamed(path, text, &renaming.renamings());
    }
    if path.extension().is_some_and(|it| it == "beam") {
        return std::fs::read(path).map_err(|error| Failure::io("read", path, &error));
    }
    front_end.compile_original(path, text)
}

/// The inputs and the contract of the only function. Several functions have neither.
fn inputs_and_contract(
    request: &Request<'_>,
    chosen: &[Chosen],
    modules: &[flat::Module],
    front_end: &FrontEnd,
) -> Result<(Vec<Term>, Option<Contract>), Failure> {
    if let [only] = chosen
        && only.is_named
    {
        let texts = request.arguments.iter();
        if only.entry.kind == EntryKind::Calls {
            return no_inputs_of_calls(request);
        }
        if only.entry.behaviour().is_some() {
            let arity = request.machines.length + 1;
            let inputs = texts.map(|text| read_events(text, arity, &*front_end.helper()?));
            return Ok((inputs.collect::<Result<Vec<_>, Failure>>()?, None));
        }
        let arguments = texts.map(|text| read_arguments(&only.entry, text, &*front_end.helper()?));
        let arguments = arguments.collect::<Result<Vec<_>, Failure>>()?;
        let contract = Contract::find(request.conditions, &only.entry, modules)?;
        return Ok((arguments, contract));
    }
    let help = "name one function with --entry, without --all and --module";
    if request.conditions.is_some() {
        let title = "--pre and --post need a single function";
        return Err(Diagnostic::error("bad-condition", title).help(help).into());
    }
    if !request.arguments.is_empty() {
        let title = "--args needs a single function";
        return Err(Diagnostic::error("bad-arguments", title).help(help).into());
    }
    Ok((Vec::new(), None))
}

/// Calls have neither inputs that the user writes nor a contract.
fn no_inputs_of_calls(request: &Request<'_>) -> Result<(Vec<Term>, Option<Contract>), Failure> {
    let error = if request.conditions.is_some() {
        let title = "--pre and --post need a single function";
        Diagnostic::error("bad-condition", title).help("--invariant says what must hold for calls")
    } else if !request.arguments.is_empty() {
        let title = "--args needs a single function";
        Diagnostic::error("bad-arguments", title).help("drop it: calls are found by the search")
    } else {
        return Ok((Vec::new(), None));
    };
    Err(error.into())
}

/// What is played among what the user chose.
fn find_plays(
    request: &Request<'_>,
    chosen: &[Chosen],
    own: OwnModules<'_>,
    front_end: &FrontEnd,
) -> Result<Plays, Failure> {
    let opaque = match request.specs {
        SpecUse::Read(opaque) => opaque,
        SpecUse::Ignore | SpecUse::NoInputs => OpaqueTypes::Made,
    };
    Plays::find(
        chosen.iter().map(|it| &it.entry),
        request.machines,
        request.conditions,
        (own, opaque),
        front_end,
    )
}

/// The specs of the chosen functions, if they are wanted, and the types of what is played.
fn read_specs(
    request: &Request<'_>,
    chosen: &[Chosen],
    OwnModules { modules, files }: OwnModules<'_>,
    plays: &Plays,
    front_end: &FrontEnd,
) -> Result<Specs, Failure> {
    let entries = || chosen.iter().map(|it| &it.entry);
    let (mut specs, opaque) = match request.specs {
        SpecUse::Read(opaque) => {
            let functions = entries().filter(|it| it.is_function());
            let specs = all_specs(front_end, functions.cloned(), files, opaque)?;
            (specs, Some(opaque))
        }
        SpecUse::Ignore => (Specs::new(), None),
        SpecUse::NoInputs => return Ok(Specs::new()),
    };
    let sources = SpecSources {
        front_end,
        files,
        opaque,
    };
    let MachineOptions { events, length, .. } = request.machines;
    for entry in entries() {
        let module = modules.iter().find(|it| it.name == entry.module);
        if let (Some(behaviour), Some(module)) = (entry.behaviour(), module) {
            let machine = (entry, behaviour);
            let spec = machine_spec(machine, module, events, length, &sources)?;
            specs.insert(entry.clone(), spec);
        }
        let calls = plays.call_spec(entry).cloned();
        specs.extend(calls.map(|spec| (entry.clone(), spec)));
    }
    Ok(specs)
}

/// The function that a run of an entry begins with.
fn start(
    entry: &Entry,
    (contract, plays, fun_contracts): (Option<&Contract>, &Plays, &RecipeWrapper),
) -> Entry {
    let wrapper = fun_contracts.start(entry);
    wrapper.unwrap_or_else(|| unchecked_start(entry, (contract, plays)))
}

/// The same without checks of funs.
fn unchecked_start(entry: &Entry, (contract, plays): (Option<&Contract>, &Plays)) -> Entry {
    let wrapper = contract.map(Contract::start);
    let wrapper = wrapper.or_else(|| plays.start(entry));
    wrapper.unwrap_or_else(|| entry.clone())
}

/// The wrappers of the functions whose funs are checked, if that is wanted.
fn check_funs(
    is_wanted: bool,
    chosen: &[Chosen],
    wrapped: (Option<&Contract>, &Plays),
    specs: &Specs,
    modules: &[flat::Module],
) -> RecipeWrapper {
    let mut wrapper = RecipeWrapper::new(Change::CheckFuns);
    let functions = chosen.iter().map(|it| &it.entry);
    for entry in functions.filter(|it| is_wanted && it.is_function()) {
        let start = unchecked_start(entry, wrapped);
        wrapper.wrap(entry, &start, specs.get(entry), &[]);
    }
    wrapper.at_places_in(modules)
}

/// The wrappers of the functions whose arguments are made.
fn wrap(
    usage: SpecUse,
    chosen: &[Chosen],
    wrapped: (Option<&Contract>, &Plays, &RecipeWrapper),
    specs: &Specs,
    arguments: &[Term],
) -> RecipeWrapper {
    let mut wrapper = RecipeWrapper::default();
    if usage == SpecUse::NoInputs {
        return wrapper;
    }
    let seeds = arguments.iter().filter_map(Term::as_list);
    let seeds: Vec<Vec<Term>> = seeds.map(<[Term]>::to_vec).collect();
    for Chosen { entry, .. } in chosen {
        let start = start(entry, wrapped);
        wrapper.wrap(entry, &start, specs.get(entry), &seeds);
    }
    wrapper
}

/// The sources; without any, the build folder or else the sources of the current folder.
pub(crate) fn sources_or_default(sources: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    if !sources.is_empty() {
        return Ok(sources.to_vec());
    }
    let build = PathBuf::from("build");
    let source = PathBuf::from("src");
    if is_build_folder(&build) {
        Ok(vec![build])
    } else if source.is_dir() {
        Ok(vec![source])
    } else {
        Err(Diagnostic::error(
            "no-sources",
            "there is neither build/ nor src/ in this folder",
        )
        .help("name files or folders")
        .into())
    }
}

/// The values of `--allow`, in the form of the runtime.
pub(crate) fn allowed_calls(texts: &[String]) -> Result<Vec<Term>, Failure> {
    let mut allowed_calls = Vec::with_capacity(texts.len());
    for text in texts {
        allowed_calls.extend(allowed(text)?);
    }
    Ok(allowed_calls)
}

/// `m` or `m:f/1`, in the form of the runtime.
fn allowed(text: &str) -> Result<Vec<Term>, Failure> {
    match names::named(text) {
        Some(Named::Modules(modules)) => Ok(modules.into_iter().map(Term::Atom).collect()),
        Some(Named::Function(module, function)) => Ok(vec![Term::Tuple(vec![
            Term::Atom(module),
            Term::Atom(function.name),
            Term::Integer(i64::from(function.arity).into()),
        ])]),
        None => Err(Diagnostic::error(
            "bad-allow",
            format!("--allow {text}: this is neither a module nor a function"),
        )
        .help("write a module, as in --allow file, or a function: --allow file:delete/1")
        .into()),
    }
}
