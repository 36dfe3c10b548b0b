//! Values that programs keep in arrays of cells, in persistent terms and in environments.

use num_bigint::BigInt;
use solver::graph::NodeId;

/// An array of `atomics` or `counters`.
#[derive(Clone, Debug)]
pub(super) struct CellArray {
    pub(super) id: NodeId,
    pub(super) cells: Vec<NodeId>,
    pub(super) is_signed: bool,
}

impl CellArray {
    /// The smallest and the largest number in a cell.
    pub(super) fn bounds(&self) -> (BigInt, BigInt) {
        if self.is_signed {
            (BigInt::from(i64::MIN), BigInt::from(i64::MAX))
        } else {
            (BigInt::from(0), BigInt::from(u64::MAX))
        }
    }

    /// The smallest and the largest number that may be given to a step.
    pub(super) fn bounds_of_given(&self, name: &str) -> (BigInt, BigInt) {
        let (least, most) = (BigInt::from(i64::MIN), BigInt::from(u64::MAX));
        match name {
            "add" | "add_get" => (least, most),
            "sub" | "sub_get" => (-most, -least),
            _ => self.bounds(),
        }
    }
}

/// A persistent term, or a variable in the environment of an application.
#[derive(Clone, Copy, Debug)]
pub(super) struct StoredTerm {
    pub(super) key: NodeId,
    /// `None` if it was erased.
    pub(super) value: Option<NodeId>,
}
