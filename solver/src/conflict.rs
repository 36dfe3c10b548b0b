//! How a step of the solver ends.

/// This case is impossible, or it was given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Conflict;

/// Continues with the case, or ends it.
pub(crate) type Step = Result<(), Conflict>;
