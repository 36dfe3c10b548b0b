//! How a step of the solver ends.

/// This case is impossible, or it was given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Conflict;

/// Goes on, or ends the case.
pub(crate) type Step = Result<(), Conflict>;
