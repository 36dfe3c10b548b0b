//! Which sequences of calls are worth playing.
//!
//! If calls have no effects but their results, a call whose result no later call takes shows the same
//! as the last call of a shorter sequence. So each call but the last should have a result that a
//! later one takes, and sequences for which that cannot come true any more are left out: every crash
//! is found by a sequence that has only the calls that its last one needs.

use crate::program::callable::{Callable, Callables};

/// What is known about the calls of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NeededCalls {
    /// Calls may have effects: each may matter.
    All,
    /// No function takes several results. So each call takes that of the one before it.
    Chain,
    /// A function takes at most so many results.
    Joined(usize),
}

impl NeededCalls {
    pub(crate) fn of(callables: &Callables, has_effects: bool, length: usize) -> Self {
        if has_effects {
            return Self::All;
        }
        let counts = callables
            .functions
            .iter()
            .map(|it| callables.most_taken(it));
        let counts = counts.map(|it| it.unwrap_or(length));
        match counts.max() {
            None | Some(0 | 1) => Self::Chain,
            Some(most) => Self::Joined(most),
        }
    }

    /// The same for sequences that are known to be worth playing.
    pub(crate) fn without_rejection(self) -> Self {
        match self {
            Self::All => Self::All,
            Self::Chain | Self::Joined(_) => Self::Chain,
        }
    }

    /// Whether a call that takes no results can come after some others, with some more to come.
    pub(crate) fn admits_beginning(self, before: usize, behind: usize) -> bool {
        match self {
            Self::All => true,
            Self::Chain => before == 0,
            Self::Joined(_) => before == 0 || behind > 0,
        }
    }

    /// How many calls before its own a reference can mean, if there are so many.
    pub(crate) fn farthest(self, before: usize) -> usize {
        match self {
            Self::All | Self::Joined(_) => before,
            Self::Chain => before.min(1),
        }
    }

    /// Whether nothing comes after a call of a function, because it makes nothing.
    pub(crate) fn ends_with(self, callable: &Callable) -> bool {
        self != Self::All && !callable.makes_values()
    }
}
