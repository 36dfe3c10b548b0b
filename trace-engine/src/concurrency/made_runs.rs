//! The runs that were made, by the events that they contain.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::visited::Point;

/// The runs with several processes that were made.
#[derive(Debug, Default)]
pub(crate) struct MadeRuns {
    /// For each event the runs that contain it, in order. An event stands for all that happen
    /// before it.
    runs: FxHashMap<Point, Vec<u32>>,
    count: u32,
    /// The ends of runs and the ends of parts that were planned, as hashes.
    known: FxHashSet<u64>,
}

impl MadeRuns {
    /// Adds a run with these events.
    pub(crate) fn add(&mut self, events: impl IntoIterator<Item = Point>) {
        for event in events {
            let runs = self.runs.entry(event).or_default();
            if runs.last() != Some(&self.count) {
                runs.push(self.count);
            }
        }
        self.count += 1;
    }

    /// Whether a run contains all of these events.
    pub(crate) fn contains(&self, events: &[Point]) -> bool {
        let lists = events.iter().map(|event| self.runs.get(event));
        let Some(mut lists) = lists.collect::<Option<Vec<&Vec<u32>>>>() else {
            return false;
        };
        lists.sort_unstable_by_key(|list| list.len());
        let Some((shortest, others)) = lists.split_first() else {
            return self.count > 0;
        };
        let is_in_all = |run: &u32| others.iter().all(|it| it.binary_search(run).is_ok());
        shortest.iter().any(is_in_all)
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
