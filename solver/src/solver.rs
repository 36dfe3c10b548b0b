//! The solver as other crates use it.

mod assumptions;
mod general_forms;

use crate::answer::Answer;
use crate::conflict::Conflict;
use crate::graph::{Condition, Graph, Input, NodeId};
use crate::guess::Parent;
use crate::integers::Integers;
use crate::known::Effort;
use crate::limits::Limits;
use crate::patience::Patience;
use crate::questions::{Question, Questions};
use crate::savings::Savings;
use crate::search::Search;
use crate::types::Signature;
use assumptions::Assumptions;

/// How many cases a question may have that wants a result to be too large.
const OVERFLOW_CASES: u32 = 16;

/// Conditions on the input of a program, to which more can be added and taken back.
#[expect(
    missing_debug_implementations,
    reason = "it borrows a solver of integers that has none"
)]
pub struct Solver<'run> {
    search: Search<'run>,
    assumptions: Assumptions,
    /// How many questions about integers had been answered from a cache at the start.
    cached_before: u64,
    limits: Limits,
}

impl<'run> Solver<'run> {
    /// No conditions yet. The parent is the arguments of the run that conditions come from, as
    /// constants.
    pub fn new(
        graph: &'run mut Graph,
        parent: Vec<NodeId>,
        integers: &'run mut dyn Integers,
        limits: Limits,
    ) -> Self {
        graph.map_keys_mut().forget();
        let cached_before = integers.cached();
        let parent = Parent::new(parent, limits.shortcuts.parent_values);
        Self {
            search: Search::new(graph, parent, integers, limits.term_depth),
            assumptions: Assumptions::new(limits.shortcuts),
            cached_before,
            limits,
        }
    }

    /// Gives up questions when time is up.
    #[must_use]
    pub fn with_patience(mut self, patience: Patience<'run>) -> Self {
        self.search.known.effort = Effort::new(patience);
        self
    }

    /// Whether time was up before all questions were answered. Then there may be an answer although
    /// none was found.
    pub fn was_cut_short(&self) -> bool {
        self.search.known.effort.patience.has_ended()
    }

    /// How often the patience was polled.
    #[cfg(test)]
    pub(crate) fn polls(&self) -> u32 {
        self.search.known.effort.patience.polls()
    }

    /// Admits only inputs that fit a signature. The parent's input may not fit it.
    pub fn admit_only(&mut self, signature: &Signature) {
        let Search { known, parent, .. } = &mut self.search;
        let condition = known.graph.admitted(signature);
        let is_admitted =
            Input::new(parent.arguments()).holds(known.graph, condition) == Some(true);
        parent.keeps_conditions &= is_admitted;
        self.assume(condition);
    }

    /// The graph that the conditions are in.
    pub fn graph(&mut self) -> &mut Graph {
        self.search.known.graph
    }

    /// How many questions about integers were handed on to another solver.
    pub fn asked_elsewhere(&self) -> u64 {
        self.search.integers.asked_elsewhere()
    }

    /// Adds a condition for good.
    pub fn assume(&mut self, condition: Condition) {
        if !self.assumptions.add(condition) {
            return;
        }
        self.search.known.effort.gave_up = false;
        let mut asserting = self.search.asserting();
        let result = asserting.assert(condition);
        let result = result.and_then(|()| asserting.unfold_members());
        let gave_up = self.search.known.effort.gave_up;
        self.assumptions.note(result, gave_up);
        self.search.kept_for_good = self.search.known.store.kept.len();
    }

    /// Asks another solver the same question.
    pub fn ask_other(&mut self, other: &mut dyn Questions, conditions: &[Condition]) -> Answer {
        let all: Vec<Condition> = [self.assumptions.all(), conditions].concat();
        let Search { known, parent, .. } = &mut self.search;
        let question = Question {
            conditions: &all,
            parent: parent.arguments(),
            limits: self.limits,
        };
        other.answer(known.graph, &question, &known.effort.patience)
    }

    /// How much work was saved.
    pub fn savings(&self) -> Savings {
        Savings {
            contradictions: self.assumptions.contradictions,
            repetitions: self.assumptions.repetitions,
            parent_values: self.search.parent.kept,
            cached: self.search.integers.cached() - self.cached_before,
        }
    }

    /// Whether conditions say that a float has no room for some result. Such questions are hard and
    /// hardly of interest, so less work goes into them.
    pub fn wants_overflow(&mut self, conditions: &[Condition]) -> bool {
        let known = &mut self.search.known;
        conditions.iter().any(|it| known.wants_too_large(*it))
    }

    /// Whether some input fulfils all conditions and these. They are taken back afterwards.
    pub fn ask(&mut self, conditions: &[Condition]) -> Answer {
        self.search.known.effort.gave_up = self.assumptions.gave_up;
        if self.assumptions.are_contradictory {
            return self.not_found();
        }
        if self.assumptions.contradict(conditions) {
            return Answer::Unsat;
        }
        let cases = if self.wants_overflow(conditions) {
            self.limits.cases.min(OVERFLOW_CASES)
        } else {
            self.limits.cases
        };
        let mark = self.search.known.store.mark();
        let found = match self.assert_new(conditions) {
            Ok(()) => self.search.run(cases),
            Err(Conflict) => None,
        };
        self.search.known.store.undo(mark);
        match found {
            Some(arguments) => Answer::Sat(arguments),
            None => self.not_found(),
        }
    }

    fn assert_new(&mut self, conditions: &[Condition]) -> Result<(), Conflict> {
        for condition in conditions {
            if !self.assumptions.repeat(*condition) {
                self.search.asserting().assert(*condition)?;
            }
        }
        Ok(())
    }

    fn not_found(&self) -> Answer {
        if self.search.known.effort.is_incomplete() {
            Answer::Unknown
        } else {
            Answer::Unsat
        }
    }
}
