//! Sources that do not compile.

use std::path::PathBuf;

use diagnostic::{Diagnostic, Level};
use erlang_term::Atom;

use crate::failure::Failure;

/// A source that does not compile, and why.
#[derive(Debug)]
pub(crate) struct BrokenSource {
    /// The file.
    pub(crate) path: PathBuf,
    /// The errors of the compiler.
    pub(crate) failure: Failure,
}

impl BrokenSource {
    /// Its module: the compiler wants it to have the name of the file.
    pub(crate) fn module(&self) -> Atom {
        let name = self.path.file_stem().unwrap_or_default();
        Atom::new(name.to_string_lossy())
    }
}

/// The errors of sources. Several may name the same one, in a header or a parse transform.
pub(crate) fn errors(broken: &[BrokenSource]) -> Vec<Diagnostic> {
    let all = broken.iter().flat_map(|it| it.failure.0.iter().cloned());
    let mut all: Vec<Diagnostic> = all.collect();
    all.dedup();
    all
}

/// The same as warnings, for a command that goes on without these sources.
pub(crate) fn warnings(broken: &[BrokenSource]) -> Vec<Diagnostic> {
    let as_warning = |diagnostic| Diagnostic {
        level: Level::Warning,
        ..diagnostic
    };
    let left_out = broken.iter().map(|it| {
        let title = format!("{} does not compile and is left out", it.path.display());
        Diagnostic::warning("not-compiled", title)
    });
    let errors = errors(broken).into_iter().map(as_warning);
    errors.chain(left_out).collect()
}
