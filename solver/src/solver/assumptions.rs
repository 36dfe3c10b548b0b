//! The conditions that were assumed.

use std::collections::HashSet;
use std::hash::BuildHasherDefault;

use rustc_hash::FxHasher;

use crate::conflict::Step;
use crate::graph::Condition;
use crate::limits::Shortcuts;

/// Conditions that hold for all questions.
#[derive(Debug)]
pub(super) struct Assumptions {
    shortcuts: Shortcuts,
    known: HashSet<Condition, BuildHasherDefault<FxHasher>>,
    /// The same in order, without those that were assumed already.
    in_order: Vec<Condition>,
    /// Whether no input fulfils them.
    pub(super) are_contradictory: bool,
    /// Whether a case was given up that may have had an answer.
    pub(super) gave_up: bool,
    /// How many questions contained the negation of an assumption.
    pub(super) contradictions: u64,
    /// How many conditions were assumed already.
    pub(super) repetitions: u64,
}

impl Assumptions {
    pub(super) fn new(shortcuts: Shortcuts) -> Self {
        Self {
            shortcuts,
            known: HashSet::default(),
            in_order: Vec::new(),
            are_contradictory: false,
            gave_up: false,
            contradictions: 0,
            repetitions: 0,
        }
    }

    /// All of them, in order.
    pub(super) fn all(&self) -> &[Condition] {
        &self.in_order
    }

    /// Adds a condition. Whether it is new.
    pub(super) fn add(&mut self, condition: Condition) -> bool {
        if self.repeat(condition) {
            return false;
        }
        self.known.insert(condition);
        self.in_order.push(condition);
        true
    }

    /// Notes the result of asserting the last one.
    pub(super) fn note(&mut self, result: Step, gave_up: bool) {
        self.are_contradictory |= result.is_err();
        self.gave_up |= gave_up;
    }

    /// Whether one of the conditions is the negation of an assumption or of another condition.
    pub(super) fn contradict(&mut self, conditions: &[Condition]) -> bool {
        if !self.shortcuts.contradictions {
            return false;
        }
        let contradict = conditions
            .iter()
            .any(|it| self.known.contains(&!*it) || conditions.contains(&!*it));
        self.contradictions += u64::from(contradict);
        contradict
    }

    /// Whether a condition was assumed already.
    pub(super) fn repeat(&mut self, condition: Condition) -> bool {
        if !self.shortcuts.repetitions {
            return false;
        }
        let repeats = self.known.contains(&condition);
        self.repetitions += u64::from(repeats);
        repeats
    }
}
