//! Questions about inputs, for any solver.

use crate::answer::Answer;
use crate::graph::{Condition, Graph, NodeId};
use crate::limits::Limits;
use crate::patience::Patience;

/// A question about the input of a program.
#[derive(Clone, Copy, Debug)]
pub struct Question<'question> {
    /// What has to hold.
    pub conditions: &'question [Condition],
    /// The arguments of the run that the conditions come from, as constants.
    pub parent: &'question [NodeId],
    /// How far a solver may go.
    pub limits: Limits,
}

/// Answers questions about the input of a program.
pub trait Questions {
    /// An input that fulfils all conditions, as long as there is time.
    fn answer(
        &mut self,
        graph: &mut Graph,
        question: &Question<'_>,
        patience: &Patience<'_>,
    ) -> Answer;
}
