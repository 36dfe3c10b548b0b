//! What was seen on the way through a path condition. All keys of a run share the tables.

use solver::graph::NodeId;

use super::node_tables::{NodeTable, NumberMarks};
use super::parts::PartSearch;

/// What was seen on the way.
#[derive(Debug, Default)]
pub(super) struct RelevanceMarks {
    pub(super) values: PartSearch,
    pub(super) mentioned: NumberMarks,
    /// Conditions by their numbers.
    pub(super) conditions: NumberMarks,
    /// Parts whose conditions were collected.
    pub(super) taken: NumberMarks,
    pub(super) parts: NumberMarks,
    /// Parts whose roots were looked for.
    pub(super) rooted: NumberMarks,
    /// The roots of those.
    pub(super) roots: NodeTable<Option<NodeId>>,
}

impl RelevanceMarks {
    pub(super) fn clear(&mut self) {
        self.values.clear();
        self.mentioned.clear();
        self.conditions.clear();
        self.taken.clear();
        self.parts.clear();
        self.rooted.clear();
    }
}
