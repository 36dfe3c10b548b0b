//! Writes files completely or not at all.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use erlang_term::Atom;
use rustix::fs::{FlockOperation, flock};
use signal_hook::consts::SIGXFSZ;

use trace_format::manifest::hash;

use crate::failure::Failure;

/// The longest name of a file without its extension, in bytes; file systems allow 255.
const LONGEST_NAME: usize = 250;

/// How many characters of a hash make a name unique.
const HASH: usize = 16;

/// Makes writing beyond the size limit of files (`ulimit -f`) an error, as on a full disk. Without
/// this a signal would end the tool.
pub(crate) fn fail_at_limits() {
    // If the signal cannot be caught, it ends the tool as before.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::default());
}

/// Writes files into a folder and its subfolders. Everything is first written to a temporary folder,
/// so that an error leaves nothing half-written: a new folder then appears at once, an old one gets
/// file after file.
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
    // Only its owner can read a temporary folder; a subfolder has the usual permissions.
    let staging = temporary.path().join("files");
    let mut names = Vec::new();
    for (name, content) in files {
        write_file(&staging.join(&name), content)
            .map_err(|error| Failure::io("write", &folder.join(&name), &error))?;
        names.push(name);
    }
    if is_new {
        match move_folder(&staging, folder) {
            // Another program has created it in the meantime.
            Err(error) if is_taken(&error) => {}
            moved => return moved.map_err(|error| Failure::io("create", folder, &error)),
        }
    }
    let _alone = lock_folder(folder, FlockOperation::LockExclusive);
    move_files(&staging, folder, &names)
}

fn is_taken(error: &io::Error) -> bool {
    use io::ErrorKind::{AlreadyExists, DirectoryNotEmpty};
    matches!(error.kind(), AlreadyExists | DirectoryNotEmpty)
}

/// Checks that a file can be written, without creating it.
pub(crate) fn check_writable(path: &Path) -> Result<(), Failure> {
    let failed = |error: &io::Error| Failure::io("write", path, error);
    if path.is_dir() || path.file_name().is_none() {
        return Err(failed(&io::ErrorKind::IsADirectory.into()));
    }
    if is_special_file(path) {
        return Ok(());
    }
    match fs::symlink_metadata(path) {
        // For example, a name that is too long.
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(failed(&error)),
        Ok(_) | Err(_) => {}
    }
    temporary_folder(existing_ancestor(path))
        .map(drop)
        .map_err(|error| failed(&error))
}

/// Writes one file, under a temporary name first, and creates its folder if it is missing. A device
/// or a pipe is written to directly.
pub(crate) fn write_whole_file(path: &Path, content: &[u8]) -> Result<(), Failure> {
    let write = || {
        if is_special_file(path) {
            return fs::write(path, content);
        }
        // A link stays a link.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        fs::create_dir_all(path.parent().unwrap_or(Path::new("")))?;
        let temporary = temporary_folder(existing_ancestor(&path))?;
        let staging = temporary.path().join("file");
        fs::write(&staging, content)?;
        fs::rename(&staging, &path)
    };
    write().map_err(|error| Failure::io("write", path, &error))
}

/// Whether a path exists and is not a plain file.
fn is_special_file(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|it| !it.is_file())
}

fn temporary_folder(place: &Path) -> io::Result<tempfile::TempDir> {
    tempfile::Builder::new()
        .prefix(".erlconcolic-")
        .tempdir_in(place)
}

/// The nearest existing parent folder of a path, or the current folder.
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
    // Find errors before the first file is replaced.
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

/// The name of a module's files, without extensions. A module name may have characters that a file
/// name must not have. Different modules have different file names.
pub(crate) fn file_name(module: &Atom) -> String {
    let name = module.as_str();
    if name.contains(['/', '\0']) {
        short_name(with_hash(&name.replace(['/', '\0'], "_"), name))
    } else {
        short_name(name.to_owned())
    }
}

/// A name that is short enough for a file with an extension such as `.beam`.
pub(crate) fn short_name(name: String) -> String {
    if name.len() <= LONGEST_NAME {
        return name;
    }
    let most = LONGEST_NAME - HASH - 1;
    let end = (0..=most).rev().find(|end| name.is_char_boundary(*end));
    with_hash(name.get(..end.unwrap_or(0)).unwrap_or_default(), &name)
}

/// A unique name for a text.
fn with_hash(name: &str, text: &str) -> String {
    let hash: String = hash([text.as_bytes()]).chars().take(HASH).collect();
    format!("{name}-{hash}")
}

/// Locks a folder against other writers (or readers, too); waits until they release their locks.
/// `None` on file systems without locks.
pub(crate) fn lock_folder(folder: &Path, kind: FlockOperation) -> Option<File> {
    let opened = File::open(folder).ok()?;
    let locked = rustix::io::retry_on_intr(|| flock(&opened, kind));
    locked.ok().map(|()| opened)
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::thread;

    use super::*;

    #[test]
    fn different_modules_have_different_files() {
        let long = "ü".repeat(127);
        let names = [
            "a/b",
            "a_b",
            "a\0b",
            &format!("{long}a"),
            &format!("{long}b"),
            ".",
        ];
        let mut files = names.map(|name| file_name(&Atom::new(name)));
        assert_eq!(files.last().map(String::as_str), Some("."));
        assert!(files.iter().all(|file| file.len() <= LONGEST_NAME));
        files.sort();
        assert!(files.windows(2).all(|pair| pair[0] != pair[1]), "{files:?}");
    }

    #[test]
    fn a_folder_that_another_program_just_created_gets_the_files() {
        let place = tempfile::tempdir().expect("a folder");
        let folder = place.path().join("build");
        let theirs: [(String, &[u8]); 2] = [("a".into(), b"1"), ("b".into(), b"1")];
        // The iterator runs after the check whether the folder exists.
        let ours = theirs.iter().map(|(name, _)| {
            write_files(&folder, theirs.clone()).expect("it can be written");
            (name.clone(), b"2".as_slice())
        });
        write_files(&folder, ours).expect("it can be written");
        for name in ["a", "b"] {
            assert_eq!(fs::read(folder.join(name)).expect("it is there"), b"2");
        }
    }

    #[test]
    fn writers_wait_for_readers() {
        let place = tempfile::tempdir().expect("a folder");
        let folder = place.path().to_owned();
        fs::write(folder.join("file"), "old").expect("it can be written");
        let reading = lock_folder(&folder, FlockOperation::LockShared).expect("a lock");
        let also = lock_folder(&folder, FlockOperation::LockShared).expect("a second lock");
        let (sender, written) = channel();
        let writer = thread::spawn({
            let folder = folder.clone();
            move || {
                let files: [(String, &[u8]); 1] = [("file".into(), b"new")];
                write_files(&folder, files).expect("it can be written");
                sender.send(()).expect("somebody waits");
            }
        });
        // A waiting lock is shown with an arrow, after the lock that it waits for.
        let inode = std::os::unix::fs::MetadataExt::ino(&fs::metadata(&folder).expect("it is"));
        let is_waiting = || {
            let locks = fs::read_to_string("/proc/locks").expect("Linux has it");
            let waits = |line: &str| line.contains("->") && line.contains(&format!(":{inode} "));
            locks.lines().any(waits)
        };
        while !is_waiting() {
            written.try_recv().expect_err("it does not wait");
            thread::yield_now();
        }
        assert_eq!(fs::read(folder.join("file")).expect("it is there"), b"old");
        drop((reading, also));
        writer.join().expect("it ends");
        assert_eq!(fs::read(folder.join("file")).expect("it is there"), b"new");
    }
}
