//! The part of a path condition that says something about some parts of the input.
//!
//! What is said about other parts is independent of them, so it may be dropped: some input fulfils
//! it. Heads and tails of a list and elements of a tuple are independent of each other. What is in
//! a map, a bit string or a fun is not, so there the whole counts. Of a binary that is read from its
//! beginning to its end, the rest counts: bytes do not depend on each other, and a binary without
//! its first bytes is a binary. Bytes before the rest that still count are parts by themselves: any
//! bytes may stand there, whatever follows them.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use solver::graph::{Graph, Kinds, Node, NodeId, Place};

use super::part_types::PartType;
use super::parts::UsedPart;
use super::path_facts::PathFacts;
use super::relevance_marks::RelevanceMarks;
use super::view_rule::ViewRule;

/// The places on the way down to a part.
pub(super) type WayDown = SmallVec<[Place; 16]>;

/// Most states depend on fewer parts and conditions.
const USUAL: usize = 32;

/// What a path says about some parts.
pub(super) struct Relevance<'run, 'search> {
    graph: &'run Graph,
    pub(super) facts: &'run mut PathFacts<'search>,
    marks: RelevanceMarks,
    pub(super) mentioned: Vec<NodeId>,
    /// Mentioned parts whose conditions were not collected yet.
    open: Vec<NodeId>,
    /// The first byte that counts, of binaries that are mentioned.
    rests: FxHashMap<NodeId, u32>,
    /// Bytes before those, about which something is said.
    skipped: Vec<NodeId>,
    /// The numbers of the conditions, in the order in which they were found.
    pub(super) conditions: Vec<u32>,
    /// The parts that something is said about.
    pub(super) parts: Vec<NodeId>,
    used: Vec<UsedPart>,
}

impl Drop for Relevance<'_, '_> {
    fn drop(&mut self) {
        self.facts.marks = std::mem::take(&mut self.marks);
    }
}

impl<'run, 'search> Relevance<'run, 'search> {
    pub(super) fn new(graph: &'run Graph, facts: &'run mut PathFacts<'search>) -> Self {
        let mut marks = std::mem::take(&mut facts.marks);
        marks.clear();
        Self {
            graph,
            facts,
            marks,
            mentioned: Vec::with_capacity(USUAL),
            open: Vec::with_capacity(USUAL),
            rests: FxHashMap::default(),
            skipped: Vec::new(),
            conditions: Vec::with_capacity(USUAL),
            parts: Vec::with_capacity(USUAL),
            used: Vec::new(),
        }
    }

    /// Collects what is said about the parts of a value. Returns whether all of it is known.
    pub(super) fn add_value(&mut self, node: NodeId) -> bool {
        let mut parts = std::mem::take(&mut self.used);
        let values = &mut self.marks.values;
        let is_clear = values.add_value(self.graph, node, &mut parts);
        for part in parts.drain(..) {
            self.mention(part);
        }
        self.used = parts;
        is_clear
    }

    fn is_mentioned(&self, part: NodeId) -> bool {
        self.marks.mentioned.contains(part.index())
    }

    /// Collects the conditions on all parts that were mentioned, on the parts that these conditions
    /// mention, and so on.
    pub(super) fn close(&mut self) {
        loop {
            while let Some(part) = self.open.pop() {
                let mut above = part;
                if let Some((index, of)) = self.single_byte(part) {
                    self.take_conditions_from(of, index);
                    above = of;
                }
                // Those above a part whose conditions were collected were collected, too.
                while let Node::Part(_, of) = self.graph.node(above)
                    && self.take_conditions(*of)
                {
                    above = *of;
                }
                self.take_inside(part);
            }
            // Some of these may count in the meantime.
            let skipped = std::mem::take(&mut self.skipped);
            for part in &skipped {
                self.take_inside(*part);
            }
            if self.open.is_empty() && self.skipped.len() == skipped.len() {
                return;
            }
        }
    }

