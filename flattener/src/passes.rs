//! The passes from syntax tree to flat form, in the order in which they run.
//!
//! 1. [`rename_variables`]: every bound variable of a function gets a name of its own.
//! 2. [`name_subexpressions`]: arguments become variables or literals, calls and cases stand
//!    only on the right of a `let`; the result is the flat form.
//! 3. [`number_sites`]: places that can emit an event are numbered in source order.
//!
//! After each pass [`verify`] checks what the pass promises, in tests and debug builds.

pub mod name_subexpressions;
pub mod number_sites;
pub mod rename_variables;
#[cfg(test)]
mod testing;
pub mod verify;

use diagnostic::{Diagnostic, Source};
use thiserror::Error;

use crate::ast::{self, Span};
use crate::flat;

/// Why a module that parses is still not a program.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{title}")]
pub struct ProgramError {
    /// What is wrong, in one line.
    pub title: String,
    /// The place.
    pub span: Span,
    /// The label at the place.
    pub label: String,
}

impl ProgramError {
    /// The message for the user, given the text of the module and its name.
    pub fn diagnostic(self, source_name: &str, text: &str) -> Diagnostic {
        let source = Source {
            name: source_name.to_owned(),
            text: text.to_owned(),
        };
        Diagnostic::error("core-program", self.title).at(source, self.span.range(), self.label)
    }
}

/// Runs all passes.
///
/// # Errors
/// When the module uses names that it does not bind, or gives a wrong number of values.
/// All such places are reported, in the order of the text.
pub fn flatten(module: ast::CoreModule) -> Result<flat::Module, Vec<ProgramError>> {
    let module = rename_variables::run(module)?;
    debug_verify(|| verify::unique_variables(&module));
    let module = name_subexpressions::run(module)?;
    debug_verify(|| verify::flat(&module));
    let module = number_sites::run(module);
    debug_verify(|| verify::numbered(&module));
    Ok(module)
}

/// Panics when a pass broke its promise, in debug builds.
fn debug_verify(check: impl FnOnce() -> Vec<String>) {
    if cfg!(debug_assertions) {
        let broken = check();
        assert!(broken.is_empty(), "a pass broke its promise: {broken:#?}");
    }
}
