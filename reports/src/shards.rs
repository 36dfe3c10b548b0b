//! Shards: the functions to search, divided over several reports.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::counted::counted;

/// Which shards a report is about.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub struct Shards {
    /// How many shards there are.
    pub of: usize,
    /// The numbers of those that are here, from 1.
    pub here: Vec<usize>,
    /// The functions of all shards, in the order in which one report would have them.
    pub functions: Vec<String>,
}

impl Shards {
    /// The numbers of those that are not here.
    pub(crate) fn missing(&self) -> impl Iterator<Item = usize> {
        (1..=self.of).filter(|it| !self.here.contains(it))
    }

    /// Which they are, and how many functions are here of all.
    pub(crate) fn with_counts(&self, here: usize) -> String {
        let all = counted(self.functions.len(), "function");
        format!("{self}: {here} of {all}")
    }
}

impl fmt::Display for Shards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers: Vec<String> = self.here.iter().map(usize::to_string).collect();
        let word = if numbers.len() == 1 {
            "shard"
        } else {
            "shards"
        };
        write!(f, "{word} {} of {}", numbers.join(", "), self.of)
    }
}
