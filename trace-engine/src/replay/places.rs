//! The places that a run reached, noted only on demand.

use std::collections::HashSet;
use std::hash::BuildHasherDefault;

use flattener::flat::{BlockId, SiteId};
use rustc_hash::FxHasher;

/// Something in a module that was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Mark {
    /// Something happened at a site.
    Began(SiteId),
    /// The statement at a site had its value.
    Ended(SiteId),
    /// A block of a function was entered: the body of a clause, of a function or a fun.
    Block(usize, BlockId),
}

/// The places that a run reached.
#[derive(Clone, Debug, Default)]
pub struct Places {
    /// Only places in the first modules, this many, are noted.
    modules: usize,
    marks: HashSet<(usize, Mark), BuildHasherDefault<FxHasher>>,
}

impl Places {
    /// None yet. Places in modules from this number on are ignored.
    pub fn of_modules(modules: usize) -> Self {
        Self {
            modules,
            marks: HashSet::default(),
        }
    }

    /// Notes a place.
    pub(super) fn note(&mut self, module: usize, mark: Mark) {
        if module < self.modules {
            self.marks.insert((module, mark));
        }
    }

    /// All of them, sorted: module and mark.
    pub fn sorted(&self) -> Vec<(usize, Mark)> {
        let mut marks: Vec<(usize, Mark)> = self.marks.iter().copied().collect();
        marks.sort_unstable();
        marks
    }
}
