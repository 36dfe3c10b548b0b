//! The folder that `erlconcolic instrument` creates.
//!
//! ```text
//! manifest.json            the contents of the folder
//! flat/m.core              the flat form of every module
//! instrumented/m.beam      instrumented code, OTP modules under other names
//! runtime/…               modules that instrumented code calls
//! original/m.beam          the user's modules without instrumentation
//! library/m.core           the OTP modules that are used, unshortened
//! ```

use std::collections::HashMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use diagnostic::Diagnostic;
use erlang_term::Atom;
use flattener::{flat, flatten, parse_module};
use rustix::fs::FlockOperation;
use trace_format::manifest::{Manifest, ManifestModule, ManifestSource, VERSION, hash};
use trace_format::{Program, Wire};

use crate::beam::Beam;
use crate::failure::Failure;
use crate::files::output::{file_name, lock_folder};
use crate::program::instrumented::Reuse;
use crate::sources::finding::MANIFEST;

/// A folder with a valid manifest. While this value lives, no other command replaces the folder.
#[derive(Debug)]
pub(crate) struct BuildFolder {
    pub(crate) path: PathBuf,
    pub(crate) manifest: Manifest,
    /// A shared lock: others may read, too.
    _lock: Option<File>,
}

impl BuildFolder {
    /// Opens a folder.
    pub(crate) fn open(path: &Path) -> Result<Self, Failure> {
        let lock = lock_folder(path, FlockOperation::LockShared);
        let file = path.join(MANIFEST);
        let text = fs::read(&file).map_err(|error| Failure::io("read", &file, &error))?;
        let manifest: Manifest = serde_json::from_slice(&text).map_err(|error| {
            Diagnostic::error(
                "bad-build",
                format!("{} is not a valid manifest: {error}", file.display()),
            )
            .help(instrument_again(path))
        })?;
        if manifest.version != VERSION {
            let found = manifest.version;
            return Err(Diagnostic::error(
                "bad-build",
                format!(
                    "{} has version {found}, but this tool needs version {VERSION}",
                    file.display()
                ),
            )
            .help(instrument_again(path))
            .into());
        }
        Ok(Self {
            path: path.to_owned(),
            manifest,
            _lock: lock,
        })
    }

    /// Fails if a source has changed since the folder was created. A source that is gone is fine:
    /// the folder has everything that runs need.
    pub(crate) fn check_sources(&self) -> Result<(), Failure> {
        let mut changes = self.manifest_sources().flat_map(changed_files);
        let Some((path, _)) = changes.find(|(_, now)| now.is_some()) else {
            return Ok(());
        };
        let folder = self.path.display();
        let title = format!("{path} has changed since {folder} was created");
        Err(Diagnostic::error("stale-build", title)
            .help(instrument_again(&self.path))
            .into())
    }

    fn manifest_sources(&self) -> impl Iterator<Item = &ManifestSource> {
        let modules = self.manifest.modules.iter();
        modules.filter_map(|module| module.source.as_ref())
    }

    /// The paths of the user's modules.
    pub(crate) fn sources(&self) -> Vec<PathBuf> {
        let sources = self.manifest_sources();
        sources.map(|source| PathBuf::from(&source.path)).collect()
    }

    /// The program and its instrumented code.
    pub(crate) fn load(&self) -> Result<(Program, Vec<Beam>), Failure> {
        let mut modules = Vec::new();
        let mut beams = Vec::new();
        let mut texts = Vec::new();
        for module in &self.manifest.modules {
            let (text, flat) = self.read_module(&flat_file(&module.file))?;
            let loaded_as = Atom::new(&module.loaded_as);
            beams.push(Beam {
                name: loaded_as.clone(),
                code: self.read(&instrumented_file(module))?,
            });
            modules.push((flat, loaded_as));
            texts.push(text);
        }
        if program_hash(&texts, self.manifest.wire) != self.manifest.hash {
            return Err(self.damaged("its files do not belong together"));
        }
        let program = Program::new(modules);
        Ok((program, beams))
    }

