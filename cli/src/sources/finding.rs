//! Finds modules in files and folders.

use std::collections::HashMap;
use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use diagnostic::Diagnostic;
use walkdir::WalkDir;

use crate::failure::Failure;
use crate::files::plain_file;

/// The name of the manifest of a build folder.
pub(crate) const MANIFEST: &str = "manifest.json";

/// The extensions of modules.
const EXTENSIONS: [&str; 3] = ["erl", "core", "beam"];
/// Folders of build tools, which have copies of the same modules.
const SKIPPED_FOLDERS: [&str; 4] = ["_build", "_checkouts", "deps", "node_modules"];

/// All modules in the given files and folders, each once; the files of a folder are sorted by name.
/// If a folder has several forms of one module, the `.erl` file is preferred, then the `.core` one.
///
/// # Errors
/// When a path does not exist, is not a module, or nothing is found.
pub fn find_sources(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut found = Vec::new();
    for path in paths {
        let metadata =
            std::fs::metadata(path).map_err(|error| Failure::io("read", path, &error))?;
        if metadata.is_dir() {
            search_folder(path, &mut found)?;
        } else if rank(path).is_none() {
            return Err(unknown_source(path).into());
        } else if metadata.is_file() {
            found.push(path.clone());
        } else {
            return Err(Failure::io("read", path, &plain_file::not_plain()));
        }
    }
    remove_repeated(&mut found);
    if found.is_empty() {
        let named: Vec<String> = paths
            .iter()
            .map(|path| path.display().to_string())
            .collect();
        return Err(Diagnostic::error(
            "no-sources",
            format!("no Erlang modules found in {}", named.join(", ")),
        )
        .help("folders are searched for .erl, .core and .beam files")
        .into());
    }
    Ok(found)
}

fn unknown_source(path: &Path) -> Diagnostic {
    let title = format!("{} is not an Erlang module", path.display());
    let error = Diagnostic::error("unknown-source", title);
    if is_elixir_source(path) {
        let beams = "compile it and name the folder of its beams: elixirc -o ebin FILE, or mix \
            compile and _build/dev/lib/APP/ebin";
        return error.help(beams);
    }
    error.help("name .erl, .core or .beam files, or folders that have some")
}

fn is_elixir_source(path: &Path) -> bool {
    let extension = path.extension().and_then(OsStr::to_str);
    matches!(extension, Some("ex" | "exs"))
}

/// Whether a folder looks like one that `instrument` created.
pub(crate) fn is_build_folder(path: &Path) -> bool {
    path.join(MANIFEST).is_file()
}

/// Keeps the first of several paths to one file.
fn remove_repeated(files: &mut Vec<PathBuf>) {
    let mut seen = HashSet::new();
    files.retain(|file| seen.insert(file.canonicalize().unwrap_or_else(|_| file.clone())));
}

/// The rank of a file among other forms of the same module; lower is better.
fn rank(path: &Path) -> Option<usize> {
    let extension = path.extension()?.to_str()?;
    EXTENSIONS.iter().position(|known| *known == extension)
}

fn search_folder(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let is_wanted = |entry: &walkdir::DirEntry| {
        let name = entry.file_name().to_string_lossy();
        let skipped = SKIPPED_FOLDERS.contains(&name.as_ref()) || name.starts_with('.');
        entry.depth() == 0 || !(skipped || is_our_output(entry.path()))
    };
    let entries = WalkDir::new(folder).follow_links(true).sort_by_file_name();
    let mut files: Vec<PathBuf> = Vec::new();
    for entry in entries.into_iter().filter_entry(is_wanted) {
        match entry {
            Ok(entry) if entry.file_type().is_file() && rank(entry.path()).is_some() => {
                files.push(entry.into_path());
            }
            Ok(_) => {}
            // A broken or circular link has no module that is not found elsewhere.
            Err(error) if error.path().is_some_and(Path::is_symlink) => {}
            Err(error) => {
                let path = error.path().unwrap_or(folder).to_owned();
                return Err(Failure::io("read", &path, &error.into()));
            }
        }
    }
    let mut best: HashMap<&OsStr, usize> = HashMap::new();
    for (name, rank) in files.iter().filter_map(|file| name_and_rank(file)) {
        let known = best.entry(name).or_insert(rank);
        *known = rank.min(*known);
    }
    let is_best = |file: &&PathBuf| {
        name_and_rank(file).is_some_and(|(name, rank)| best.get(name) == Some(&rank))
    };
    found.extend(files.iter().filter(is_best).cloned());
    Ok(())
}

/// Whether `instrument` created a folder.
fn is_our_output(folder: &Path) -> bool {
    is_build_folder(folder) && folder.join("instrumented").is_dir()
}

fn name_and_rank(path: &Path) -> Option<(&OsStr, usize)> {
    Some((path.file_stem()?, rank(path)?))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn prefers_sources_over_beams_and_skips_build_folders() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for file in [
            "b.erl",
            "ebin/b.beam",
            "ebin/c.beam",
            "_build/x.erl",
            ".git/y.erl",
            "a.txt",
            "build/manifest.json",
            "build/instrumented/d.beam",
            "build/runtime/erlconcolic_out.beam",
        ] {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
            fs::write(path, "").expect("a file");
        }
        let found = find_sources(&[folder.path().to_owned()]).expect("sources are found");
        let names: Vec<_> = found
            .iter()
            .map(|path| path.strip_prefix(folder.path()).expect("below"))
            .collect();
        assert_eq!(names, [Path::new("b.erl"), Path::new("ebin/c.beam")]);
    }

    #[cfg(unix)]
    #[test]
    fn skips_broken_links() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        fs::write(folder.path().join("a.erl"), "").expect("a file");
        for (target, link) in [("nowhere", "b.erl"), ("gone", ".#a.erl"), (".", "circle")] {
            std::os::unix::fs::symlink(target, folder.path().join(link)).expect("a link");
        }
        let found = find_sources(&[folder.path().to_owned()]).expect("sources are found");
        assert_eq!(found, [folder.path().join("a.erl")]);
    }
}
