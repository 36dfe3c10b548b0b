//! Facts about parts of the input, as the decisions of a path tell them.

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use solver::graph::{Graph, Kinds, Node, NodeId, Place};

use super::binary_sizes::ByteRange;

/// Facts about parts of the input.
#[derive(Debug, Default)]
pub(super) struct KnownParts {
    kinds: FxHashMap<NodeId, Kinds>,
    /// The sizes of tuples.
    sizes: FxHashMap<NodeId, u32>,
    /// The constants that parts are equal to: those that have no parts.
    constants: FxHashMap<NodeId, NodeId>,
    /// How many bytes binaries have, if they are known to be binaries.
    bytes: FxHashMap<NodeId, ByteRange>,
    /// The parts inside of a part that something is said about, or about parts inside of them.
    inside: FxHashMap<NodeId, SmallVec<[NodeId; 4]>>,
    is_inside_noted: FxHashSet<NodeId>,
}

impl KnownParts {
    /// The kinds that a part may have; `None` if nothing was told.
    pub(super) fn kinds(&self, part: NodeId) -> Option<Kinds> {
        self.kinds.get(&part).copied()
    }

    /// The size of a part that is a tuple.
    pub(super) fn size(&self, part: NodeId) -> Option<u32> {
        self.sizes.get(&part).copied()
    }

    /// The constant that a part is.
    pub(super) fn constant(&self, part: NodeId) -> Option<NodeId> {
        self.constants.get(&part).copied()
    }

    /// How many bytes a part that is a binary has.
    pub(super) fn bytes(&self, part: NodeId) -> ByteRange {
        self.bytes.get(&part).copied().unwrap_or(ByteRange::ANY)
    }

    /// The elements of a tuple that are constants, with their places.
    pub(super) fn constant_elements<'facts>(
        &'facts self,
        graph: &'facts Graph,
        tuple: NodeId,
    ) -> impl Iterator<Item = (u32, NodeId)> + 'facts {
        self.inside(tuple).iter().filter_map(|part| {
            let value = self.constant(*part)?;
            if let Node::Part(Place::Element(place), _) = graph.node(*part) {
                Some((*place, value))
            } else {
                None
            }
        })
    }

    /// The parts inside of a part that something is said about, or about parts inside of them.
    pub(super) fn inside(&self, part: NodeId) -> &[NodeId] {
        self.inside.get(&part).map_or(&[], |it| it.as_slice())
    }

    /// A part has one of these kinds. Returns whether that is new.
    pub(super) fn tell_kinds(&mut self, graph: &Graph, part: NodeId, kinds: Kinds) -> bool {
        let known = self.kinds.entry(part).or_insert(Kinds::ANY);
        let new = *known & kinds;
        let is_new = new != *known;
        *known = new;
        if is_new {
            self.note_inside(graph, part);
        }
        is_new
    }

    /// A part is a tuple of this size. Returns whether that is new.
    pub(super) fn tell_size(&mut self, graph: &Graph, part: NodeId, size: u32) -> bool {
        let is_new = self.sizes.insert(part, size) != Some(size);
        if is_new {
            self.note_inside(graph, part);
        }
        is_new
    }

    /// A part is this constant, which has no parts. Returns whether that is new.
    pub(super) fn tell_constant(&mut self, graph: &Graph, part: NodeId, value: NodeId) -> bool {
        let is_new = self.constants.insert(part, value) != Some(value);
        if is_new {
            self.note_inside(graph, part);
        }
        is_new
    }

    /// A part that is a binary has this number of bytes. Returns whether that is new.
    pub(super) fn tell_bytes(&mut self, graph: &Graph, part: NodeId, range: ByteRange) -> bool {
        let is_new = self.bytes(part) != range;
        if is_new {
            self.bytes.insert(part, range);
            self.note_inside(graph, part);
        }
        is_new
    }

    /// Notes that something is said about a part.
    pub(super) fn note_inside(&mut self, graph: &Graph, part: NodeId) {
        let mut at = part;
        while self.is_inside_noted.insert(at)
            && let Node::Part(_, of) = graph.node(at)
        {
            self.inside.entry(*of).or_default().push(at);
            at = *of;
        }
    }
}
