//! The Core Erlang text of files: read, or requested from the compiler.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use diagnostic::{Diagnostic, Source};
use erlang_term::Term;
use rayon::prelude::*;

use super::broken_source::{BrokenSource, errors};
use super::compiler_errors::compiler_failure;
use super::loaded_module::{Loaded, parse, reject_duplicates};
use crate::beam::{Answer, BeamError, Pending};
use crate::failure::Failure;

/// Where the text of a module comes from.
pub(super) enum CoreText {
    /// The file itself.
    File,
    /// The compiler, which is working on it.
    Compiled(Pending),
}

impl CoreText {
    /// The text, or the errors in the source.
    fn wait(self, path: &Path) -> Result<Result<String, Failure>, Failure> {
        match self {
            Self::File => Ok(read_text(path)),
            Self::Compiled(pending) => match pending.wait()? {
                Ok(answer) => compiled_text(Ok(answer)).map(Ok),
                Err(messages) => Ok(Err(compiler_failure(&messages))),
            },
        }
    }
}

fn read_text(path: &Path) -> Result<String, Failure> {
    let bytes = fs::read(path).map_err(|error| Failure::io("read", path, &error))?;
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let source = Source {
            name: path.display().to_string(),
            text: String::from_utf8_lossy(error.as_bytes()).into_owned(),
        };
        Diagnostic::error("encoding", "the file is not UTF-8 text")
            .at(
                source,
                at..at + char::REPLACEMENT_CHARACTER.len_utf8(),
                "no UTF-8 character starts with this byte",
            )
            .help("Core Erlang files must be UTF-8")
            .into()
    })
}

/// The text in an answer of the compiler.
pub(super) fn compiled_text(answer: Answer) -> Result<String, Failure> {
    let answer = answer.map_err(|messages| compiler_failure(&messages))?;
    let text = answer.get("core").and_then(Term::as_binary);
    match text.map(|bytes| String::from_utf8(bytes.to_vec())) {
        Some(Ok(text)) => Ok(text),
        _ => Err(BeamError::BadAnswer("there is no Core Erlang text".to_owned()).into()),
    }
}

/// The modules of these texts, in the order of the files. All must compile.
pub(super) fn loaded(paths: &[PathBuf], texts: Vec<CoreText>) -> Result<Vec<Loaded>, Failure> {
    let (loaded, broken) = loaded_or_broken(paths, texts)?;
    if broken.is_empty() {
        Ok(loaded)
    } else {
        Err(Failure(errors(&broken)))
    }
}

/// The modules of those texts that compile, and the others.
pub(super) fn loaded_or_broken(
    paths: &[PathBuf],
    texts: Vec<CoreText>,
) -> Result<(Vec<Loaded>, Vec<BrokenSource>), Failure> {
    let results: Vec<Result<Result<Loaded, Failure>, Failure>> = paths
        .par_iter()
        .zip(texts)
        .map(|(path, text)| Ok(text.wait(path)?.and_then(|text| parse(path, text))))
        .collect();
    let mut loaded = Vec::with_capacity(results.len());
    let mut broken = Vec::new();
    for (path, result) in paths.iter().zip(results) {
        match result? {
            Ok(module) => loaded.push(module),
            Err(failure) => broken.push(BrokenSource {
                path: path.clone(),
                failure,
            }),
        }
    }
    reject_duplicates(&loaded)?;
    Ok((loaded, broken))
}

/// Whether a file is Core Erlang.
pub(super) fn is_core(path: &Path) -> bool {
    path.extension() == Some(OsStr::new("core"))
}

/// The command to compile a file to Core Erlang.
pub(super) fn to_core(path: &Path) -> Term {
    Term::Tuple(vec![Term::atom("to_core"), path_term(path)])
}

/// A path in requests to a BEAM.
pub(super) fn path_term(path: &Path) -> Term {
    Term::binary(path.as_os_str().as_encoded_bytes())
}