    /// Collects what is said about a part and the parts inside of it.
    fn take_inside(&mut self, part: NodeId) {
        let mut inside = SmallVec::<[NodeId; 16]>::new();
        inside.push(part);
        while let Some(part) = inside.pop() {
            if self.is_skipped(part) {
                self.skipped.push(part);
            } else if self.marks.parts.insert(part.index()) {
                self.parts.push(part);
                self.take_conditions(part);
                inside.extend(self.facts.known.inside(part).iter().rev().copied());
            }
        }
    }

    /// Whether a part is a byte that does not count, before those that do.
    fn is_skipped(&self, part: NodeId) -> bool {
        if let Node::Part(Place::Byte(index), of) = self.graph.node(part) {
            let is_before = self.first_byte(*of).is_some_and(|first| *index < first);
            is_before && !self.is_mentioned(part)
        } else {
            false
        }
    }

    /// The place of a byte that may count by itself, and the binary that it is in.
    fn single_byte(&mut self, part: NodeId) -> Option<(u32, NodeId)> {
        let Node::Part(Place::Byte(index), of) = *self.graph.node(part) else {
            return None;
        };
        let is_there = i64::from(index) < self.facts.known.bytes(of).least;
        (is_there && self.is_plain_binary(of)).then_some((index, of))
    }

    /// Whether a part is a byte that counts by itself: it is before the bytes that count together, or
    /// there are none. This is asked when all parts are mentioned.
    pub(super) fn is_byte_alone(&self, part: NodeId) -> bool {
        let Node::Part(Place::Byte(index), of) = *self.graph.node(part) else {
            return false;
        };
        if self.is_mentioned(of) {
            self.is_mentioned(part) && self.first_byte(of).is_some_and(|first| index < first)
        } else {
            self.is_mentioned(part) && !self.is_in_mentioned(of)
        }
    }

    /// Whether a part is in another one that is mentioned.
    fn is_in_mentioned(&self, part: NodeId) -> bool {
        let mut at = part;
        while let Node::Part(_, of) = self.graph.node(at) {
            at = *of;
            if self.is_mentioned(at) {
                return true;
            }
        }
        false
    }

    /// Collects the conditions on a binary from this byte on, or from one before.
    fn take_conditions_from(&mut self, binary: NodeId, byte: u32) {
        let mut at = 0;
        while let Some(number) = self.facts.conditions_on(binary).get(at).copied() {
            at += 1;
            let condition = self.facts.condition(number);
            let mut used = condition.iter().flat_map(|it| it.parts.iter());
            let is_about_it = used.any(|it| it.part == binary && it.from <= byte);
            if is_about_it && self.marks.conditions.insert(number as usize) {
                self.take_condition(number);
            }
        }
    }

    /// The first byte of a binary that counts; `None` if it counts as a whole.
    pub(super) fn first_byte(&self, part: NodeId) -> Option<u32> {
        let first = self.rests.get(&part).copied()?;
        let is_whole = self.is_in_mentioned(part) && ViewRule::WholeBinaries.is_kept();
        (!is_whole).then_some(first)
    }

    /// Collects the conditions on a part. Returns whether that was not done before.
    fn take_conditions(&mut self, part: NodeId) -> bool {
        if !self.marks.taken.insert(part.index()) {
            return false;
        }
        let mut at = 0;
        while let Some(number) = self.facts.conditions_on(part).get(at).copied() {
            at += 1;
            if self.marks.conditions.insert(number as usize) {
                self.take_condition(number);
            }
        }
        true
    }

    fn take_condition(&mut self, number: u32) {
        let Some(condition) = self.facts.condition(number) else {
            return;
        };
        let mut parts = condition.parts.iter();
        let is_connected = ViewRule::ConnectedConditions.is_kept();
        if !is_connected && !parts.all(|it| self.is_mentioned(it.part)) {
            return;
        }
        self.conditions.push(number);
        let mut at = 0;
        while let Some(condition) = self.facts.condition(number)
            && let Some(used) = condition.parts.get(at).copied()
        {
            self.mention(used);
            at += 1;
        }
    }

