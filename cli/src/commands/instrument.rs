//! `erlconcolic instrument`: creates a folder with everything that runs need.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

use erlang_term::Atom;
use flattener::ast::Attribute;
use flattener::flat;
use rayon::prelude::*;
use reports::visible_name;
use trace_format::manifest::{Manifest, ManifestModule, ManifestSource, VERSION};
use trace_format::{Program, Wire};

use crate::arguments::{InstrumentOptions, WireChoice};
use crate::beam::RUNTIME_BEAMS;
use crate::failure::Failure;
use crate::files::output::{file_name, write_files};
use crate::program::build_folder::{
    BuildFolder, flat_file, hash_file, instrumented_file, library_file, original_file, program_hash,
};
use crate::program::instrumented::{Build, Reuse, build, flat_text};
use crate::program::renaming::{NamedModule, Renaming};
use crate::program::target::original_code;
use crate::sources::finding::{MANIFEST, find_sources};
use crate::sources::front_end::{FrontEnd, Loaded};
use crate::sources::surroundings::hash_surroundings;
use crate::terminal::printing::print_result;
use crate::terminal::render;

const VERSION_OF_TOOL: &str = env!("CARGO_PKG_VERSION");

pub(crate) fn run(options: &InstrumentOptions) -> Result<(), Failure> {
    let sources = find_sources(&options.sources)?;
    let front_end = FrontEnd::new(&options.compilation)?;
    if options.emit.is_some() {
        return emit(&front_end, &sources);
    }
    let Some(output) = &options.output else {
        return Ok(());
    };
    let wire = wire(options.wire);
    let otp = front_end.otp_release()?;
    // Nothing is reused from another compiler or another version of this tool.
    let earlier = BuildFolder::open(output)
        .ok()
        .filter(|it| it.manifest.otp == otp && it.manifest.tool == VERSION_OF_TOOL);
    let options_hash = hash_surroundings(&options.compilation, &sources);
    let loaded = user_modules(&front_end, &sources, earlier.as_ref(), &options_hash);
    render::show(&front_end.take_warnings());
    let mut own = loaded?;
    let named = own.modules.iter().map(|it| NamedModule::from(&it.flat));
    let renaming = Renaming::find(&*front_end.helper()?, named)?;
    if earlier
        .as_ref()
        .is_some_and(|it| has_other_names(it, &renaming))
    {
        own = user_modules(&front_end, &sources, None, &options_hash)?;
    }
    let UserModules { modules, again } = own;
    let reuse = earlier
        .as_ref()
        .map_or_else(Reuse::default, BuildFolder::reuse);
    // This releases the lock on the folder.
    let modules_before = earlier.map(|it| it.manifest.modules.len());
    let known: Vec<String> = reuse.beams.keys().cloned().collect();
    let flats = modules.iter().map(|module| module.flat.clone()).collect();
    // The helper can do both in parallel.
    let (built, originals) = rayon::join(
        || build(&front_end, flats, wire, reuse),
        || originals(&front_end, &modules, &renaming),
    );
    let (built, originals) = (built?, originals?);
    let made = built.keys.iter().filter(|key| !known.contains(key));
    let made = made.count();
    let total = built.keys.len();
    if made > 0 || again > 0 || modules_before != Some(total) {
        write(output, otp, &modules, &originals, &built, wire)?;
    }
    let library = total - modules.len();
    print_result(
        &mut io::stderr().lock(),
        [format!(
            "instrumented {made} of {total} modules ({library} from OTP) in {}\n",
            visible_name(&output.to_string_lossy())
        )],
    )
}

pub(crate) fn wire(choice: WireChoice) -> Wire {
    match choice {
        WireChoice::Full => Wire::Full,
        WireChoice::Lean => Wire::Lean,
    }
}

fn emit(front_end: &FrontEnd, sources: &[PathBuf]) -> Result<(), Failure> {
    let loaded = front_end.load(sources);
    render::show(&front_end.take_warnings());
    let modules = loaded?
        .into_iter()
        .map(|module| Ok((module.flatten()?, Atom::new(""))))
        .collect::<Result<Vec<_>, Failure>>()?;
    let program = Program::new(modules);
    let texts =
        (0..program.modules().len()).filter_map(|number| instrumenter::figure_9(&program, number));
    print_result(&mut io::stdout().lock(), texts)
}

/// A module of the user.
struct UserModule {
    flat: flat::Module,
    original: Original,
    source: ManifestSource,
}

/// A module without instrumentation.
enum Original {
    Compiled(Vec<u8>),
    /// Its path and its Core Erlang.
    ToCompile(PathBuf, String),
}

struct UserModules {
    modules: Vec<UserModule>,
    /// How many were compiled.
    again: usize,
}

