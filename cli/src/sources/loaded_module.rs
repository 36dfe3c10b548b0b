//! Modules in memory: Core Erlang as text and as a tree.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use diagnostic::Diagnostic;
use flattener::passes::ProgramError;
use flattener::{ast, flat, parse_module};

use crate::failure::Failure;

/// How many errors of one module are shown.
const MAX_ERRORS: usize = 10;

/// A module that was read.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The file it came from.
    pub path: PathBuf,
    /// Its Core Erlang text.
    pub text: String,
    /// The same as a tree.
    pub module: ast::CoreModule,
}

impl Loaded {
    /// Flattens the module.
    ///
    /// # Errors
    /// When it parses but is not a valid program; only hand-written Core Erlang can have such errors.
    pub fn flatten(self) -> Result<flat::Module, Failure> {
        flattener::flatten(self.module)
            .map_err(|errors| program_failure(errors, &self.path, &self.text))
    }
}

/// Parses the text of a module.
pub(super) fn parse(path: &Path, text: String) -> Result<Loaded, Failure> {
    match parse_module(&text) {
        Ok(module) => Ok(Loaded {
            path: path.to_owned(),
            text,
            module,
        }),
        Err(error) => Err(error.diagnostic(&path.display().to_string(), &text).into()),
    }
}

/// Fails if two files have the same module.
pub(super) fn reject_duplicates(loaded: &[Loaded]) -> Result<(), Failure> {
    let mut first: HashMap<&str, &Path> = HashMap::new();
    for module in loaded {
        if let Some(other) = first.insert(module.module.name.as_str(), &module.path) {
            let name = &module.module.name;
            return Err(Diagnostic::error(
                "duplicate-module",
                format!("the module {name} is in two files"),
            )
            .help(format!("{} and {}", other.display(), module.path.display()))
            .help("name only one of them")
            .into());
        }
    }
    Ok(())
}

/// The first errors of a module that is not a valid program, and how many more there are.
fn program_failure(errors: Vec<ProgramError>, path: &Path, text: &str) -> Failure {
    let name = path.display().to_string();
    let more = errors.len().saturating_sub(MAX_ERRORS);
    let mut diagnostics: Vec<Diagnostic> = errors
        .into_iter()
        .take(MAX_ERRORS)
        .map(|error| error.diagnostic(&name, text))
        .collect();
    if more > 0 {
        diagnostics.push(Diagnostic::error(
            "core-program",
            format!("{name} has {more} more errors"),
        ));
    }
    Failure(diagnostics)
}
