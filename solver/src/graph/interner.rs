//! The nodes of a graph, each of them once.

use std::hash::{Hash, Hasher};

use erlang_term::Integer;
use hashbrown::HashTable;
use rustc_hash::FxHasher;

use super::node::Node;

/// Integers from 0 up to this are found without hashing: sizes, characters, counters.
const MOST: usize = 1 << 20;
/// How many of them share an allocation.
const PAGE: usize = 256;

/// The nodes of a graph, by their numbers.
#[derive(Debug, Default)]
pub(super) struct Interner {
    nodes: Vec<Node>,
    /// The numbers of all nodes except the integers in `integers`.
    numbers: HashTable<u32>,
    /// The numbers of the integers from 0 on, counted from 1; 0 for those without a node.
    integers: Vec<Option<Box<[u32; PAGE]>>>,
}

impl Interner {
    pub(super) fn get(&self, index: usize) -> Option<&Node> {
        self.nodes.get(index)
    }

    /// The number of an integer that is found without hashing, if it has a node.
    #[inline]
    pub(super) fn integer(&self, value: i64) -> Option<usize> {
        let value = usize::try_from(value).ok()?;
        let page = self.integers.get(value / PAGE)?.as_ref()?;
        let index = page.get(value % PAGE)?.checked_sub(1);
        index.map(|index| index as usize)
    }

    /// The number of a node, if there is such a node.
    pub(super) fn index_of(&self, node: &Node) -> Option<usize> {
        if let Node::Integer(Integer::Small(value)) = node
            && small(node).is_some()
        {
            return self.integer(*value);
        }
        let is_node = |index: &u32| self.nodes.get(*index as usize) == Some(node);
        let index = self.numbers.find(hash(node), is_node);
        index.map(|index| *index as usize)
    }

    /// The number of a node, and whether it is new.
    #[inline]
    pub(super) fn intern(&mut self, node: Node) -> (usize, bool) {
        match small(&node) {
            Some(value) => self.intern_small(node, value),
            None => self.intern_other(node),
        }
    }

    fn intern_small(&mut self, node: Node, value: usize) -> (usize, bool) {
        if self.integers.len() <= value / PAGE {
            self.integers.resize_with(value / PAGE + 1, || None);
        }
        let new = next(&self.nodes);
        let page = self.integers.get_mut(value / PAGE);
        let place = page.and_then(|page| {
            let page = page.get_or_insert_with(|| Box::new([0; PAGE]));
            page.get_mut(value % PAGE)
        });
        match place {
            Some(known) if *known != 0 => (*known as usize - 1, false),
            place => {
                if let Some(place) = place {
                    *place = new + 1;
                }
                self.nodes.push(node);
                (new as usize, true)
            }
        }
    }

    fn intern_other(&mut self, node: Node) -> (usize, bool) {
        let new = next(&self.nodes);
        let nodes = &self.nodes;
        let at = |index: &u32| nodes.get(*index as usize);
        let entry = self.numbers.entry(
            hash(&node),
            |index| at(index) == Some(&node),
            |index| at(index).map_or(0, hash),
        );
        match entry {
            hashbrown::hash_table::Entry::Occupied(known) => (*known.get() as usize, false),
            hashbrown::hash_table::Entry::Vacant(place) => {
                place.insert(new);
                self.nodes.push(node);
                (new as usize, true)
            }
        }
    }
}

/// The number of the next node.
fn next(nodes: &[Node]) -> u32 {
    u32::try_from(nodes.len()).expect("fewer than 2^32 nodes")
}

/// The value of an integer that is found without hashing.
#[inline]
fn small(node: &Node) -> Option<usize> {
    let Node::Integer(Integer::Small(value)) = node else {
        return None;
    };
    usize::try_from(*value).ok().filter(|it| *it < MOST)
}

#[inline]
fn hash(node: &Node) -> u64 {
    // The most frequent nodes take fewer steps.
    let mut hasher = FxHasher::default();
    if let Node::Cons(head, tail) = node {
        (head, tail).hash(&mut hasher);
    } else if let Node::Tuple(elements) = node {
        elements.iter().for_each(|it| it.hash(&mut hasher));
    } else {
        node.hash(&mut hasher);
    }
    hasher.finish()
}
