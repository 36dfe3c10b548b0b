//! Errors of programs that the grammar cannot see.

use diagnostic::{Diagnostic, Source};
use thiserror::Error;

use crate::ast::Span;

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