/// The modules of the user. Unchanged ones are read from an earlier build.
fn user_modules(
    front_end: &FrontEnd,
    paths: &[PathBuf],
    earlier: Option<&BuildFolder>,
    options: &str,
) -> Result<UserModules, Failure> {
    let unchanged = earlier.map(|earlier| earlier.unchanged(options));
    let mut known: HashMap<&PathBuf, UserModule> = HashMap::new();
    if let (Some(unchanged), Some(earlier)) = (&unchanged, earlier) {
        for path in paths {
            if let Some(module) = unchanged.get(path)
                && let Some(source) = &module.source
                && let (Ok(flat), Ok(original)) =
                    (earlier.flat(&module.file), earlier.original(&module.file))
            {
                let module = UserModule {
                    flat,
                    original: Original::Compiled(original),
                    source: source.clone(),
                };
                known.insert(path, module);
            }
        }
    }
    let missing: Vec<PathBuf> = paths
        .iter()
        .filter(|path| !known.contains_key(path))
        .cloned()
        .collect();
    let mut made = front_end
        .load_to_compile(&missing)?
        .into_par_iter()
        .map(|loaded| Ok((loaded.path.clone(), user_module(loaded, options)?)))
        .collect::<Result<HashMap<_, _>, Failure>>()?;
    let again = made.len();
    let modules = paths
        .iter()
        .filter_map(|path| known.remove(path).or_else(|| made.remove(path)))
        .collect();
    Ok(UserModules { modules, again })
}

fn user_module(loaded: Loaded, options: &str) -> Result<UserModule, Failure> {
    let mut files = vec![loaded.path.clone()];
    files.extend(included_files(&loaded.module.attributes));
    files.dedup();
    let files = files
        .iter()
        .filter_map(|path| Some((path.display().to_string(), hash_file(path)?)))
        .collect();
    let source = ManifestSource {
        path: loaded.path.display().to_string(),
        files,
        options: options.to_owned(),
    };
    Ok(UserModule {
        original: Original::ToCompile(loaded.path.clone(), loaded.text.clone()),
        flat: loaded.flatten()?,
        source,
    })
}

/// Whether other modules had to be renamed in an earlier build. All modules may refer to them.
fn has_other_names(earlier: &BuildFolder, renaming: &Renaming) -> bool {
    let modules = earlier.manifest.modules.iter();
    let own = modules.filter(|it| it.source.is_some());
    let renamed = own.filter(|it| it.name != it.loaded_as);
    let renamed: Vec<Atom> = renamed.map(|it| Atom::new(&it.name)).collect();
    renamed.iter().collect::<Vec<_>>() != renaming.names()
}

/// The code of modules without instrumentation.
fn originals(
    front_end: &FrontEnd,
    modules: &[UserModule],
    renaming: &Renaming,
) -> Result<Vec<Vec<u8>>, Failure> {
    let code = |module: &UserModule| match &module.original {
        Original::Compiled(code) => Ok(code.clone()),
        Original::ToCompile(path, text) => original_code(front_end, path, text, renaming),
    };
    modules.par_iter().map(code).collect()
}

/// The files in `-file` attributes: a source and the headers that it includes.
fn included_files(attributes: &[Attribute]) -> Vec<PathBuf> {
    let names = attributes.iter().flat_map(Attribute::files);
    let mut files: Vec<PathBuf> = names.map(PathBuf::from).collect();
    files.sort();
    files.dedup();
    files
}

fn write(
    output: &Path,
    otp: String,
    modules: &[UserModule],
    originals: &[Vec<u8>],
    built: &Build,
    wire: Wire,
) -> Result<(), Failure> {
    let program = &built.instrumented.program;
    let mut manifest = Manifest {
        version: VERSION,
        tool: VERSION_OF_TOOL.to_owned(),
        otp,
        wire,
        hash: program_hash(&built.texts, wire),
        modules: Vec::new(),
    };
    // Files in the manifest's hash come first, so that a half-written folder is noticed.
    let mut files: Vec<(String, Vec<u8>)> = Vec::new();
    let mut others: Vec<(String, Vec<u8>)> = Vec::new();
    for (number, module) in program.modules().iter().enumerate() {
        let own = modules.get(number);
        let file = file_name(&module.name);
        let entry = ManifestModule {
            name: module.name.as_str().to_owned(),
            loaded_as: module.loaded_as.as_str().to_owned(),
            file: file.clone(),
            source: own.map(|own| own.source.clone()),
            key: built.keys.get(number).cloned().unwrap_or_default(),
            sites: Manifest::sites(&module.flat),
        };
        if let Some(text) = built.texts.get(number) {
            files.push((flat_file(&file), text.clone().into_bytes()));
        }
        if let Some(beam) = built.instrumented.beams.get(number) {
            others.push((instrumented_file(&entry), beam.code.clone()));
        }
        if let Some(original) = originals.get(number) {
            others.push((original_file(&file), original.clone()));
        }
        manifest.modules.push(entry);
    }
    files.append(&mut others);
    for (name, beam) in RUNTIME_BEAMS {
        files.push((format!("runtime/{name}.beam"), beam.to_vec()));
    }
    for (name, module) in &built.library {
        let text = flat_text(module).into_bytes();
        files.push((library_file(&file_name(name)), text));
    }
    // Last: its hash shows whether the other files belong to it.
    let text = serde_json::to_vec_pretty(&manifest).expect("a manifest has only text keys");
    files.push((MANIFEST.to_owned(), text));
    write_files(
        output,
        files
            .iter()
            .map(|(name, bytes)| (name.clone(), bytes.as_slice())),
    )
}
