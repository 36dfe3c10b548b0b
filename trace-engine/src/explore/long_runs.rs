//! Which decisions of a long run are asked for other ways.
//!
//! A loop that decides thousands of times would leave no time for what comes after it. So all
//! decisions of a run that has few are asked, and so are the first ones of a long run. Of the others
//! each place in the program has its first and its last ones asked: a loop as it begins and as it
//! ends. What comes after a loop is at other places. All decisions are assumed where later ones are
//! asked, so inputs still follow the paths for which they were made.

use std::collections::HashMap;

use flattener::flat::SiteId;

use crate::replay::Decision;

/// A run may have so many times the decisions that are asked without a choice.
pub(super) const FOLLOWED: usize = 10;
/// How many of the later decisions of a place are asked, the first ones and as many last ones.
const FEW: usize = 16;

/// The decisions of a run that are asked.
pub(super) struct AskedDecisions {
    /// For each decision whether it is asked; `None` if all are.
    asked: Option<Vec<bool>>,
}

impl AskedDecisions {
    /// With at most `most` decisions, all are asked, else at least half as many.
    pub(super) fn new(decisions: &[Decision], most: usize) -> Self {
        if decisions.len() <= most {
            return Self { asked: None };
        }
        let dense = most / 2;
        let mut asked = vec![true; dense];
        let later = decisions.get(dense..).unwrap_or_default();
        let mut totals: HashMap<(usize, SiteId), usize> = HashMap::new();
        for decision in later {
            *totals.entry(decision.place()).or_default() += 1;
        }
        let mut seen: HashMap<(usize, SiteId), usize> = HashMap::new();
        for decision in later {
            let total = totals.get(&decision.place()).copied().unwrap_or(0);
            let seen = seen.entry(decision.place()).or_default();
            asked.push(*seen < FEW || *seen + FEW >= total);
            *seen += 1;
        }
        let has_all = !asked.contains(&false);
        Self {
            asked: (!has_all).then_some(asked),
        }
    }

    /// Whether some decisions are not asked.
    pub(super) fn leaves_out(&self) -> bool {
        self.asked.is_some()
    }

    /// Whether a decision is asked.
    pub(super) fn contains(&self, decision: usize) -> bool {
        let asked = self.asked.as_ref();
        asked.is_none_or(|it| it.get(decision).copied().unwrap_or(false))
    }
}

impl Decision {
    /// The place in the program.
    fn place(&self) -> (usize, SiteId) {
        (self.module, self.site)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decisions(sites: impl Iterator<Item = u32>) -> Vec<Decision> {
        let decision = |site| Decision {
            module: 0,
            site: SiteId(site),
            ways: Vec::new(),
            taken: 0,
            clause: None,
            given: None,
        };
        sites.map(decision).collect()
    }

    #[test]
    fn all_decisions_of_short_runs_are_asked() {
        let asked = AskedDecisions::new(&decisions((0..100).map(|_| 1)), 100);
        assert!(!asked.leaves_out());
        assert!(asked.contains(99));
    }

    #[test]
    fn long_loops_are_asked_where_they_begin_and_end() {
        let sites = (0..1_000).map(|_| 1).chain([2, 3]);
        let asked = AskedDecisions::new(&decisions(sites), 100);
        assert!(asked.leaves_out());
        let numbers: Vec<usize> = (0..1_002).filter(|it| asked.contains(*it)).collect();
        let expected: Vec<usize> = (0..66).chain(984..1_002).collect();
        assert_eq!(numbers, expected);
    }

    #[test]
    fn a_long_run_without_loops_is_asked_everywhere() {
        let asked = AskedDecisions::new(&decisions(0..300), 100);
        assert!(!asked.leaves_out());
    }
}