    /// The flat form of a module.
    pub(crate) fn flat(&self, file: &str) -> Result<flat::Module, Failure> {
        Ok(self.read_module(&flat_file(file))?.1)
    }

    /// The original code of a module.
    pub(crate) fn original(&self, file: &str) -> Result<Vec<u8>, Failure> {
        self.read(&original_file(file))
    }

    /// The text of a flat module, and the module.
    fn read_module(&self, name: &str) -> Result<(String, flat::Module), Failure> {
        let bytes = self.read(name)?;
        let damaged = || self.damaged(&format!("{name} cannot be read"));
        let text = String::from_utf8(bytes).map_err(|_| damaged())?;
        let module = parse_module(&text).map_err(|_| damaged())?;
        let module = flatten(module).map_err(|_| damaged())?;
        Ok((text, module))
    }

    fn read(&self, name: &str) -> Result<Vec<u8>, Failure> {
        let path = self.path.join(name);
        // A pipe would wait for a writer, and a device may be endless.
        if path.exists() && !path.is_file() {
            return Err(self.damaged(&format!("{name} is not a plain file")));
        }
        fs::read(path).map_err(|_| self.damaged(&format!("{name} is missing")))
    }

    fn damaged(&self, why: &str) -> Failure {
        let title = format!("{} is damaged: {why}", self.path.display());
        Diagnostic::error("bad-build", title)
            .help(instrument_again(&self.path))
            .into()
    }

    /// Everything that can be reused. Files that cannot be read are made again.
    pub(crate) fn reuse(&self) -> Reuse {
        let mut reuse = Reuse::default();
        for module in &self.manifest.modules {
            if let Ok(code) = self.read(&instrumented_file(module)) {
                reuse.beams.insert(module.key.clone(), code);
            }
            if module.source.is_none()
                && let Ok((_, flat)) = self.read_module(&library_file(&module.file))
            {
                reuse.library.insert(flat.name.clone(), flat);
            }
        }
        reuse
    }

    /// The modules whose sources have not changed, by the paths of the sources.
    pub(crate) fn unchanged(&self, options: &str) -> HashMap<PathBuf, &ManifestModule> {
        let modules = self.manifest.modules.iter();
        modules
            .filter_map(|module| {
                let source = module.source.as_ref()?;
                let is_same = source.options == options && changed_files(source).next().is_none();
                is_same.then(|| (PathBuf::from(&source.path), module))
            })
            .collect()
    }
}

/// The files of a source that have changed, with their hashes unless they are gone.
fn changed_files(source: &ManifestSource) -> impl Iterator<Item = (&str, Option<String>)> {
    source.files.iter().filter_map(|(path, known)| {
        let now = hash_file(Path::new(path));
        (now.as_ref() != Some(known)).then_some((path.as_str(), now))
    })
}

fn instrument_again(path: &Path) -> String {
    format!("run erlconcolic instrument SRC -o {} again", path.display())
}

/// A hash of a file's contents; `None` if it cannot be read.
pub(crate) fn hash_file(path: &Path) -> Option<String> {
    let bytes = fs::read(path).ok()?;
    Some(hash([bytes.as_slice()]))
}

/// A hash of the code of a program, given as the texts of its flat modules.
pub(crate) fn program_hash(texts: &[String], wire: Wire) -> String {
    let wire = format!("{wire:?}");
    let parts = texts.iter().map(String::as_bytes);
    hash(std::iter::once(wire.as_bytes()).chain(parts))
}

pub(crate) fn flat_file(file: &str) -> String {
    format!("flat/{file}.core")
}

pub(crate) fn original_file(file: &str) -> String {
    format!("original/{file}.beam")
}

pub(crate) fn library_file(file: &str) -> String {
    format!("library/{file}.core")
}

pub(crate) fn instrumented_file(module: &ManifestModule) -> String {
    let name = file_name(&Atom::new(&module.loaded_as));
    format!("instrumented/{name}.beam")
}
