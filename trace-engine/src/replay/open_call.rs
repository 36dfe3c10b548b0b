//! Calls that are explored by themselves, while they run.

use flattener::flat::{Callable, SiteId, VarId};
use rustc_hash::FxHashMap;
use solver::graph::NodeId;

use crate::pruning::View;

/// A call that has not ended.
#[derive(Debug)]
pub(super) struct OpenCall<'search> {
    /// The module and site of the call.
    pub(super) site: (usize, SiteId),
    /// The number of its function on the stack.
    pub(super) level: usize,
    /// The parts of the input that it depends on.
    pub(super) roots: Box<[NodeId]>,
    /// What is looked at of its result.
    pub(super) result: &'search View,
}

/// The variables that functions take along from their surroundings.
pub(super) type CapturedByFunctions = FxHashMap<(usize, Callable), Box<[VarId]>>;
