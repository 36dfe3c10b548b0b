//! How far the solver may go, and what it may use to save work: the three optimisations of CUTE (Sen
//! and Agha, 4.1.5) and a cache. Each can be turned off, so that it can be measured.

use serde::{Deserialize, Serialize};

/// How far the solver may go.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Limits {
    /// The greatest depth of an argument.
    pub term_depth: u32,
    /// How many cases may be tried for one question.
    pub cases: u32,
    /// What may be used to save work.
    pub shortcuts: Shortcuts,
}

/// What may be used to save work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct Shortcuts {
    /// A condition whose negation was assumed is impossible.
    pub contradictions: bool,
    /// A condition that was assumed already is not assumed again.
    pub repetitions: bool,
    /// Assumed conditions hold where the parent's values are kept.
    pub parent_values: bool,
    /// A question about integers that was answered before is not asked again.
    pub cache: bool,
    /// The native solver is asked first, and Z3 only if it has no answer.
    pub native: bool,
}

impl Default for Shortcuts {
    fn default() -> Self {
        Self {
            contradictions: true,
            repetitions: true,
            parent_values: true,
            cache: true,
            native: true,
        }
    }
}
