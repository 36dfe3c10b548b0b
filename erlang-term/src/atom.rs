//! Atoms.

use std::fmt;

use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use crate::quoting::write_quoted;

/// An atom, by its text.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Atom(pub SmolStr);

impl Atom {
    /// The atom with this text.
    pub fn new(text: impl AsRef<str>) -> Self {
        Self(SmolStr::new(text))
    }

    /// The atom's text, without quotes.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    fn needs_quotes(&self) -> bool {
        const RESERVED: [&str; 29] = [
            "after", "and", "andalso", "band", "begin", "bnot", "bor", "bsl", "bsr", "bxor",
            "case", "catch", "cond", "div", "else", "end", "fun", "if", "let", "maybe", "not",
            "of", "or", "orelse", "receive", "rem", "try", "when", "xor",
        ];
        let starts_plain = self.0.starts_with(|first: char| first.is_ascii_lowercase());
        let plain = |other: char| other.is_ascii_alphanumeric() || other == '_' || other == '@';
        !(starts_plain && self.0.chars().all(plain)) || RESERVED.contains(&self.as_str())
    }
}

impl fmt::Display for Atom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.needs_quotes() {
            write_quoted(f, &self.0, '\'')
        } else {
            f.write_str(&self.0)
        }
    }
}
