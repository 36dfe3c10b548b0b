//! Values to try for what is not understood. The solver does not know what an opaque call returns
//! for other arguments, but some can be tried: all values of a small type, or a few of a large one.

use std::collections::HashMap;

use erlang_term::Term;
use flattener::flat::SiteId;

use crate::replay::Decision;
use crate::visited::Point;
use solver::graph::{Condition, Graph, NodeId};

/// How many values are tried for each place in the program.
const MOST_VALUES: usize = 16;

/// The values that were given to something that is not understood.
#[derive(Debug, Default)]
pub(super) struct Guesses {
    /// In the order in which they came. Each is a branch at its point.
    values: HashMap<Point, Vec<Term>>,
    /// How many there are for each place: module and site.
    counts: HashMap<(usize, SiteId), usize>,
}

impl Guesses {
    /// Gives a decision about such a value its branches: one for each value that is known at this
    /// point, and one for all others. There are none where enough values were tried.
    pub(super) fn take_in(&mut self, point: Point, decision: &mut Decision, graph: &mut Graph) {
        let Some((node, value)) = &decision.given else {
            return;
        };
        let values = self.values.entry(point).or_default();
        let count = self.counts.entry((decision.module, decision.site));
        let count = count.or_default();
        let known = values.iter().position(|it| it == value);
        decision.taken = match known {
            Some(known) => known,
            None if *count < MOST_VALUES => {
                *count += 1;
                values.push(value.clone());
                values.len() - 1
            }
            None => MOST_VALUES,
        };
        decision.ways = if *count < MOST_VALUES {
            ways_of_values(graph, *node, values)
        } else {
            Vec::new()
        };
    }

    /// The values that are known at a point.
    pub(super) fn values(&self, point: Point) -> &[Term] {
        self.values.get(&point).map_or(&[], Vec::as_slice)
    }
}

/// The branches of a decision about a value that is not understood: one for each of these, and one for
/// all others.
pub(super) fn ways_of_values(graph: &mut Graph, node: NodeId, values: &[Term]) -> Vec<Condition> {
    let known = values.iter().map(|value| {
        let value = graph.constant(value);
        graph.equal(node, value)
    });
    let mut ways: Vec<Condition> = known.collect();
    ways.push(Condition::TRUE);
    ways
}
