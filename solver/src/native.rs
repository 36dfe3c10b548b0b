//! The native solver as an implementation of the trait `Questions`.

use crate::answer::Answer;
use crate::graph::Graph;
use crate::integers::Integers;
use crate::patience::Patience;
use crate::questions::{Question, Questions};
use crate::solver::Solver;

/// Answers with the native solver.
#[expect(
    missing_debug_implementations,
    reason = "it borrows a solver of integers that has none"
)]
pub struct Native<'run> {
    /// Solves constraints between integers.
    pub integers: &'run mut dyn Integers,
}

impl Questions for Native<'_> {
    fn answer(
        &mut self,
        graph: &mut Graph,
        question: &Question<'_>,
        patience: &Patience<'_>,
    ) -> Answer {
        let parent = question.parent.to_vec();
        let solver = Solver::new(graph, parent, self.integers, question.limits);
        let mut solver = solver.with_patience(patience.clone());
        solver.ask(question.conditions)
    }
}
