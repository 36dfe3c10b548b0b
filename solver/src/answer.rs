//! Answers to questions.

use crate::graph::NodeId;

/// The answer to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Arguments that fulfil all conditions, as constants.
    Sat(Vec<NodeId>),
    /// There are none.
    Unsat,
    /// None were found, but there may be some.
    Unknown,
}
