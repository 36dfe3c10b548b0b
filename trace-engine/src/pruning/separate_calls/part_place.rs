//! Where a part of the input is, in words that mean the same in all runs.

use serde::{Deserialize, Serialize};
use solver::graph::{Graph, Node, NodeId, Place};

/// Where a part of the input is: the number of the argument, and the way down from there through
/// lists and tuples.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PartPlace {
    /// The number of the argument.
    pub(crate) argument: usize,
    /// Heads, tails and elements, from above.
    pub(crate) steps: Box<[Place]>,
}

impl PartPlace {
    /// The place of a part; `None` if it is inside of something else than lists and tuples.
    pub(super) fn of(graph: &Graph, part: NodeId) -> Option<Self> {
        let mut steps = Vec::new();
        let mut at = part;
        while let Node::Part(place, of) = graph.node(at) {
            if !matches!(place, Place::Head | Place::Tail | Place::Element(_)) {
                return None;
            }
            steps.push(*place);
            at = *of;
        }
        let Node::Input(argument) = graph.node(at) else {
            return None;
        };
        steps.reverse();
        Some(Self {
            argument: *argument as usize,
            steps: steps.into(),
        })
    }
}

/// The number of the first of these parts that a part is, or is in, and how far above it is.
pub(super) fn part_around(graph: &Graph, part: NodeId, wholes: &[NodeId]) -> Option<(usize, u16)> {
    let mut steps = 0;
    let mut at = part;
    loop {
        if let Some(number) = wholes.iter().position(|it| *it == at) {
            return Some((number, steps));
        }
        let Node::Part(_, of) = graph.node(at) else {
            return None;
        };
        at = *of;
        steps = steps.saturating_add(1);
    }
}
