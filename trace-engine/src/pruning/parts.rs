//! The parts of the input that a value or condition is made of.

use solver::graph::{Condition, Formula, Graph, Node, NodeId, Place};

use super::node_tables::NumberMarks;

/// More nodes than this are not looked at.
const MOST: usize = 2_000;

/// A part of the input that something is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct UsedPart {
    pub(super) part: NodeId,
    /// If it is a bit string: the first of its bytes that is used.
    pub(super) from: u32,
}

impl UsedPart {
    /// All of a part.
    pub(super) fn all(part: NodeId) -> Self {
        Self { part, from: 0 }
    }
}

/// Looks for parts of the input. Values and conditions that were seen are not looked at again.
#[derive(Debug, Default)]
pub(super) struct PartSearch {
    nodes: Vec<NodeId>,
    conditions: Vec<Condition>,
    seen: NumberMarks,
    seen_conditions: NumberMarks,
}

impl PartSearch {
    /// Forgets what was seen.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.conditions.clear();
        self.seen.clear();
        self.seen_conditions.clear();
    }

    /// Adds the parts of the input in a condition. Returns how many values were looked at; `None` if
    /// there are too many.
    pub(super) fn add_condition(
        &mut self,
        graph: &Graph,
        condition: Condition,
        parts: &mut Vec<UsedPart>,
    ) -> Option<usize> {
        let before = self.count();
        self.conditions.push(condition);
        self.run(graph, parts)?;
        Some(self.count() - before)
    }

    /// Adds the parts of the input in a value. Returns whether these are all, and nothing is in it
    /// that is not known.
    pub(super) fn add_value(
        &mut self,
        graph: &Graph,
        node: NodeId,
        parts: &mut Vec<UsedPart>,
    ) -> bool {
        if graph.is_unknown(node) {
            return false;
        }
        if !graph.is_symbolic(node) {
            return true;
        }
        self.nodes.push(node);
        self.run(graph, parts).is_some()
    }

    /// How many values and conditions were seen.
    fn count(&self) -> usize {
        self.seen.len() + self.seen_conditions.len()
    }

    fn run(&mut self, graph: &Graph, parts: &mut Vec<UsedPart>) -> Option<()> {
        loop {
            if self.count() > MOST {
                return None;
            }
            if let Some(node) = self.nodes.pop() {
                self.node(graph, node, parts);
            } else if let Some(condition) = self.conditions.pop() {
                self.condition(graph, condition);
            } else {
                return Some(());
            }
        }
    }

    fn node(&mut self, graph: &Graph, node: NodeId, parts: &mut Vec<UsedPart>) {
        if !graph.is_symbolic(node) || !self.seen.insert(node.index()) {
            return;
        }
        let value = graph.node(node);
        if graph.is_part(node) {
            parts.push(UsedPart::all(node));
            self.nodes.extend(values_in_place(graph, node));
        } else if let Node::Bits(bits) = value {
            self.nodes
                .extend(bits.pieces.iter().rev().map(|it| it.value));
            if let Some(rest) = bits.rest {
                parts.push(UsedPart {
                    part: rest.of,
                    from: u32::try_from(rest.skipped / 8).unwrap_or(0),
                });
                self.nodes.extend(values_in_place(graph, rest.of));
            }
        } else if let Node::Truth(condition) = value {
            self.conditions.push(*condition);
        } else if let Node::Choice(condition, yes, no) = value {
            self.conditions.push(*condition);
            self.nodes.extend([*no, *yes]);
        } else {
            self.nodes.extend(value.operands().into_iter().rev());
        }
    }

    fn condition(&mut self, graph: &Graph, condition: Condition) {
        if !self.seen_conditions.insert(condition.index()) {
            return;
        }
        match graph.formula(condition) {
            Formula::True => {}
            Formula::All(parts) => self.conditions.extend(parts.iter().rev()),
            Formula::Kind(_, node)
            | Formula::Arity(_, node)
            | Formula::FunArity(_, node)
            | Formula::ProperList(node)
            | Formula::Member(_, node)
            | Formula::Fields(_, node)
            | Formula::Utf8(_, node) => self.nodes.push(*node),
            Formula::HasKey(left, right)
            | Formula::Equal(left, right)
            | Formula::Same(left, right)
            | Formula::Less(left, right)
            | Formula::Before(left, right)
            | Formula::TooLarge(_, left, right) => self.nodes.extend([*right, *left]),
        }
    }
}

/// The values by which a part is found: keys of maps and arguments of funs.
fn values_in_place(graph: &Graph, part: NodeId) -> Vec<NodeId> {
    let mut values = Vec::new();
    let mut at = part;
    while let Node::Part(place, of) = graph.node(at) {
        if let Place::Value(node) | Place::Result(node) = place {
            values.push(*node);
        }
        at = *of;
    }
    values
}
