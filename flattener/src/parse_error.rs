//! The error that [`crate::parse_module`] returns.

use diagnostic::{Diagnostic, Source};
use thiserror::Error;

use crate::ast::Span;

/// Why a text is not a Core Erlang module.
#[derive(Debug, Error, PartialEq)]
#[error("{title}")]
pub struct ParseError {
    /// What is wrong, in one line.
    pub title: String,
    /// The place.
    pub span: Span,
    /// The label at the place.
    pub label: String,
    /// What to do about it.
    pub help: Option<String>,
}

impl ParseError {
    /// Adds what to do about it.
    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The message for the user, given the text that was parsed and its name.
    pub fn diagnostic(self, source_name: &str, text: &str) -> Diagnostic {
        let source = Source {
            name: source_name.to_owned(),
            text: text.to_owned(),
        };
        let diagnostic =
            Diagnostic::error("core-syntax", self.title).at(source, self.span.range(), self.label);
        match self.help {
            Some(help) => diagnostic.help(help),
            None => diagnostic,
        }
    }
}
