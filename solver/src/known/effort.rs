//! How hard the solver tries.

use crate::patience::Patience;

/// What ends a question before all cases were tried.
#[derive(Debug)]
pub(crate) struct Effort<'run> {
    pub(crate) patience: Patience<'run>,
    /// Whether a case was given up that may have had an answer.
    pub(crate) gave_up: bool,
}

impl<'run> Effort<'run> {
    pub(crate) fn new(patience: Patience<'run>) -> Self {
        Self {
            patience,
            gave_up: false,
        }
    }

    /// Whether time is up. Then the question is given up.
    pub(crate) fn ends(&mut self) -> bool {
        let ends = self.patience.ends();
        self.gave_up |= ends;
        ends
    }

    /// Whether an answer may have been missed.
    pub(crate) fn is_incomplete(&self) -> bool {
        self.gave_up || self.patience.has_ended()
    }
}
