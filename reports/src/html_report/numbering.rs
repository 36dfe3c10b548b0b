//! Numbers for keys.

use std::collections::HashMap;

/// Gives each key a number, in the order in which they come.
pub(super) struct Numbering<K> {
    numbers: HashMap<K, usize>,
}

impl<K: std::hash::Hash + Eq> Numbering<K> {
    pub(super) fn new() -> Self {
        Self {
            numbers: HashMap::new(),
        }
    }

    /// The number of a key, and whether it is new.
    pub(super) fn number(&mut self, key: K) -> (usize, bool) {
        let next = self.numbers.len();
        let number = *self.numbers.entry(key).or_insert(next);
        (number, number == next)
    }
}
