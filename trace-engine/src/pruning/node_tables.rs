//! Tables by the numbers of nodes, for what is looked up often.

use solver::graph::NodeId;

/// Something for each node.
#[derive(Debug)]
pub(super) struct NodeTable<T> {
    entries: Vec<T>,
}

impl<T> Default for NodeTable<T> {
    fn default() -> Self {
        Self {
            entries: Vec::new(),
        }
    }
}

impl<T: Copy + Default> NodeTable<T> {
    /// What a node has; the default if nothing was said.
    pub(super) fn get(&self, node: NodeId) -> T {
        let entry = self.entries.get(node.index());
        entry.copied().unwrap_or_default()
    }

    /// What a node has, to be changed.
    pub(super) fn entry(&mut self, node: NodeId) -> &mut T {
        let index = node.index();
        if self.entries.len() <= index {
            self.entries.resize(index + 1, T::default());
        }
        let entry = self.entries.get_mut(index);
        entry.expect("the table is long enough")
    }
}

/// A set of small numbers. To empty it is no work.
#[derive(Debug)]
pub(super) struct NumberMarks {
    /// The round in which each number was added last.
    rounds: Vec<u32>,
    round: u32,
    count: usize,
}

impl Default for NumberMarks {
    fn default() -> Self {
        Self {
            rounds: Vec::new(),
            round: 1,
            count: 0,
        }
    }
}

impl NumberMarks {
    /// Removes all numbers.
    pub(super) fn clear(&mut self) {
        self.count = 0;
        self.round = self.round.checked_add(1).unwrap_or_else(|| {
            self.rounds.clear();
            1
        });
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.count
    }

    pub(super) fn contains(&self, number: usize) -> bool {
        self.rounds.get(number) == Some(&self.round)
    }

    /// Adds a number. Returns whether it is new.
    pub(super) fn insert(&mut self, number: usize) -> bool {
        if self.rounds.len() <= number {
            self.rounds.resize(number + 1, 0);
        }
        let Some(round) = self.rounds.get_mut(number) else {
            return false;
        };
        let is_new = *round != self.round;
        *round = self.round;
        self.count += usize::from(is_new);
        is_new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_in_a_set_until_it_is_emptied() {
        let mut marks = NumberMarks::default();
        assert!(marks.insert(7) && !marks.insert(7) && marks.insert(2));
        assert!(marks.contains(7) && !marks.contains(3) && !marks.contains(900));
        assert_eq!(marks.len(), 2);
        marks.clear();
        assert!(!marks.contains(7) && marks.insert(7));
        assert_eq!(marks.len(), 1);
    }
}
