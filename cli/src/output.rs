//! Files that are there whole or not at all.

use std::fs;
use std::io::Write;
use std::path::Path;

use tempfile::NamedTempFile;

use crate::failure::Failure;

/// Writes files into a folder and folders in it, made if need be. Everything is written under temporary names
/// first, so a full disk leaves nothing half-written behind.
pub(crate) fn write_files<'text>(
    folder: &Path,
    files: impl IntoIterator<Item = (String, &'text [u8])>,
) -> Result<(), Failure> {
    fs::create_dir_all(folder).map_err(|error| Failure::io("create", folder, &error))?;
    let mut written = Vec::new();
    for (name, content) in files {
        let path = folder.join(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(|error| Failure::io("create", parent, &error))?;
        }
        let temporary = NamedTempFile::new_in(folder)
            .and_then(|mut file| file.write_all(content).map(|()| file))
            .map_err(|error| Failure::io("write", &path, &error))?;
        written.push((temporary, path));
    }
    for (temporary, path) in written {
        temporary
            .persist(&path)
            .map_err(|error| Failure::io("write", &path, &error.error))?;
    }
    Ok(())
}
