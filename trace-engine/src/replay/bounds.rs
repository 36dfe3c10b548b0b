//! How much of a run is replayed.

/// How much of a run is replayed.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// When there are more decisions than this, the rest of the log is not replayed.
    pub max_decisions: usize,
    /// The same for runs of several processes, whose orders are searched, too.
    pub max_decisions_of_several: usize,
    /// What is done with the rest.
    pub rest: Rest,
}

/// What is done with events that are not replayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
    /// What they reach is noted: clauses, functions and places.
    Coverage,
    /// Nothing.
    Nothing,
}

impl Bounds {
    /// The whole run.
    pub(super) const NONE: Self = Self {
        max_decisions: usize::MAX,
        max_decisions_of_several: usize::MAX,
        rest: Rest::Coverage,
    };
}
