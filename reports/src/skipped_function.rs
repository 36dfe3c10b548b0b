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
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SkipReason {
    /// It has no spec, and the user did not name it.
    NoSpec,
    /// No input can be made from its spec: no calls make values of these opaque types.
    NoInput(Vec<String>),
}

impl SkipReason {
    /// Its code in JSON.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NoSpec => "no-spec",
            Self::NoInput(_) => "no-input",
        }
    }

    /// The opaque types that no calls make a value of.
    pub(crate) fn unmade(&self) -> &[String] {
        match self {
            Self::NoSpec => &[],
            Self::NoInput(unmade) => unmade,
        }
    }
}

impl fmt::Display for SkipReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSpec => f.write_str("it has no spec"),
            Self::NoInput(unmade) if unmade.is_empty() => {
                f.write_str("no input can be made from its spec")
            }
            Self::NoInput(unmade) => {
                write!(f, "no function makes a value of {}", unmade.join(", "))
            }
        }
    }
}
