//! Facts about parts of the input, as the decisions of a path tell them.

use rustc_hash::FxHashMap;
use solver::graph::{Graph, Kinds, Node, NodeId, Place};

use super::binary_sizes::ByteRange;
use super::node_tables::{NodeLists, NodeTable};

/// What is known of a part.
#[derive(Clone, Copy, Debug)]
struct KnownPart {
    /// The kinds that it may have.
    kinds: Kinds,
    /// The size, if it is a tuple.
    size: Option<u32>,
    /// The constant that it is equal to: one that has no parts.
    constant: Option<NodeId>,
    /// Whether it is noted with the part that it is in.
    is_inside_noted: bool,
}

impl Default for KnownPart {
    fn default() -> Self {
        Self {
            kinds: Kinds::ANY,
            size: None,
            constant: None,
            is_inside_noted: false,
        }
    }
}

/// Facts about parts of the input.
#[derive(Debug, Default)]
pub(super) struct KnownParts {
    parts: NodeTable<KnownPart>,
    /// How many bytes binaries have, if they are known to be binaries.
    bytes: FxHashMap<NodeId, ByteRange>,
    /// The parts inside of a part that something is said about, or about parts inside of them.
    inside: NodeLists<NodeId>,
    /// Grows with each fact on which the types of elements of tuples may depend.
    version: u32,
}

impl KnownParts {
    /// The kinds that a part may have.
    pub(super) fn kinds(&self, part: NodeId) -> Kinds {
        self.parts.get(part).kinds
    }

    /// The size of a part that is a tuple.
    pub(super) fn size(&self, part: NodeId) -> Option<u32> {
        self.parts.get(part).size
    }

    /// The constant that a part is.
    pub(super) fn constant(&self, part: NodeId) -> Option<NodeId> {
        self.parts.get(part).constant
    }

    /// Another number if the types of elements of tuples may be others.
    pub(super) fn version(&self) -> u32 {
        self.version
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
        self.inside.get(part)
    }

    /// A part has one of these kinds. Returns whether that is new.
    pub(super) fn tell_kinds(&mut self, graph: &Graph, part: NodeId, kinds: Kinds) -> bool {
        let known = self.parts.entry(part);
        let new = known.kinds & kinds;
        let is_new = new != known.kinds;
        known.kinds = new;
        if is_new {
            self.note_inside(graph, part);
        }
        is_new
    }

    /// A part is a tuple of this size. Returns whether that is new.
    pub(super) fn tell_size(&mut self, graph: &Graph, part: NodeId, size: u32) -> bool {
        let is_new = self.parts.entry(part).size.replace(size) != Some(size);
        if is_new {
            self.version += 1;
            self.note_inside(graph, part);
        }
        is_new
    }

    /// A part is this constant, which has no parts. Returns whether that is new.
    pub(super) fn tell_constant(&mut self, graph: &Graph, part: NodeId, value: NodeId) -> bool {
        let is_new = self.parts.entry(part).constant.replace(value) != Some(value);
        if is_new {
            let is_element = matches!(graph.node(part), Node::Part(Place::Element(_), _));
            self.version += u32::from(is_element);
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
        loop {
            let known = self.parts.entry(at);
            if std::mem::replace(&mut known.is_inside_noted, true) {
                return;
            }
            let Node::Part(_, of) = graph.node(at) else {
                return;
            };
            self.inside.push(*of, at);
            at = *of;
        }
    }
}
