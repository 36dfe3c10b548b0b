//! Where a part of the input is, in words that mean the same in all runs.

use solver::graph::{Graph, Node, NodeId, Place};

/// Which bytes count of a binary that is read from its beginning to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CountedBytes {
    /// The first of them.
    pub(crate) first: u32,
    /// How many bytes the path says that the binary has at most, with those before.
    pub(crate) most: i64,
}

/// A part of the input that a call depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CallRoot {
    pub(crate) part: NodeId,
    /// `None` if all of it counts.
    pub(crate) bytes: Option<CountedBytes>,
}

/// Where a part of the input is: the number of the argument, and the way down from there through
/// lists and tuples.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PartPlace {
    /// The number of the argument.
    pub(crate) argument: usize,
    /// Heads, tails and elements, from above.
    pub(crate) steps: Box<[Place]>,
    /// The bytes that it is of what is there; `None` if it is all of that.
    pub(crate) bytes: Option<CountedBytes>,
}

impl PartPlace {
    /// The place of a part; `None` if it is inside of something else than lists and tuples.
    pub(super) fn of(graph: &Graph, root: CallRoot) -> Option<Self> {
        let mut steps = Vec::new();
        let mut at = root.part;
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
            bytes: root.bytes,
        })
    }
}

/// The first of some parts that a part is, or is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PartAround {
    pub(super) number: usize,
    /// How far above it is.
    pub(super) steps: u16,
    /// Which bytes count of it, if it is the same part.
    pub(super) bytes: Option<CountedBytes>,
}

/// The first of these parts that a part is, or is in. Of a binary no more may count than of that.
pub(super) fn part_around(
    graph: &Graph,
    part: NodeId,
    first_byte: Option<u32>,
    wholes: &[CallRoot],
) -> Option<PartAround> {
    let mut steps = 0;
    let mut at = part;
    loop {
        if let Some(number) = wholes.iter().position(|it| it.part == at) {
            let bytes = wholes.get(number)?.bytes;
            let is_in = bytes.is_none_or(|it| first_byte.unwrap_or(0) >= it.first);
            return is_in.then_some(PartAround {
                number,
                steps,
                bytes,
            });
        }
        let Node::Part(_, of) = graph.node(at) else {
            return None;
        };
        at = *of;
        steps = steps.saturating_add(1);
    }
}
