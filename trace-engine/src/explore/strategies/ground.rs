//! What strategies may know of a search before it begins.

use std::cell::OnceCell;
use std::sync::Arc;

use trace_format::Program;

use crate::flow::FlowGraph;

/// What strategies may know of a search before it begins.
#[derive(Debug)]
pub(in crate::explore) struct Ground<'search> {
    program: &'search Program,
    /// The functions that are searched, by module and index.
    entries: &'search [(usize, usize)],
    /// For random choices.
    pub(super) seed: u64,
    flow: OnceCell<Arc<FlowGraph>>,
}

impl<'search> Ground<'search> {
    pub(in crate::explore) fn new(
        program: &'search Program,
        entries: &'search [(usize, usize)],
        seed: u64,
    ) -> Self {
        Self {
            program,
            entries,
            seed,
            flow: OnceCell::new(),
        }
    }

    /// The graph of the program, which is made when somebody asks for it.
    pub(super) fn flow(&self) -> Arc<FlowGraph> {
        let graph = self
            .flow
            .get_or_init(|| Arc::new(FlowGraph::new(self.program, self.entries)));
        Arc::clone(graph)
    }
}
