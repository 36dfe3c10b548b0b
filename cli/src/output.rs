//! Files that are there whole or not at all.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use erlang_term::Atom;
use signal_hook::consts::SIGXFSZ;

use crate::failure::Failure;

/// From now on a file that would grow beyond the limit for files (`ulimit -f`) cannot be written,
/// like one on a full disk. Without this a signal would end the tool.
pub(crate) fn fail_at_limits() {
    // Where the signal cannot be caught, it ends the tool as before.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::default());
}

/// Writes files into a folder and folders in it. Everything is written beside the folder or in
/// it first, so that a full disk or a wrong place leaves nothing half-written behind: a new
/// folder then appears at once, an old one gets file after file.
pub(crate) fn write_files<'text>(
    folder: &Path,
    files: impl IntoIterator<Item = (String, &'text [u8])>,
) -> Result<(), Failure> {
    let is_new = !folder.exists();
    let place = if is_new {
        existing_ancestor(folder)
    } else {
        folder
    };
    let temporary =
        temporary_folder(place).map_err(|error| Failure::io("write to", folder, &error))?;
    // A temporary folder is for its owner alone, what is moved out of it need not be.
    let staging = temporary.path().join("files");
    let mut names = Vec::new();
    for (name, content) in files {
        write_file(&staging.join(&name), content)
            .map_err(|error| Failure::io("write", &folder.join(&name), &error))?;
        names.push(name);
    }
    if is_new {
        move_folder(&staging, folder).map_err(|error| Failure::io("create", folder, &error))
    } else {
        move_files(&staging, folder, &names)
    }
}

/// Finds out whether a file can be written, without leaving anything behind.
pub(crate) fn check_writable(path: &Path) -> Result<(), Failure> {
    let failed = |error: &io::Error| Failure::io("write", path, error);
    if path.is_dir() || path.file_name().is_none() {
        return Err(failed(&io::ErrorKind::IsADirectory.into()));
    }
    if is_no_file(path) {
        return Ok(());
    }
    temporary_folder(existing_ancestor(path))
        .map(drop)
        .map_err(|error| failed(&error))
}

/// Writes one file, under a temporary name first; the folder is made if it is missing. What is
/// there and no file, a device or a pipe, is written to and stays what it is.
pub(crate) fn write_whole_file(path: &Path, content: &[u8]) -> Result<(), Failure> {
    let write = || {
        if is_no_file(path) {
            return fs::write(path, content);
        }
        // A link stays one, too.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        fs::create_dir_all(path.parent().unwrap_or(Path::new("")))?;
        let temporary = temporary_folder(existing_ancestor(&path))?;
        let staging = temporary.path().join("file");
        fs::write(&staging, content)?;
        fs::rename(&staging, &path)
    };
    write().map_err(|error| Failure::io("write", path, &error))
}

/// Whether something is there that is no file.
fn is_no_file(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|it| !it.is_file())
}

fn temporary_folder(place: &Path) -> io::Result<tempfile::TempDir> {
    tempfile::Builder::new()
        .prefix(".erlconcolic-")
        .tempdir_in(place)
}

/// The nearest folder above a path that is there, which may be the current one.
fn existing_ancestor(path: &Path) -> &Path {
    let above = path.ancestors().skip(1).find(|above| above.exists());
    above
        .filter(|above| !above.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
}

fn write_file(path: &Path, content: &[u8]) -> io::Result<()> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    fs::write(path, content)
}

fn move_folder(staging: &Path, folder: &Path) -> io::Result<()> {
    if let Some(parent) = folder.parent() {
        fs::create_dir_all(parent)?;
    }
    fs::rename(staging, folder)
}

fn move_files(staging: &Path, folder: &Path, names: &[String]) -> Result<(), Failure> {
    let targets: Vec<PathBuf> = names.iter().map(|name| folder.join(name)).collect();
    // What could go wrong is found before the first file is replaced.
    for target in &targets {
        let parent = target.parent().unwrap_or(folder);
        fs::create_dir_all(parent).map_err(|error| Failure::io("create", parent, &error))?;
        if target.is_dir() {
            let error = io::ErrorKind::IsADirectory.into();
            return Err(Failure::io("write", target, &error));
        }
    }
    for (name, target) in names.iter().zip(&targets) {
        fs::rename(staging.join(name), target)
            .map_err(|error| Failure::io("write", target, &error))?;
    }
    Ok(())
}

/// The name of a module's files, without their endings: a module name is an atom and may hold
/// anything, a file name may not.
pub(crate) fn file_name(module: &Atom) -> String {
    module.as_str().replace(['/', '\0'], "_")
}
