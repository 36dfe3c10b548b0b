//! Facts of a run that decide what a pattern means: where in a bit string a segment begins depends
//! on the sizes of those before it.

use models::{Stop, Walk, exact};
use smallvec::SmallVec;
use solver::graph::{Condition, Graph, NodeId};

/// Something that only the run can tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fact {
    /// Which number this is.
    Number(NodeId),
    /// Which of these is the first that holds.
    FirstOf(Vec<Condition>),
}

impl Fact {
    /// What the run tells.
    pub(super) fn ask(&self, walk: &mut Walk<'_>) -> Result<u64, Stop> {
        match self {
            Self::Number(node) => exact(walk, *node),
            Self::FirstOf(ways) => {
                let chosen = walk.choose(ways)?;
                u64::try_from(chosen).map_err(|_| Stop::Unknown)
            }
        }
    }
}

/// A fact that is not known yet, and the condition on which it is needed.
#[derive(Clone, Debug)]
pub(crate) struct Need {
    pub(crate) prefix: Condition,
    pub(crate) fact: Fact,
}

impl Need {
    /// The same need after some more conditions.
    pub(super) fn after(
        mut self: Box<Self>,
        graph: &mut Graph,
        conditions: &[Condition],
    ) -> Box<Self> {
        let before = conditions.iter().copied();
        self.prefix = graph.all(before.chain([self.prefix]));
        self
    }
}

/// Facts that are known.
pub(crate) type KnownFacts = [(Fact, u64)];

/// The conditions of a match.
pub(super) type Conditions = SmallVec<[Condition; 4]>;

/// The condition on which something matches, or a fact that it depends on.
pub(crate) type Matches = Result<Condition, Box<Need>>;

/// A condition that nothing is known about.
pub(crate) fn unknown_condition(graph: &mut Graph) -> Condition {
    let (unknown, yes) = (graph.unknown(), NodeId::TRUE);
    graph.equal(unknown, yes)
}