    /// Mentions a part, or the whole that it depends on.
    fn mention(&mut self, UsedPart { part, from }: UsedPart) {
        if self.single_byte(part).is_some() {
            if self.marks.mentioned.insert(part.index()) {
                self.mentioned.push(part);
                self.open.push(part);
            }
            return;
        }
        if let Node::Part(Place::Byte(index), of) = *self.graph.node(part) {
            self.count_from(of, index);
        } else if let Node::Part(Place::Bytes | Place::Unused, of) = *self.graph.node(part) {
            self.count_from(of, 0);
        } else {
            self.count_from(part, from);
        }
        let mut at = part;
        while self.marks.mentioned.insert(at.index()) {
            self.mentioned.push(at);
            self.open.push(at);
            let Node::Part(place, of) = *self.graph.node(at) else {
                return;
            };
            if self.is_independent(at, place, of) {
                return;
            }
            at = of;
        }
    }

    /// The bytes of a binary count from this one on.
    fn count_from(&mut self, part: NodeId, byte: u32) {
        if let Some(first) = self.rests.get_mut(&part) {
            *first = byte.min(*first);
        } else if self.is_plain_binary(part) {
            let there = self.facts.known.bytes(part).least;
            let first = u32::try_from(there).map_or(byte, |there| byte.min(there));
            self.rests.insert(part, first);
        }
    }

    /// Whether a part is any binary, and independent of others, and its size is known only as a
    /// range.
    fn is_plain_binary(&mut self, part: NodeId) -> bool {
        let graph = self.graph;
        if self.facts.kinds(graph, part) != Kinds::BINARY {
            return false;
        }
        if let Node::Part(place, of) = *graph.node(part)
            && !self.is_independent(part, place, of)
        {
            return false;
        }
        let facts = &mut *self.facts;
        let mut inside = facts.known.inside(part).iter();
        let has_size = inside.any(|it| facts.known.constant(*it).is_some() && !is_byte(graph, *it));
        !has_size && facts.types.is_any_binary(graph, &facts.known, part)
    }

    /// Whether a part is independent of the other parts of the whole that it is in.
    fn is_independent(&mut self, part: NodeId, place: Place, of: NodeId) -> bool {
        let is_there = match place {
            // The text of an atom is a list, too.
            Place::Head | Place::Tail => {
                self.graph.kinds(part) == Kinds::ANY
                    && self.facts.kinds(self.graph, of) == Kinds::CONS
            }
            Place::Element(_) => self.facts.known.size(of).is_some(),
            Place::Text
            | Place::Value(_)
            | Place::Key(_)
            | Place::Result(_)
            | Place::Default
            | Place::Bytes
            | Place::Unused
            | Place::Byte(_) => false,
        };
        let facts = &mut *self.facts;
        is_there && *facts.types.of(self.graph, &facts.known, part) != PartType::Depends
    }

    /// The mentioned part that a part is in and that is in no other; `None` if no mentioned part has
    /// it. This is asked when all parts are mentioned.
    pub(super) fn root(&mut self, part: NodeId) -> Option<NodeId> {
        let mut inner = SmallVec::<[NodeId; 16]>::new();
        let mut at = part;
        while self.marks.rooted.insert(at.index()) {
            inner.push(at);
            let Node::Part(_, of) = *self.graph.node(at) else {
                break;
            };
            if self.is_byte_alone(at) {
                break;
            }
            at = of;
        }
        let outer = (inner.last() != Some(&at)).then(|| self.marks.roots.get(at));
        let mut found = outer.flatten();
        while let Some(part) = inner.pop() {
            found = found.or_else(|| self.is_mentioned(part).then_some(part));
            *self.marks.roots.entry(part) = found;
        }
        found
    }

    /// The places on the way down from a part to one that is inside.
    pub(super) fn way_down(&self, root: NodeId, part: NodeId) -> WayDown {
        let mut places = WayDown::new();
        let mut at = part;
        while at != root
            && let Node::Part(place, of) = *self.graph.node(at)
        {
            places.push(place);
            at = of;
        }
        places.reverse();
        places
    }
}

fn is_byte(graph: &Graph, part: NodeId) -> bool {
    matches!(graph.node(part), Node::Part(Place::Byte(_), _))
}
