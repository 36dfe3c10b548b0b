//! Atoms that are in order as keys of maps.

use super::Guess;
use super::plain_values::plain_atom;
use crate::graph::{Condition, Formula, Node, NodeId};
use crate::known::NEW_ATOM;

/// How many atoms of the table are tried.
const MOST_OF_TABLE: usize = 200;
/// How many names are tried for a new atom.
const MOST_NAMES: usize = 100_000;

/// Whether a name is one that somebody would write.
fn is_plain(name: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_lowercase() || byte == b'_';
    !name.is_empty() && name.bytes().all(is_letter)
}

/// Which atoms are in order with those that have values.
pub(super) struct InOrder {
    first: usize,
    last: Option<usize>,
}

impl Guess<'_, '_> {
    /// Which atoms fulfil the conditions on the order of a part; `None` if there are no such
    /// conditions.
    pub(super) fn in_order(&mut self, part: NodeId, conditions: &[Condition]) -> Option<InOrder> {
        let mut conditions = conditions.iter();
        let graph = &*self.known.graph;
        if !conditions.any(|it| matches!(graph.formula(*it), Formula::Before(..))) {
            return None;
        }
        let values = &self.values;
        let bounds = self.known.atom_bounds(|it| values.get(&it).copied())?;
        let (first, last) = bounds.of(part);
        Some(InOrder { first, last })
    }

    /// Whether an atom is in order.
    pub(super) fn is_in_order(&self, order: &InOrder, candidate: NodeId) -> bool {
        let graph = &*self.known.graph;
        let (Node::Atom(atom), Some(table)) = (graph.node(candidate), graph.rules().atoms.table())
        else {
            return true;
        };
        match table.rank(atom) {
            Some(rank) => order.first <= rank && order.last.is_none_or(|last| rank <= last),
            // It will be the last one, after others that are not there yet.
            None => {
                let is_after_new = order.first >= NEW_ATOM;
                order.last.is_none() && (is_after_new || order.first <= table.len())
            }
        }
    }

    /// Atoms that are in order: new ones, or those that the table has there.
    pub(super) fn atoms_in_order(&mut self, order: &InOrder) -> Vec<NodeId> {
        let Some(table) = self.known.graph.rules().atoms.table() else {
            return Vec::new();
        };
        let Some(last) = order.last else {
            return self.new_atoms();
        };
        let mut atoms = table.between(order.first, last);
        // Names first that a reader would choose.
        atoms.sort_by_key(|it| (!is_plain(it.as_str()), it.as_str().len()));
        let atoms = atoms.iter().take(MOST_OF_TABLE);
        atoms.map(|it| self.known.graph.atom(it.as_str())).collect()
    }

    /// Atoms that are not in the table, as many as may be needed.
    fn new_atoms(&mut self) -> Vec<NodeId> {
        let mut atoms = Vec::new();
        for number in 0..MOST_NAMES {
            let candidate = plain_atom(self.known.graph, number);
            let graph = &*self.known.graph;
            let is_new = match (graph.node(candidate), graph.rules().atoms.table()) {
                (Node::Atom(atom), Some(table)) => table.rank(atom).is_none(),
                _ => false,
            };
            if is_new {
                atoms.push(candidate);
            }
            if atoms.len() > self.values.len() + 2 {
                break;
            }
        }
        atoms
    }
}
