//! What was tried with floats for one question.

/// What was tried with floats for one question.
#[derive(Debug, Default)]
pub(crate) struct FloatTries {
    /// How often Z3 was asked about real numbers.
    pub(super) asked_reals: u32,
    /// Whether a float was tried without asking Z3.
    pub(super) has_guessed_float: bool,
}
