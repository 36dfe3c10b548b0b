//! Floats that are tried before Z3 is asked, which takes a thousand times as long. Most questions
//! are about one float in sums with constants: a loop that counts down to 0 asks such a question
//! in every round.

use super::real_values::NumberQuestion;
use crate::graph::{Formula, Kinds, NodeId, exact_float};
use crate::guess::{Guess, Parent};
use crate::known::Known;

/// The distances from the meeting point at which floats are tried, the nicest first.
const DISTANCES: [f64; 5] = [-0.5, 0.5, 0.0, -1.0, 1.0];

/// A float for which all conditions hold, near the meeting point: the float for which both sides of
/// the first condition are equal.
pub(super) fn near_meeting(
    asked: &NumberQuestion,
    known: &mut Known<'_>,
    parent: &mut Parent,
) -> Option<NodeId> {
    let &[part] = asked.parts.as_slice() else {
        return None;
    };
    if known.store.part(part).kinds != Kinds::FLOAT {
        return None;
    }
    let first = *asked.conditions.first()?;
    let (Formula::Less(left, right) | Formula::Same(left, right)) = *known.graph.formula(first)
    else {
        return None;
    };
    let at_zero = difference(known, parent, part, 0.0, [left, right])?;
    let slope = difference(known, parent, part, 1.0, [left, right])? - at_zero;
    let meeting = -at_zero / slope;
    let tried = DISTANCES.map(|distance| meeting + distance).into_iter();
    tried.filter(|it| it.is_finite()).find_map(|float| {
        let float = known.graph.float(float);
        asked
            .is_answered_by(known, parent, &[float])
            .then_some(float)
    })
}

/// The left side minus the right side, if a part has this value.
fn difference(
    known: &mut Known<'_>,
    parent: &mut Parent,
    part: NodeId,
    value: f64,
    sides: [NodeId; 2],
) -> Option<f64> {
    let value = known.graph.float(value);
    let mut guess = Guess::with_values(known, parent, [(part, value)]);
    let sides = sides.map(|side| guess.value(side).ok());
    let [left, right] = sides.map(|side| exact_float(known.graph.node(side?)));
    Some(left? - right?)
}
