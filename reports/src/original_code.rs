//! Runs on the user's code without instrumentation.

use erlang_term::Term;

use crate::entry::Entry;
use crate::outcome::Outcome;

/// The user's code without instrumentation, ready to run.
pub trait OriginalCode {
    /// Why an input could not be run.
    type Failure;

    /// Runs a function on a list of arguments.
    ///
    /// # Errors
    /// When the input could not be run.
    fn run(&mut self, entry: &Entry, arguments: Term) -> Result<Outcome, Self::Failure>;

    /// Whether these arguments match the spec of a function, if they must.
    fn is_input(&self, entry: &Entry, arguments: &[Term]) -> bool;
}
