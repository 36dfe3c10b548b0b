//! The part of a path condition that says something about some parts of the input.
//!
//! What is said about other parts is independent of them, so it may be dropped: some input fulfils
//! it. Heads and tails of a list and elements of a tuple are independent of each other. What is in
//! a map, a bit string or a fun is not, so there the whole counts.

use rustc_hash::FxHashSet;
use solver::graph::{Graph, Kinds, Node, NodeId, Place};

use super::part_types::PartType;
use super::parts::parts_of_value;
use super::path_facts::PathFacts;

/// What a path says about some parts.
pub(super) struct Relevance<'run, 'search> {
    graph: &'run Graph,
    pub(super) facts: &'run mut PathFacts<'search>,
    pub(super) mentioned: FxHashSet<NodeId>,
    /// Mentioned parts whose conditions were not collected yet.
    open: Vec<NodeId>,
    seen_conditions: FxHashSet<u32>,
    /// The numbers of the conditions, in the order in which they were found.
    pub(super) conditions: Vec<u32>,
    seen_parts: FxHashSet<NodeId>,
    /// The parts that something is said about.
    pub(super) parts: Vec<NodeId>,
}

impl<'run, 'search> Relevance<'run, 'search> {
    pub(super) fn new(graph: &'run Graph, facts: &'run mut PathFacts<'search>) -> Self {
        Self {
            graph,
            facts,
            mentioned: FxHashSet::default(),
            open: Vec::new(),
            seen_conditions: FxHashSet::default(),
            conditions: Vec::new(),
            seen_parts: FxHashSet::default(),
            parts: Vec::new(),
        }
    }

    /// Collects what is said about the parts of a value. Returns whether all of it is known.
    pub(super) fn add_value(&mut self, node: NodeId) -> bool {
        let mut parts = Vec::new();
        let is_clear = parts_of_value(self.graph, node, &mut parts);
        for part in parts {
            self.mention(part);
        }
        is_clear
    }

    /// Collects the conditions on all parts that were mentioned, on the parts that these conditions
    /// mention, and so on.
    pub(super) fn close(&mut self) {
        while let Some(part) = self.open.pop() {
            let mut above = part;
            while let Node::Part(_, of) = self.graph.node(above) {
                above = *of;
                self.take_conditions(above);
            }
            let mut inside = vec![part];
            while let Some(part) = inside.pop() {
                if self.seen_parts.insert(part) {
                    self.parts.push(part);
                    self.take_conditions(part);
                    inside.extend(self.facts.known.inside(part).iter().rev());
                }
            }
        }
    }

    fn take_conditions(&mut self, part: NodeId) {
        let numbers = self.facts.conditions_on(part).to_vec();
        for number in numbers {
            if !self.seen_conditions.insert(number) {
                continue;
            }
            let Some(condition) = self.facts.condition(number) else {
                continue;
            };
            let parts = condition.parts.clone();
            self.conditions.push(number);
            for part in &parts {
                self.mention(*part);
            }
        }
    }

    /// Mentions a part, or the whole that it depends on.
    fn mention(&mut self, part: NodeId) {
        let mut at = part;
        while self.mentioned.insert(at) {
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
        is_there && facts.types.of(self.graph, &facts.known, part) != PartType::Depends
    }

    /// The mentioned part that a part is in and that is in no other, and the places on the way down
    /// from it; `None` if no mentioned part has it.
    pub(super) fn root(&self, part: NodeId) -> Option<(NodeId, Vec<Place>)> {
        let mut found = None;
        let mut places = Vec::new();
        let mut at = part;
        loop {
            if self.mentioned.contains(&at) {
                found = Some((at, places.len()));
            }
            let Node::Part(place, of) = *self.graph.node(at) else {
                break;
            };
            places.push(place);
            at = of;
        }
        let (root, length) = found?;
        places.truncate(length);
        places.reverse();
        Some((root, places))
    }
}
