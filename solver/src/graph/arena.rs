//! The graph itself: all nodes and formulas of a run, each of them once.

use std::sync::Arc;

use erlang_term::Atom;

use super::collections::{Lookup, Set};
use super::facts::KnownFacts;
use super::formula::Formula;
use super::ids::{Condition, NodeId};
use super::interner::Interner;
use super::map_keys::MapKeys;
use super::node::{Node, Place};
use crate::kinds::Kinds;
use crate::release_rules::ReleaseRules;
use crate::types::{TypeId, Types};

/// All symbolic values of a run, and the conditions on them.
#[derive(Debug)]
pub struct Graph {
    nodes: Interner,
    formulas: Set<Formula>,
    facts: KnownFacts,
    unknowns: u32,
    /// For each computed number the condition that it is an integer.
    pub(super) integral: Lookup<NodeId, Condition>,
    /// How many pieces of bit strings were looked at.
    pub(super) pieces_seen: usize,
    pub(super) map_keys: MapKeys,
    /// The types that conditions refer to.
    pub(super) types: Arc<Types>,
    /// Whether constants are of types.
    pub(super) members: Lookup<(TypeId, NodeId), bool>,
    /// What values mean on the release that runs.
    pub(super) rules: ReleaseRules,
}

impl Default for Graph {
    fn default() -> Self {
        Self::new(ReleaseRules::default())
    }
}

impl Graph {
    /// A graph without values of the program, for values as they are on a release.
    pub fn new(rules: ReleaseRules) -> Self {
        let mut graph = Self::without_values(rules);
        graph.intern_formula(Formula::True);
        for node in [
            Node::Nil,
            Node::Atom(Atom::new("true")),
            Node::Atom(Atom::new("false")),
        ] {
            graph.intern(node);
        }
        graph
    }

    /// A graph of which nobody wants anything.
    pub fn without_values(rules: ReleaseRules) -> Self {
        Self {
            rules,
            nodes: Interner::default(),
            formulas: Set::default(),
            facts: KnownFacts::default(),
            unknowns: 0,
            integral: Lookup::default(),
            pieces_seen: 0,
            map_keys: MapKeys::default(),
            types: Arc::default(),
            members: Lookup::default(),
        }
    }

    /// What values mean on the release that runs.
    pub fn rules(&self) -> &ReleaseRules {
        &self.rules
    }

    /// The value of a node.
    pub fn node(&self, id: NodeId) -> &Node {
        let node = self.nodes.get(id.index());
        node.expect("a node id is made with its node")
    }

    /// The formula of a condition.
    pub fn formula(&self, condition: Condition) -> &Formula {
        let formula = self.formulas.get_index(condition.index());
        formula.expect("a condition is made with its formula")
    }

    /// The kinds that the value of a node can have, as far as the node itself shows.
    pub fn kinds(&self, id: NodeId) -> Kinds {
        self.facts.node(id).kinds
    }

    /// Whether a node depends on the input.
    pub fn is_symbolic(&self, id: NodeId) -> bool {
        self.facts.node(id).is_symbolic
    }

    /// Whether a node depends on a value that nothing is known about.
    pub fn is_unknown(&self, id: NodeId) -> bool {
        self.facts.node(id).is_unknown
    }

    /// Whether a condition depends on a value that nothing is known about.
    pub fn is_unknown_condition(&self, condition: Condition) -> bool {
        self.facts.condition(condition).is_unknown
    }

    /// Whether a node is a constant.
    pub fn is_ground(&self, id: NodeId) -> bool {
        let facts = self.facts.node(id);
        !facts.is_symbolic && !facts.is_unknown
    }

    /// Whether a node is a part of the input.
    pub fn is_part(&self, id: NodeId) -> bool {
        self.node(id).is_part()
    }

    /// Whether a node is a choice between two others.
    pub(super) fn is_choice(&self, id: NodeId) -> bool {
        matches!(self.node(id), Node::Choice(..))
    }

    /// Whether a part is the text of an atom, or the end of one.
    pub(super) fn is_text(&self, part: NodeId) -> bool {
        self.facts.node(part).is_text
    }

    /// A part of a part, if somebody has looked at it.
    pub(crate) fn known_part(&self, place: Place, of: NodeId) -> Option<NodeId> {
        self.known_node(&Node::Part(place, of))
    }

    pub(super) fn known_node(&self, node: &Node) -> Option<NodeId> {
        self.nodes.index_of(node).map(NodeId::of_index)
    }

    /// The keys of maps of the input that the run has asked for.
    pub fn map_keys(&self) -> &MapKeys {
        &self.map_keys
    }

    /// The same, to change them.
    pub fn map_keys_mut(&mut self) -> &mut MapKeys {
        &mut self.map_keys
    }

    /// The types that conditions refer to.
    pub(crate) fn types(&self) -> &Arc<Types> {
        &self.types
    }

    /// The node for a value.
    pub(super) fn intern(&mut self, node: Node) -> NodeId {
        let (index, is_new) = self.nodes.intern(node);
        if is_new && let Some(node) = self.nodes.get(index) {
            self.facts.add_node(node);
        }
        NodeId::of_index(index)
    }

    /// The condition for a formula.
    pub(super) fn intern_formula(&mut self, formula: Formula) -> Condition {
        let (index, is_new) = self.formulas.insert_full(formula);
        if is_new && let Some(formula) = self.formulas.get_index(index) {
            self.facts.add_formula(formula);
        }
        Condition::of_index(index)
    }

    /// A small integer.
    pub fn integer(&mut self, value: i64) -> NodeId {
        match self.nodes.integer(value) {
            Some(known) => NodeId::of_index(known),
            None => self.intern(Node::Integer(value.into())),
        }
    }

    /// A value that nothing is known about.
    pub fn unknown(&mut self) -> NodeId {
        self.unknowns += 1;
        self.intern(Node::Unknown(self.unknowns))
    }

    #[cfg(test)]
    pub(super) fn formula_count(&self) -> usize {
        self.formulas.len()
    }
}
