//! Values for what is not understood. What an opaque call returns for other arguments cannot be
//! solved for, but some can be tried: those of a small type all, of others a few.

use std::collections::HashMap;

use erlang_term::Term;
use flattener::flat::SiteId;

use crate::replay::Decision;
use crate::visited::Point;
use solver::graph::{Condition, Graph};

/// So many values are tried for each place in the program.
const MOST_VALUES: usize = 16;

/// The values that were given to what is not understood.
#[derive(Debug, Default)]
pub(super) struct Guesses {
    /// In the order in which they came. Each is a way from its point.
    values: HashMap<Point, Vec<Term>>,
    /// How many there are for each place: module and site.
    counts: HashMap<(usize, SiteId), usize>,
}

impl Guesses {
    /// Makes a decision about something given what it is at this point: a way for each value
    /// that is known there, and one for all others. Where enough were tried, there are none.
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
        decision.ways.clear();
        if *count < MOST_VALUES {
            for value in values {
                let value = graph.constant(value);
                decision.ways.push(graph.equal(*node, value));
            }
            decision.ways.push(Condition::TRUE);
        }
    }
}
