//! The runs that were made, by the events that they contain.

use std::slice;

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::visited::Point;

/// The runs with several processes that were made.
#[derive(Debug, Default)]
pub(crate) struct MadeRuns {
    /// For each event the runs that contain it. An event stands for all that happen before it.
    runs: FxHashMap<Point, Containing>,
    /// The runs of events that are in several, in order.
    several: Vec<Vec<u32>>,
    count: u32,
    /// The ends of runs and the ends of parts that were planned, as hashes.
    known: FxHashSet<u64>,
}

/// The runs that contain an event. Most events are in one, so that takes little space.
#[derive(Clone, Copy, Debug)]
enum Containing {
    One(u32),
    /// The place of the list.
    Several(u32),
}

impl MadeRuns {
    /// Adds a run with these events.
    pub(crate) fn add(&mut self, events: impl IntoIterator<Item = Point>) {
        let new = self.count;
        for event in events {
            let known = self.runs.entry(event).or_insert(Containing::One(new));
            match *known {
                Containing::One(run) if run == new => {}
                Containing::One(run) => {
                    let place = u32::try_from(self.several.len()).unwrap_or(u32::MAX);
                    *known = Containing::Several(place);
                    self.several.push(vec![run, new]);
                }
                Containing::Several(place) => {
                    if let Some(runs) = self.several.get_mut(place as usize)
                        && runs.last() != Some(&new)
                    {
                        runs.push(new);
                    }
                }
            }
        }
        self.count += 1;
    }

    fn runs_with(&self, event: &Point) -> Option<&[u32]> {
        match self.runs.get(event)? {
            Containing::One(run) => Some(slice::from_ref(run)),
            Containing::Several(place) => self.several.get(*place as usize).map(Vec::as_slice),
        }
    }

    /// Whether a run contains an event, and all of these others.
    pub(crate) fn contains(&self, event: Point, others: &[Point]) -> bool {
        // Most are new.
        let Some(first) = self.runs_with(&event) else {
            return false;
        };
        let mut lists: SmallVec<[&[u32]; 16]> = SmallVec::new();
        lists.push(first);
        for other in others {
            let Some(list) = self.runs_with(other) else {
                return false;
            };
            lists.push(list);
        }
        lists.sort_unstable_by_key(|list| list.len());
        let Some((shortest, others)) = lists.split_first() else {
            return false;
        };
        let is_in_all = |run: &u32| others.iter().all(|it| it.binary_search(run).is_ok());
        shortest.iter().any(is_in_all)
    }

    /// Whether a set of events with this hash is noted.
    pub(crate) fn is_noted(&self, hash: u64) -> bool {
        self.known.contains(&hash)
    }

    /// Notes a set of events by its hash. Returns whether it is new.
    pub(crate) fn note(&mut self, hash: u64) -> bool {
        self.known.insert(hash)
    }

    /// Forgets a set of events.
    pub(crate) fn forget(&mut self, hash: u64) {
        self.known.remove(&hash);
    }
}
