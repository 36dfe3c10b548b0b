//! The paths from the states of a shape that were run, as a tree of decisions on their leaves.

use flattener::flat::SiteId;
use solver::graph::{Condition, Graph, Kinds, NodeId};

use super::rewriting::Rewriting;
use crate::pruning::StateShape;
use crate::replay::{ReachedState, Segment, SegmentEnd};

/// The hash of the key of a state.
pub(in super::super) type KeyHash = [u64; 2];
/// The hash of the shape of a state.
pub(super) type ShapeHash = [u64; 2];

/// More decisions than this in one tree are too many.
const MOST_NODES: usize = 2_000;

/// What comes next on a path.
#[derive(Clone, Debug)]
pub(super) enum PathNode {
    /// Nobody has been there.
    Unseen,
    /// A choice between ways, each with the number of what comes next if it was run.
    Decision {
        place: (usize, SiteId),
        ways: Box<[Condition]>,
        next: Vec<Option<usize>>,
    },
    /// A state, with the values of its leaves and what must hold so that it has its shape.
    State {
        shape: ShapeHash,
        leaves: Box<[NodeId]>,
        required: Box<[Condition]>,
    },
    /// The end of the run.
    Ended,
    /// Something that is not known.
    Lost,
}

/// A leaf of the states of a shape.
#[derive(Clone, Copy, Debug)]
pub(super) struct TreeLeaf {
    /// The constant that it is in the first state; `None` if it depends on the input there.
    pub(super) first: Option<NodeId>,
    /// Whether it is something else in another state.
    pub(super) varies: bool,
    /// Whether it depends on the input in all states.
    pub(super) is_input: bool,
    /// The kinds that it can have in all states.
    pub(super) kinds: Kinds,
}

/// What a path changes in a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TreeChange {
    /// Such a path is known.
    Nothing,
    /// It is new.
    Grown,
    /// Something is not known any more.
    Lost,
}

/// The paths from the states of a shape.
#[derive(Debug)]
pub(super) struct PathTree {
    leaves: Box<[TreeLeaf]>,
    nodes: Vec<PathNode>,
}

impl PathTree {
    /// No paths yet, from states of the shape of this first one, which has these leaves.
    pub(super) fn new(shape: &StateShape, leaves: &[NodeId]) -> Self {
        let leaves = shape.leaves.iter().zip(leaves).map(|(own, leaf)| TreeLeaf {
            first: own.is_constant.then_some(*leaf),
            varies: false,
            is_input: true,
            kinds: own.kinds,
        });
        Self {
            leaves: leaves.collect(),
            nodes: vec![PathNode::Unseen],
        }
    }

    /// Adds a state with these leaves.
    pub(super) fn add_leaves(&mut self, shape: &StateShape, leaves: &[NodeId]) {
        let all = shape.leaves.iter().zip(leaves).zip(&mut self.leaves);
        for ((own, leaf), known) in all {
            known.varies |= !own.is_constant || known.first != Some(*leaf);
            known.is_input &= !own.is_constant;
        }
    }

    /// The leaves of its states.
    pub(super) fn leaves(&self) -> &[TreeLeaf] {
        &self.leaves
    }

    /// What is there. The first one has the number 0.
    pub(super) fn node(&self, number: usize) -> &PathNode {
        self.nodes.get(number).unwrap_or(&PathNode::Lost)
    }

    /// Adds a part of a run that begins in such a state, whose conditions are rewritten into this
    /// graph.
    pub(super) fn add(
        &mut self,
        graph: &mut Graph,
        rewriting: &mut Rewriting<'_, '_>,
        segment: &Segment,
        states: &[ReachedState],
    ) -> TreeChange {
        let mut at = 0;
        for decision in &segment.decisions {
            let ways = decision.ways.iter();
            let ways = ways.map(|it| rewriting.condition(graph, *it));
            let Some(ways) = ways.collect::<Option<Box<[Condition]>>>() else {
                return self.lose(at);
            };
            let place = (decision.module, decision.site);
            if !self.decide(at, place, ways) {
                return self.lose(at);
            }
            let Some(next) = self.step(at, decision.taken) else {
                return self.lose(at);
            };
            at = next;
        }
        let end = path_end(graph, rewriting, &segment.end, states);
        let is_new = matches!(self.node(at), PathNode::Unseen);
        let is_same = match (self.node(at), &end) {
            (PathNode::Ended, PathNode::Ended) => true,
            (PathNode::State { shape, .. }, PathNode::State { shape: other, .. }) => shape == other,
            _ => false,
        };
        if is_new {
            self.set(at, end);
        } else if !is_same {
            return self.lose(at);
        }
        if is_new {
            TreeChange::Grown
        } else {
            TreeChange::Nothing
        }
    }

    fn set(&mut self, number: usize, node: PathNode) {
        if let Some(slot) = self.nodes.get_mut(number) {
            *slot = node;
        }
    }

    /// From here on nothing is known.
    fn lose(&mut self, at: usize) -> TreeChange {
        if matches!(self.node(at), PathNode::Lost) {
            return TreeChange::Nothing;
        }
        self.set(at, PathNode::Lost);
        TreeChange::Lost
    }

    /// A choice between these ways is here. Returns whether that is so in all runs.
    fn decide(&mut self, at: usize, here: (usize, SiteId), own: Box<[Condition]>) -> bool {
        match self.node(at) {
            PathNode::Unseen => {
                let next = vec![None; own.len()];
                let (place, ways) = (here, own);
                self.set(at, PathNode::Decision { place, ways, next });
                true
            }
            PathNode::Decision { place, ways, .. } => *place == here && *ways == own,
            PathNode::State { .. } | PathNode::Ended | PathNode::Lost => false,
        }
    }

    fn step(&mut self, at: usize, way: usize) -> Option<usize> {
        let number = self.nodes.len();
        let Some(PathNode::Decision { next, .. }) = self.nodes.get_mut(at) else {
            return None;
        };
        let slot = next.get_mut(way)?;
        if let Some(known) = slot {
            return Some(*known);
        }
        if number >= MOST_NODES {
            return None;
        }
        *slot = Some(number);
        self.nodes.push(PathNode::Unseen);
        Some(number)
    }
}

fn path_end(
    graph: &mut Graph,
    rewriting: &mut Rewriting<'_, '_>,
    end: &SegmentEnd,
    states: &[ReachedState],
) -> PathNode {
    match end {
        SegmentEnd::Ended => PathNode::Ended,
        SegmentEnd::Lost => PathNode::Lost,
        SegmentEnd::State(number, fitted) => {
            let state = states.get(*number);
            let state = state.and_then(|it| it.shape.as_ref());
            let leaves = fitted.leaves.iter();
            let leaves = leaves.map(|it| rewriting.node(graph, *it)).collect();
            let required = fitted.required.iter();
            let required = required.map(|it| rewriting.condition(graph, *it)).collect();
            match (state, leaves, required) {
                (Some(shape), Some(leaves), Some(required)) => PathNode::State {
                    shape: shape.hash,
                    leaves,
                    required,
                },
                _ => PathNode::Lost,
            }
        }
    }
}
