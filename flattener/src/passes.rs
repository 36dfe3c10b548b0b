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
mod program_error;
pub mod rename_variables;
#[cfg(test)]
mod testing;
pub mod verify;

pub use program_error::ProgramError;

use crate::ast;
use crate::flat;

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
