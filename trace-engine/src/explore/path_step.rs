//! Decisions on paths.

use flattener::flat::SiteId;

/// The step before, the place and the branch.
pub(super) type StepKey = (Option<u32>, u32, SiteId, u32);

/// A decision on a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathStep {
    /// The step before; `None` if it is the first.
    pub before: Option<u32>,
    /// The module.
    pub module: u32,
    /// The site in it.
    pub site: SiteId,
    /// The branch that was taken, counted from 0.
    pub way: u32,
    /// The clause that was chosen, counted from 0, if it is the choice of a clause.
    pub clause: Option<u32>,
    /// Whether it is about a value that was given to something that is not understood.
    pub is_given: bool,
    /// The number of the text of its condition.
    pub(super) condition: u32,
}

impl PathStep {
    /// Steps with the same key are one.
    pub(super) fn key(&self) -> StepKey {
        (self.before, self.module, self.site, self.way)
    }
}
