//! Work on one input.

use std::sync::Arc;

use rustc_hash::FxHashSet;
use trace_format::{ProcessLogs, Schedule};

use super::super::arguments::RunArguments;
use super::super::candidate::Candidate;
use super::super::executor::{Attempt, WantedReplay};
use super::super::key_effort::KeyedSite;
use super::super::replaying::WantedKeys;
use super::super::task::Task;
use super::under_way::RunKey;

/// An input that is run, or a run about which more is asked.
pub(super) struct Job<'search> {
    pub(super) task: &'search Task,
    pub(super) task_number: usize,
    pub(super) number: usize,
    pub(super) candidate: Candidate,
    pub(super) arguments: RunArguments,
    /// Which process takes its steps when.
    pub(super) schedule: Schedule,
    /// Whether this is the first time.
    pub(super) is_new: bool,
    /// Its logs, if it was run before.
    pub(super) known_logs: Option<ProcessLogs>,
    /// Whether other tasks wait for their turn.
    pub(super) is_awaited: bool,
    /// If states are compared: the sites at which they get no keys.
    pub(super) skipped: Option<Arc<FxHashSet<KeyedSite>>>,
    /// Whether calls are explored by themselves.
    pub(super) with_calls: bool,
    /// Whether states have shapes, and from which decision on at least.
    pub(super) shapes: (bool, Option<usize>),
    /// Whether the states of runs may be forgotten.
    pub(super) may_forget: bool,
}

impl Job<'_> {
    /// The number of the first decision that no run made before, unless this one diverges; or of
    /// one before that whose state has to be known.
    pub(super) fn first_new_decision(&self) -> usize {
        if !self.is_new {
            return usize::MAX;
        }
        let target = self.candidate.target;
        let first = target.map_or(0, |target| target.decision + 1);
        self.shapes.1.map_or(first, |start| start.min(first))
    }

    /// The number of the first decision whose state gets a key. The states of a run that was made
    /// before may be forgotten, if calls are or were explored by themselves.
    pub(super) fn first_keyed_decision(&self) -> usize {
        if self.may_forget && !self.is_new {
            0
        } else {
            self.first_new_decision()
        }
    }

    /// Which of its states get keys, if states are compared.
    pub(super) fn keys(&self) -> Option<WantedKeys<'_>> {
        let skipped = self.skipped.as_ref()?;
        Some(WantedKeys {
            first: self.first_keyed_decision(),
            has_shapes: self.shapes.0,
            skipped,
            with_calls: self.with_calls,
        })
    }

    /// What identifies it, for the executor.
    pub(super) fn key(&self) -> RunKey {
        (self.task_number, self.number)
    }

    /// How it may be replayed where it is run: only the search itself keeps paths, and looks at shapes
    /// of states and at orders of processes.
    fn replay(&self) -> Option<WantedReplay<'_>> {
        let is_plain = self.task.paths.is_none() && self.candidate.order.is_none();
        let is_simple = is_plain && !self.shapes.0 && self.is_new;
        is_simple.then(|| WantedReplay {
            keys: self.keys(),
            asked_from: self.asked_from(),
        })
    }

    /// The first decision whose other ways are all asked for: unless states are compared, nobody can
    /// have asked for them before.
    pub(super) fn asked_from(&self) -> Option<usize> {
        let is_first = self.number == 0 || self.candidate.target.is_some();
        let is_alone = self.skipped.is_none() && self.is_new;
        (is_first && is_alone).then(|| self.first_new_decision())
    }

    /// The input, for the executor.
    pub(super) fn attempt(&self) -> Attempt<'_> {
        Attempt {
            task: self.task_number,
            number: self.number,
            arguments: &self.arguments,
            schedule: &self.schedule,
            parent: self.candidate.parent,
            aim: self.candidate.clause(),
            replay: self.replay(),
        }
    }
}
