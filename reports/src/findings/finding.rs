//! A crash that is reported.

use crate::acceptance::FindingKey;
use crate::crash_site::CrashSite;
use crate::outcome::Outcome;

/// A crash.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The functions that lead there, each with its smallest input. The smallest of all is first;
    /// there is at least one.
    pub inputs: Vec<CrashInput>,
    /// How the first input ends on the original code.
    pub outcome: Outcome,
    /// The message of the exception, where the program has words of its own for it.
    pub message: Option<String>,
    /// Whether a program is likely to get one of the inputs.
    pub is_likely: bool,
    /// Where it crashes, if that is known.
    pub site: Option<CrashSite>,
    /// Its name.
    pub key: FindingKey,
    /// Whether the user accepts it.
    pub is_accepted: bool,
    /// Other arguments of the first function that crash there, the smallest first.
    pub also: Vec<Vec<String>>,
    /// How many tests of all functions crash there.
    pub tests: usize,
}

/// An input that crashes.
#[derive(Clone, Debug)]
pub struct CrashInput {
    /// The number of the search.
    pub search: usize,
    /// The number of the test in it, from 0.
    pub test: usize,
    /// Whether it is smaller than the input of that test.
    pub is_shrunk: bool,
    /// The arguments.
    pub arguments: Vec<String>,
}

impl Finding {
    /// The smallest input.
    pub fn first(&self) -> &CrashInput {
        self.inputs.first().expect("a finding has an input")
    }
}
