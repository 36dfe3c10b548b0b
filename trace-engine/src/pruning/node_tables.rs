//! Tables by the numbers of nodes, for what is looked up often.

use smallvec::SmallVec;
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

/// A list for each node.
#[derive(Debug)]
pub(super) struct NodeLists<T> {
    /// The numbers of lists, counted from 1.
    numbers: NodeTable<u32>,
    lists: Vec<SmallVec<[T; 4]>>,
}

impl<T> Default for NodeLists<T> {
    fn default() -> Self {
        Self {
            numbers: NodeTable::default(),
            lists: Vec::new(),
        }
    }
}

impl<T> NodeLists<T> {
    fn place(&self, node: NodeId) -> Option<usize> {
        (self.numbers.get(node) as usize).checked_sub(1)
    }

    /// The list of a node; empty if nothing was added.
    pub(super) fn get(&self, node: NodeId) -> &[T] {
        let list = self.place(node).and_then(|it| self.lists.get(it));
        list.map_or(&[], |it| it.as_slice())
    }

    /// Adds something to the list of a node.
    pub(super) fn push(&mut self, node: NodeId, item: T) {
        let place = self.place(node).unwrap_or_else(|| {
            self.lists.push(SmallVec::new());
            let count = u32::try_from(self.lists.len());
            *self.numbers.entry(node) = count.expect("fewer than 2^32 lists");
            self.lists.len() - 1
        });
        if let Some(list) = self.lists.get_mut(place) {
            list.push(item);
        }
    }

    /// Takes the list of a node out.
    pub(super) fn take(&mut self, node: NodeId) -> SmallVec<[T; 4]> {
        let list = self.place(node).and_then(|it| self.lists.get_mut(it));
        list.map(std::mem::take).unwrap_or_default()
    }

    /// Gives a node the list that was taken out, or some of it.
    pub(super) fn put_back(&mut self, node: NodeId, list: SmallVec<[T; 4]>) {
        if let Some(own) = self.place(node).and_then(|it| self.lists.get_mut(it)) {
            *own = list;
        }
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
    use solver::graph::Graph;

    #[test]
    fn each_node_has_a_list() {
        let mut graph = Graph::default();
        let nodes = [0, 1].map(|it| graph.input(it));
        let mut lists = NodeLists::default();
        assert!(lists.get(nodes[0]).is_empty() && lists.take(nodes[0]).is_empty());
        lists.push(nodes[1], 7);
        lists.push(nodes[1], 8);
        assert_eq!(lists.get(nodes[1]), [7, 8]);
        let mut taken = lists.take(nodes[1]);
        assert!(lists.get(nodes[1]).is_empty());
        taken.remove(0);
        lists.put_back(nodes[1], taken);
        assert_eq!(lists.get(nodes[1]), [8]);
    }

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
