//! Helpers for tests.

use flattener::flat::Module;
use flattener::{flatten, parse_module};

/// The module with these functions.
pub(crate) fn module(name: &str, functions: &str) -> Module {
    let text = format!("module '{name}' [] attributes []\n{functions}\nend");
    flatten(parse_module(&text).expect("it is a module")).expect("it is a program")
}
