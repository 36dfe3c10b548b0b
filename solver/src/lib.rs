//! Inputs that fulfil conditions.
//!
//! The solver works on the shape of the input: it narrows the kinds that parts of the input can
//! have, binds parts to each other and to values, and keeps what it cannot decide yet. A question
//! is answered by guessing: the first guess is what the parent's input had, small values where it
//! had nothing. Conditions that were kept and that the guess breaks are split into cases, and
//! each case is tried in turn. Constraints between integers are solved apart (`integers.rs`).

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "most rules are about a few shapes of values or conditions, all others are alike to them"
)]

mod assertion;
mod bits;
mod budget;
mod encoding;
mod funs;
pub mod graph;
mod integers;
mod maps;
mod membership;
mod model;
mod numbers;
mod patience;
mod ranges;
mod search;
mod shape;
mod shortcuts;
mod store;
mod too_large;
pub mod types;

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::rc::Rc;

use rustc_hash::FxHasher;

use crate::graph::{Condition, Graph, NodeId};
use crate::types::Signature;

pub use budget::give_up_at_once;
pub use encoding::{Encoding, Native, Question, Questions};
pub use integers::{Integers, NativeIntegers, Z3Integers, z3_version};
pub use patience::Patience;
use shortcuts::Assumed;
pub use shortcuts::{Savings, Shortcuts};
use store::{Index, Store};

/// The answer to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Arguments that fulfil all conditions, as constants.
    Sat(Vec<NodeId>),
    /// There are none.
    Unsat,
    /// None were found, but there may be some.
    Unknown,
}

/// This case is impossible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Conflict;

type Step = Result<(), Conflict>;

/// How far the solver may go.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The greatest depth of an argument.
    pub term_depth: u32,
    /// How many cases may be tried for one question.
    pub cases: u32,
    /// What may be used to save work.
    pub shortcuts: Shortcuts,
}

/// Conditions on the input of a program, to which more can be added and taken back.
#[expect(
    missing_debug_implementations,
    reason = "it borrows a solver of integers that has none"
)]
pub struct Solver<'run> {
    graph: &'run mut Graph,
    store: Store,
    /// The arguments of the run that the conditions come from, as constants.
    parent: Vec<NodeId>,
    /// What they have in the places that were looked at.
    wanted: Index<Option<NodeId>>,
    assumed: Assumed,
    /// The same in order, without those that were assumed already.
    assumptions: Vec<Condition>,
    /// How many conditions were kept when all was assumed.
    kept_for_good: usize,
    /// The parts of the input that conditions are about.
    parts_of: HashMap<Condition, Rc<[NodeId]>, BuildHasherDefault<FxHasher>>,
    savings: Savings,
    /// How many questions about integers had been answered from a cache at the start.
    cached_before: u64,
    integers: &'run mut dyn Integers,
    limits: Limits,
    patience: Patience<'run>,
    /// How often Z3 was asked about real numbers for this question.
    asked_reals: u32,
    /// Whether a float was tried without asking Z3.
    has_guessed_float: bool,
    /// Whether a case was given up that may have had an answer.
    gave_up: bool,
    /// The same for what was added for good.
    gave_up_for_good: bool,
    is_contradictory: bool,
    /// What must hold of maps and does not in the last guess.
    map_clash: Option<Condition>,
    /// Whether the parent's input has the types that inputs must have.
    parent_is_admitted: bool,
}

impl<'run> Solver<'run> {
    /// No conditions yet.
    pub fn new(
        graph: &'run mut Graph,
        parent: Vec<NodeId>,
        integers: &'run mut dyn Integers,
        limits: Limits,
    ) -> Self {
        graph.forget_keys();
        let depth = limits.term_depth;
        Self {
            graph,
            store: Store::new(depth),
            parent,
            wanted: Index::default(),
            assumed: Assumed::default(),
            assumptions: Vec::new(),
            kept_for_good: 0,
            parts_of: HashMap::default(),
            savings: Savings::default(),
            cached_before: integers.cached(),
            integers,
            limits,
            patience: Patience::endless(),
            asked_reals: 0,
            has_guessed_float: false,
            gave_up: false,
            gave_up_for_good: false,
            is_contradictory: false,
            map_clash: None,
            parent_is_admitted: true,
        }
    }

    /// Gives up questions when time is up.
    #[must_use]
    pub fn with_patience(self, patience: Patience<'run>) -> Self {
        Self { patience, ..self }
    }

    /// Whether time was up before all questions were answered: that nothing was found says
    /// nothing then.
    pub fn was_cut_short(&self) -> bool {
        self.patience.has_ended()
    }

    /// Whether time is up, so that the question is given up.
    fn ends(&mut self) -> bool {
        let ends = self.patience.ends();
        self.gave_up |= ends;
        ends
    }

    /// Lets inputs be only what a signature admits. The parent's may be something else.
    pub fn admit_only(&mut self, signature: &Signature) {
        let condition = self.graph.admitted(signature);
        let parent = self.parent.clone();
        self.parent_is_admitted = self.graph.holds(condition, &parent) == Some(true);
        self.assume(condition);
    }

    /// The graph that the conditions are in.
    pub fn graph(&mut self) -> &mut Graph {
        self.graph
    }

    /// How many questions about integers were handed on to another solver.
    pub fn asked_elsewhere(&self) -> u64 {
        self.integers.asked_elsewhere()
    }

    /// Adds a condition for good.
    pub fn assume(&mut self, condition: Condition) {
        if self.repeats(condition) {
            return;
        }
        self.assumed.insert(condition);
        self.assumptions.push(condition);
        self.gave_up = false;
        let result = self.assert(condition).and_then(|()| self.unfold_members());
        self.is_contradictory |= result.is_err();
        self.gave_up_for_good |= self.gave_up;
        self.kept_for_good = self.store.kept.len();
    }

    /// Asks another solver the same question.
    pub fn ask_other(&mut self, other: &mut dyn Questions, conditions: &[Condition]) -> Answer {
        let all: Vec<Condition> = [&self.assumptions, conditions].concat();
        let question = Question {
            conditions: &all,
            parent: &self.parent,
            limits: self.limits,
        };
        other.answer(self.graph, &question, &self.patience)
    }

    /// How much work was saved.
    pub fn savings(&self) -> Savings {
        Savings {
            cached: self.integers.cached() - self.cached_before,
            ..self.savings
        }
    }

    /// Whether some input fulfils all conditions and these. They are taken back afterwards.
    pub fn ask(&mut self, conditions: &[Condition]) -> Answer {
        self.asked_reals = 0;
        self.has_guessed_float = false;
        self.gave_up = self.gave_up_for_good;
        if self.is_contradictory {
            return if self.gave_up || self.was_cut_short() {
                Answer::Unknown
            } else {
                Answer::Unsat
            };
        }
        if self.contradicts(conditions) {
            return Answer::Unsat;
        }
        let mark = self.store.mark();
        let mut cases = self.limits.cases;
        let result = conditions.iter().try_for_each(|condition| {
            if self.repeats(*condition) {
                Ok(())
            } else {
                self.assert(*condition)
            }
        });
        let found = match result {
            Ok(()) => self.search(&mut cases),
            Err(Conflict) => None,
        };
        self.store.undo(mark);
        match found {
            Some(arguments) => Answer::Sat(arguments),
            None if self.gave_up || self.was_cut_short() => Answer::Unknown,
            None => Answer::Unsat,
        }
    }
}

#[cfg(test)]
mod tests;
