//! The cases of a condition on integers that have few values left.

use super::{Case, Split};
use crate::graph::Condition;
use crate::trying::{Tried, try_values};

/// With more values, integers are not split into values.
const MOST_CASES: usize = 256;

impl Split<'_, '_> {
    /// Values that fulfil a condition and all others on the same integers; then each value that one
    /// of them may have. `None` if trying values says nothing.
    pub(super) fn split_few_values(&mut self, condition: Condition) -> Option<Vec<Case>> {
        match try_values(self.known, self.parent, condition)? {
            Tried::None => Some(Vec::new()),
            Tried::Found { together, single } => {
                let together = together.into_iter();
                let together: Case = together
                    .map(|(part, value)| self.known.graph.equal(part, value))
                    .collect();
                let (part, values) = single;
                let has_all = values.len() <= MOST_CASES;
                let values = values.into_iter().take(MOST_CASES);
                let values = values.map(|value| vec![self.known.graph.equal(part, value)]);
                let mut cases: Vec<Case> = values.collect();
                cases.retain(|it| *it != together);
                cases.insert(0, together);
                if !has_all {
                    cases.extend(self.cases_by_structure(condition));
                }
                Some(cases)
            }
        }
    }
}
