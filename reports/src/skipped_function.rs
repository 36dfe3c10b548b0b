//! Functions that were chosen, but not searched.

use std::fmt;

use crate::entry::Entry;

/// A function that was not searched.
#[derive(Debug)]
pub struct SkippedFunction {
    /// The function.
    pub entry: Entry,
    /// Why it was not searched.
    pub why: SkipReason,
}

/// Why a function was not searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkipReason {
    /// It has no spec, and the user did not name it.
    NoSpec,
    /// No input can be made from its spec.
    NoInput,
}

impl SkipReason {
    /// Its code in JSON.
    pub fn code(self) -> &'static str {
        match self {
            Self::NoSpec => "no-spec",
            Self::NoInput => "no-input",
        }
    }
}

impl fmt::Display for SkipReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoSpec => "it has no spec",
            Self::NoInput => "no input can be made from its spec",
        })
    }
}
