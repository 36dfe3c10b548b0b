//! What is known about the input, and what follows from it.
//!
//! This only reads what is known; `asserting` adds to it.

mod atom_bounds;
mod bit_widths;
mod decided;
mod effort;
mod form;
mod large_results;
mod parts_of;
mod ranges;
mod status;
mod sums;
mod type_forms;

use std::rc::Rc;

use crate::conflict::{Conflict, Step};
use crate::graph::{Condition, Graph, Kinds, NodeId};
use crate::patience::Patience;
use crate::store::Store;
pub(crate) use atom_bounds::NEW_ATOM;
pub(crate) use decided::constant;
pub(crate) use effort::Effort;
pub(crate) use form::Form;
use parts_of::PartsOf;

/// The graph with what is known about its parts of the input.
#[derive(Debug)]
pub(crate) struct Known<'run> {
    pub(crate) graph: &'run mut Graph,
    pub(crate) store: Store,
    pub(crate) effort: Effort<'run>,
    parts_of: PartsOf,
}

impl<'run> Known<'run> {
    /// Nothing is known yet, except how deep arguments can be.
    pub(crate) fn new(graph: &'run mut Graph, depth: u32) -> Self {
        Self {
            graph,
            store: Store::new(depth),
            effort: Effort::new(Patience::endless()),
            parts_of: PartsOf::default(),
        }
    }

    /// Whether time is up, so that the question is given up.
    pub(crate) fn ends(&mut self) -> bool {
        self.effort.ends()
    }

    /// Gives up a case that may have had an answer.
    pub(crate) fn give_up(&mut self) -> Conflict {
        self.effort.gave_up = true;
        Conflict
    }

    /// The value that stands for a node now.
    pub(crate) fn resolve(&mut self, node: NodeId) -> NodeId {
        self.store.resolve(self.graph, node)
    }

    /// Leaves a part only these kinds.
    pub(crate) fn narrow(&mut self, part: NodeId, kinds: Kinds) -> Step {
        self.store.narrow(self.graph, part, kinds)
    }

    /// Limits the depth of a value.
    pub(crate) fn limit_depth(&mut self, node: NodeId, depth: u32) -> Step {
        self.store.limit_depth(self.graph, node, depth)
    }

    /// The parts of the input that a condition is about.
    pub(crate) fn parts_of(&mut self, condition: Condition) -> Rc<[NodeId]> {
        self.parts_of.of(self.graph, condition)
    }
}
