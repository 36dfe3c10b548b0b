//! The parts of the input that a value or condition is made of.

use rustc_hash::FxHashSet;
use solver::graph::{Condition, Formula, Graph, Node, NodeId, Place};

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

/// Adds the parts of the input in a condition. Returns how many values were looked at; `None` if
/// there are too many.
pub(super) fn parts_of_condition(
    graph: &Graph,
    condition: Condition,
    parts: &mut Vec<UsedPart>,
) -> Option<usize> {
    let mut search = PartSearch::new(graph);
    search.conditions.push(condition);
    search.run(parts)
}

/// Adds the parts of the input in a value. Returns whether these are all, and nothing is in it that
/// is not known.
pub(super) fn parts_of_value(graph: &Graph, node: NodeId, parts: &mut Vec<UsedPart>) -> bool {
    if graph.is_unknown(node) {
        return false;
    }
    if !graph.is_symbolic(node) {
        return true;
    }
    let mut search = PartSearch::new(graph);
    search.nodes.push(node);
    search.run(parts).is_some()
}

struct PartSearch<'graph> {
    graph: &'graph Graph,
    nodes: Vec<NodeId>,
    conditions: Vec<Condition>,
    seen: FxHashSet<NodeId>,
    seen_conditions: FxHashSet<Condition>,
}

impl<'graph> PartSearch<'graph> {
    fn new(graph: &'graph Graph) -> Self {
        Self {
            graph,
            nodes: Vec::new(),
            conditions: Vec::new(),
            seen: FxHashSet::default(),
            seen_conditions: FxHashSet::default(),
        }
    }

    fn run(mut self, parts: &mut Vec<UsedPart>) -> Option<usize> {
        loop {
            let seen = self.seen.len() + self.seen_conditions.len();
            if seen > MOST {
                return None;
            }
            if let Some(node) = self.nodes.pop() {
                self.node(node, parts);
            } else if let Some(condition) = self.conditions.pop() {
                self.condition(condition);
            } else {
                return Some(seen);
            }
        }
    }

    fn node(&mut self, node: NodeId, parts: &mut Vec<UsedPart>) {
        if !self.graph.is_symbolic(node) || !self.seen.insert(node) {
            return;
        }
        let value = self.graph.node(node);
        if self.graph.is_part(node) {
            parts.push(UsedPart::all(node));
            self.nodes.extend(values_in_place(self.graph, node));
        } else if let Node::Bits(bits) = value {
            self.nodes
                .extend(bits.pieces.iter().rev().map(|it| it.value));
            if let Some(rest) = bits.rest {
                parts.push(UsedPart {
                    part: rest.of,
                    from: u32::try_from(rest.skipped / 8).unwrap_or(0),
                });
                self.nodes.extend(values_in_place(self.graph, rest.of));
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

    fn condition(&mut self, condition: Condition) {
        let positive = if condition.is_negated() {
            !condition
        } else {
            condition
        };
        if !self.seen_conditions.insert(positive) {
            return;
        }
        match self.graph.formula(condition) {
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
