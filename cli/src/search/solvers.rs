//! The solvers of a thread.

use solver::{Encoding, Shortcuts, Z3Integers};
use trace_engine::explore::Solvers;

/// Solvers that save work as these shortcuts say.
pub(crate) fn solvers(shortcuts: Shortcuts) -> Solvers {
    let integers = Z3Integers::default();
    Solvers {
        integers: Box::new(if shortcuts.cache {
            integers
        } else {
            integers.without_cache()
        }),
        fallback: Some(Box::new(Encoding::default())),
    }
}
