//! Reads plain files only: a pipe would wait for a writer, and a device may be endless.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// Whether a file exists. Anything else at this path is an error.
pub(crate) fn is_there(path: &Path) -> io::Result<bool> {
    match fs::metadata(path) {
        Ok(found) if found.is_file() => Ok(true),
        Ok(_) => Err(not_plain()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// The bytes of a file.
pub(crate) fn read(path: &Path) -> io::Result<Vec<u8>> {
    if is_there(path)? {
        fs::read(path)
    } else {
        Err(io::ErrorKind::NotFound.into())
    }
}

/// Checks that a file can be read.
pub(crate) fn check_readable(path: &Path) -> io::Result<()> {
    if is_there(path)? {
        File::open(path)?.read(&mut [0]).map(drop)
    } else {
        Err(io::ErrorKind::NotFound.into())
    }
}

/// The text of an Erlang source, for display. Sources are UTF-8 unless a comment in one of their first
/// two lines says that they are Latin-1. Invalid UTF-8 is shown as Latin-1 too.
pub(crate) fn read_source(path: &Path) -> io::Result<String> {
    let bytes = read(path)?;
    let text = if is_latin_1(&bytes) {
        Err(bytes)
    } else {
        String::from_utf8(bytes).map_err(std::string::FromUtf8Error::into_bytes)
    };
    Ok(text.unwrap_or_else(|bytes| bytes.into_iter().map(char::from).collect()))
}

/// Whether a source says that it is Latin-1, in the notation of `epp`.
fn is_latin_1(source: &[u8]) -> bool {
    let lines = source.split(|byte| *byte == b'\n').take(2);
    lines.map(String::from_utf8_lossy).any(|line| {
        let comment = line.split_once('%').map_or("", |(_, comment)| comment);
        let coding = comment.split_once("coding").map_or("", |(_, rest)| rest);
        let value = coding.strip_prefix([':', '=']).unwrap_or_default();
        let value = value.trim_start().to_ascii_lowercase();
        value.starts_with("latin-1")
    })
}

/// The error for anything else.
pub(crate) fn not_plain() -> io::Error {
    io::Error::other("it is not a plain file")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_shown_in_the_encoding_they_name() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("m.erl");
        let shown = |bytes: &[u8]| {
            fs::write(&path, bytes).expect("it can be written");
            read_source(&path).expect("it can be read")
        };
        assert_eq!(shown("'é'".as_bytes()), "'é'");
        assert_eq!(shown(b"'\xe9'"), "'é'");
        let latin_1 = "%% -*- coding: Latin-1 -*-\n";
        assert_eq!(
            shown(format!("{latin_1}é").as_bytes()),
            format!("{latin_1}Ã©")
        );
        let utf_8 = "%% coding: utf-8\n-define(coding, \"coding: latin-1\").\né";
        assert_eq!(shown(utf_8.as_bytes()), utf_8);
        let too_late = format!("\n\n{latin_1}é");
        assert_eq!(shown(too_late.as_bytes()), too_late);
    }
}
