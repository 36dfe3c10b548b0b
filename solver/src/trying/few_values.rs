//! The integers that have few values left.

use crate::graph::{Kinds, NodeId};
use crate::integers::Relation;
use crate::known::Known;
use crate::store::NodeMap;

/// At most this many values are few.
const FEW: i128 = 4096;

/// The bounds of parts of the input that are compared with constants.
pub(super) struct FewValues {
    bounds: NodeMap<(i128, i128)>,
}

impl FewValues {
    /// Reads the constraints on single parts.
    pub(super) fn new(known: &mut Known<'_>) -> Self {
        let mut bounds: NodeMap<(i128, i128)> = NodeMap::default();
        for index in 0..known.store.constraints.len() {
            let Some(constraint) = known.store.constraints.get(index) else {
                break;
            };
            let &[(node, coefficient)] = constraint.linear.terms.as_slice() else {
                continue;
            };
            let (constant, relation) = (constraint.linear.constant, constraint.relation);
            let part = known.resolve(node);
            let own = bounds.entry(part).or_insert((i128::MIN, i128::MAX));
            narrow(own, coefficient, constant, relation);
        }
        Self { bounds }
    }

    /// Whether a part that stands for itself has few values left.
    pub(super) fn has(&self, known: &Known<'_>, part: NodeId) -> bool {
        self.range(known, part).is_some()
    }

    fn range(&self, known: &Known<'_>, part: NodeId) -> Option<(i128, i128)> {
        let is_integer =
            known.graph.is_part(part) && known.store.part(part).kinds == Kinds::INTEGER;
        let bounds = self.bounds.get(&part).filter(|_| is_integer);
        let (low, high) = *bounds?;
        let size = high.checked_sub(low)?;
        (size < FEW).then_some((low, high))
    }

    /// The values of a part that has few, in their order.
    pub(super) fn of(&self, known: &mut Known<'_>, part: NodeId) -> Vec<i64> {
        let (low, high) = self.range(known, part).unwrap_or((1, 0));
        let values = (low..=high).filter_map(|it| i64::try_from(it).ok());
        let values = values.filter(|value| {
            let value = known.graph.integer(*value);
            !known.store.part(part).not.contains(&value)
        });
        values.collect()
    }
}

/// Narrows bounds by `coefficient · part + constant` related to 0.
fn narrow(bounds: &mut (i128, i128), coefficient: i128, constant: i128, relation: Relation) {
    let slack = match relation {
        Relation::Less => 1,
        Relation::AtMost | Relation::Equal => 0,
        Relation::Different => return,
    };
    let Some(most) = constant.checked_neg().and_then(|it| it.checked_sub(slack)) else {
        return;
    };
    at_most(bounds, coefficient, most);
    if relation == Relation::Equal {
        at_most(bounds, -coefficient, -most);
    }
}

/// Narrows bounds by `coefficient · part ≤ most`.
fn at_most(bounds: &mut (i128, i128), coefficient: i128, most: i128) {
    if coefficient > 0 {
        bounds.1 = bounds.1.min(most.div_euclid(coefficient));
    } else if coefficient < 0 {
        bounds.0 = bounds.0.max(-most.div_euclid(-coefficient));
    }
}
