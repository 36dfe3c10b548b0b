//! What the code of a module depends on, apart from its source and headers.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use trace_format::manifest::hash;
use walkdir::WalkDir;

use crate::arguments::CompilationOptions;

/// Files that say how a project is compiled and with which dependencies.
const PROJECT_FILES: [&str; 3] = ["rebar.config", "rebar.config.script", "rebar.lock"];

/// A module that defines a transform has one of these.
const TRANSFORMS: [&str; 2] = ["parse_transform(", "core_transform("];

/// A hash of everything that may change the code of these sources: options, files of the project,
/// transforms among the sources, and the modules in the code paths. When it changes, everything is
/// compiled again.
pub(crate) fn hash_surroundings(options: &CompilationOptions, sources: &[PathBuf]) -> String {
    let texts = format!(
        "{:?} {:?} {:?} {:?}",
        options.includes,
        options.defines,
        options.code_paths,
        std::env::var_os("ERL_COMPILER_OPTIONS"),
    );
    let files = project_files(sources)
        .into_iter()
        .chain(transforms(sources))
        .chain(compiled_modules(&options.code_paths));
    let mut parts = vec![texts.into_bytes()];
    for path in files {
        parts.push(path.as_os_str().as_encoded_bytes().to_vec());
        parts.push(fs::read(&path).unwrap_or_default());
    }
    hash(parts.iter().map(Vec::as_slice))
}

fn project_files(sources: &[PathBuf]) -> Vec<PathBuf> {
    let absolute = sources
        .iter()
        .filter_map(|path| fs::canonicalize(path).ok());
    let mut folders: Vec<PathBuf> = absolute
        .flat_map(|path| {
            path.ancestors()
                .skip(1)
                .map(Path::to_owned)
                .collect::<Vec<_>>()
        })
        .collect();
    folders.sort();
    folders.dedup();
    let files = folders
        .iter()
        .flat_map(|folder| PROJECT_FILES.map(|name| folder.join(name)));
    files.filter(|path| path.is_file()).collect()
}

fn transforms(sources: &[PathBuf]) -> Vec<PathBuf> {
    let defines_transform = |path: &&PathBuf| {
        let text = fs::read(path).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        TRANSFORMS.iter().any(|name| text.contains(name))
    };
    sources.iter().filter(defines_transform).cloned().collect()
}

fn compiled_modules(folders: &[PathBuf]) -> Vec<PathBuf> {
    let entries = folders.iter().flat_map(|folder| {
        WalkDir::new(folder)
            .max_depth(1)
            .sort_by_file_name()
            .into_iter()
            .filter_map(Result::ok)
    });
    entries
        .map(walkdir::DirEntry::into_path)
        .filter(|path| path.extension() == Some(OsStr::new("beam")))
        .collect()
}
