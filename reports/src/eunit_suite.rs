//! The tests of a function as they are written: reports have them, so that `merge` can write them
//! into one module.

use serde::{Deserialize, Serialize};

/// The tests of one function.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub struct EunitSuite {
    /// The function: `m:f/1`.
    pub entry: String,
    /// Its module, without quotes.
    pub module: String,
    /// Its tests.
    pub cases: Vec<EunitCase>,
}

/// A test, or a comment in its place.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub struct EunitCase {
    /// The beginning of its name, if it has one: other tests may have the same.
    pub name: Option<String>,
    /// The end of its name, which tells EUnit what it is: `test` or `test_`.
    pub ending: String,
    /// The text before its name.
    pub before: String,
    /// The text after its name.
    pub after: String,
    /// Whether its input has funs.
    pub has_funs: bool,
}
