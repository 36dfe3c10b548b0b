//! Floats that are tried before Z3 is asked, which takes a thousand times as long. Most questions
//! are about one float in sums with constants: a loop that counts down to 0 asks such a question
//! in every round.

use super::Asked;
use crate::Solver;
use crate::graph::{Formula, Kinds, Node, NodeId, exact_float};
use crate::model::Guess;

/// How far from the place where two sides meet floats are tried, the nicest first.
const DISTANCES: [f64; 5] = [-0.5, 0.5, 0.0, -1.0, 1.0];

impl Solver<'_> {
    /// A float with which all conditions hold, near the one for which both sides of the first
    /// condition are the same.
    pub(super) fn near_meeting(&mut self, asked: &Asked) -> Option<NodeId> {
        let &[part] = asked.parts.as_slice() else {
            return None;
        };
        if self.store.part(part).kinds != Kinds::FLOAT {
            return None;
        }
        let first = *asked.conditions.first()?;
        let (Formula::Less(left, right) | Formula::Same(left, right)) = *self.graph.formula(first)
        else {
            return None;
        };
        let at_zero = self.difference(part, 0.0, [left, right])?;
        let slope = self.difference(part, 1.0, [left, right])? - at_zero;
        let meeting = -at_zero / slope;
        let tried = DISTANCES.map(|distance| meeting + distance).into_iter();
        tried.filter(|it| it.is_finite()).find_map(|float| {
            let float = self.graph.float(float);
            self.are_right(asked, &[float]).then_some(float)
        })
    }

    /// The left side less the right one, if a part has this value.
    fn difference(&mut self, part: NodeId, value: f64, sides: [NodeId; 2]) -> Option<f64> {
        let value = self.graph.float(value);
        let mut guess = Guess::default();
        guess.values.insert(part, value);
        let [left, right] = sides.map(|side| {
            let side = self.value(&mut guess, side).ok()?;
            match self.graph.node(side) {
                Node::Integer(_) | Node::Float(_) => exact_float(self.graph.node(side)),
                _ => None,
            }
        });
        Some(left? - right?)
    }
}
