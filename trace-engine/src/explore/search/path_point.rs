//! The decisions on the path of a run.

use super::super::state_graph::StateCursor;
use crate::visited::Point;

/// A decision on the path of a run.
#[derive(Clone, Copy, Debug)]
pub(super) struct PathPoint {
    /// Its point on the path.
    pub(super) point: Point,
    /// Its point by its state, if states are compared.
    pub(super) state: Option<StateCursor>,
}
