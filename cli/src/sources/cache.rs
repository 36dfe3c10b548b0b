//! Results of the compiler, kept between commands.
//!
//! There is a file for each result, named after a hash of everything that the result depends on. If
//! a file cannot be read or written, the module is compiled again.

use std::env;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use sha2::{Digest, Sha256};

/// The variable that names the folder; an empty name turns the cache off.
const VARIABLE: &str = "ERLCONCOLIC_CACHE";

/// How many results are kept; when there are more, the older half is removed.
const MAX_FILES: usize = 1_000;

/// Each result starts with its checksum, since machines crash and disks fill up.
const CHECKSUM: usize = 32;

/// A folder of results, or none.
#[derive(Debug)]
pub(crate) struct Cache {
    folder: Option<PathBuf>,
}

impl Cache {
    /// The cache of this user.
    pub(crate) fn of_user() -> Self {
        let named = |variable| env::var_os(variable).map(PathBuf::from);
        let default = || {
            let caches = named("XDG_CACHE_HOME").filter(|path| path.is_absolute());
            let caches = caches.or_else(|| Some(named("HOME")?.join(".cache")))?;
            Some(caches.join("erlconcolic"))
        };
        let folder = named(VARIABLE).or_else(default);
        let folder = folder.filter(|path| !path.as_os_str().is_empty());
        Self { folder }
    }

    /// Its folder.
    pub(crate) fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// The result of a key.
    pub(crate) fn get(&self, key: &str) -> Option<Vec<u8>> {
        let path = self.folder.as_ref()?.join(key);
        let mut bytes = fs::read(&path).ok()?;
        let (checksum, answer) = bytes.split_at_checked(CHECKSUM)?;
        if Sha256::digest(answer).as_slice() != checksum {
            return None;
        }
        // Files that are used count as new.
        let file = File::options().append(true).open(&path);
        let _ = file.and_then(|file| file.set_modified(SystemTime::now()));
        bytes.drain(..CHECKSUM);
        Some(bytes)
    }

    /// Keeps a result, if possible.
    pub(crate) fn put(&self, key: &str, answer: &[u8]) {
        let Some(folder) = &self.folder else {
            return;
        };
        let write = || {
            fs::create_dir_all(folder)?;
            let mut file = tempfile::NamedTempFile::new_in(folder)?;
            file.write_all(&Sha256::digest(answer))?;
            file.write_all(answer)?;
            // Atomic, even when several commands write the same file.
            file.persist(folder.join(key))?;
            std::io::Result::Ok(())
        };
        if write().is_ok() {
            tidy(folder, MAX_FILES);
        }
    }
}

/// Removes the older half of the files in a folder if there are too many.
fn tidy(folder: &Path, max: usize) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<(SystemTime, PathBuf)> = entries
        .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
        .collect();
    if files.len() > max {
        files.sort_unstable();
        for (_, path) in files.iter().take(files.len() / 2) {
            let _ = fs::remove_file(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cache(folder: &tempfile::TempDir) -> Cache {
        Cache {
            folder: Some(folder.path().join("made/when/needed")),
        }
    }

    #[test]
    fn results_can_be_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let cache = cache(&folder);
        assert_eq!(cache.get("key"), None);
        cache.put("key", b"answer");
        cache.put("other", b"");
        assert_eq!(cache.get("key").unwrap(), b"answer");
        assert_eq!(cache.get("other").unwrap(), b"");
    }

    #[test]
    fn damaged_files_are_ignored() {
        let folder = tempfile::tempdir().unwrap();
        let cache = cache(&folder);
        cache.put("key", b"answer");
        let path = cache.folder().unwrap().join("key");
        let whole = fs::read(&path).unwrap();
        for length in 0..whole.len() {
            fs::write(&path, whole.get(..length).unwrap()).unwrap();
            assert_eq!(cache.get("key"), None, "{length} bytes");
        }
        fs::write(&path, [whole.as_slice(), b"!"].concat()).unwrap();
        assert_eq!(cache.get("key"), None);
    }

    #[test]
    fn a_folder_that_cannot_be_written_is_ignored() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        let cache = Cache { folder: Some(file) };
        cache.put("key", b"answer");
        assert_eq!(cache.get("key"), None);
        let none = Cache { folder: None };
        none.put("key", b"answer");
        assert_eq!(none.get("key"), None);
    }

    #[test]
    fn the_older_half_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        for age in 0..6 {
            let file = File::create(folder.path().join(age.to_string())).unwrap();
            let time = SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(100 - age);
            file.set_modified(time).unwrap();
        }
        tidy(folder.path(), 6);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 6);
        tidy(folder.path(), 5);
        let mut left: Vec<String> = fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        left.sort();
        assert_eq!(left, ["0", "1", "2"]);
    }
}
