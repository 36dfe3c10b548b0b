//! A run on its way through calls that are explored by themselves.

use flattener::flat::SiteId;

use super::arguments::RunArguments;
use crate::pruning::PartPlace;

/// The entry around everything.
pub(super) const OUTERMOST: usize = 0;

/// How a call meets its entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meeting {
    /// It begins as the first one did.
    Same,
    /// It may have less depth left than the first one.
    Deeper,
    /// The path says more about it.
    Narrower,
    /// It is within a call of the last two kinds. All that happens there happens elsewhere.
    Elsewhere,
}

/// A run that goes through calls.
#[derive(Debug)]
pub(super) struct CallWalk<'run> {
    pub(super) test: usize,
    pub(super) arguments: &'run RunArguments,
    open: Vec<WalkedCall<'run>>,
    /// Words for the ways that it took, in threes.
    steps: Vec<u64>,
    /// How many of its first decisions were made by a run before.
    known_decisions: usize,
}

/// A call that a run began and has not ended.
#[derive(Debug)]
pub(super) struct WalkedCall<'run> {
    pub(super) entry: usize,
    /// Somebody who waits, and whether that may have less depth left than the first one.
    pub(super) caller: Option<(usize, bool)>,
    pub(super) meeting: Meeting,
    pub(super) places: &'run [PartPlace],
    /// How many ways the run had taken.
    pub(super) steps: usize,
    /// A hash of the entries and callers of all calls that are open with it.
    pub(super) stack: u64,
}

impl<'run> CallWalk<'run> {
    /// A run with these arguments, about to begin.
    pub(super) fn new(test: usize, arguments: &'run RunArguments, known_decisions: usize) -> Self {
        Self {
            known_decisions,
            test,
            arguments,
            open: Vec::new(),
            steps: Vec::new(),
        }
    }

    /// The entry of the call in which it is.
    pub(super) fn entry(&self) -> usize {
        self.open.last().map_or(OUTERMOST, |it| it.entry)
    }

    /// A hash of the calls in which it is.
    pub(super) fn stack(&self) -> u64 {
        self.open.last().map_or(0, |it| it.stack)
    }

    /// Whether all that it does now is asked for elsewhere, because its call is known.
    pub(super) fn is_silent(&self) -> bool {
        let last = self.open.last();
        last.is_some_and(|it| it.meeting != Meeting::Same)
    }

    /// Whether all of it was looked at before.
    pub(super) fn is_again(&self) -> bool {
        self.known_decisions == usize::MAX
    }

    /// Whether no run made its next decision before.
    pub(super) fn is_new(&self) -> bool {
        self.steps.len() / 3 >= self.known_decisions
    }

    /// It takes a way of a decision.
    pub(super) fn step(&mut self, (module, site): (usize, SiteId), way: usize) {
        self.steps
            .extend([module as u64, u64::from(site.0), way as u64]);
    }

    /// How many words there are for the ways that it took.
    pub(super) fn steps(&self) -> usize {
        self.steps.len()
    }

    /// The words from this one on.
    pub(super) fn steps_since(&self, start: usize) -> &[u64] {
        self.steps.get(start..).unwrap_or_default()
    }

    /// It begins a call.
    pub(super) fn push(&mut self, call: WalkedCall<'run>) {
        self.open.push(call);
    }

    /// The call that it began last ends.
    pub(super) fn pop(&mut self) -> Option<WalkedCall<'run>> {
        self.open.pop()
    }
}
