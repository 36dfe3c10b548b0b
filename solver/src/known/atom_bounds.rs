//! Where atoms can be in the BEAM's table of atoms, if some of them must come before others as keys
//! of maps.
//!
//! The places of the atoms in the table are numbers from 0 on, and an atom that is not there yet
//! comes after all of them. So conditions on the order of atoms are differences between numbers,
//! and the bounds that follow from them are exact: each number within its bounds has numbers for
//! all others.

use std::collections::HashMap;

use super::Known;
use crate::graph::{Formula, Kinds, Node, NodeId};

/// The place of an atom that is not in the table yet: after all others.
pub(crate) const NEW_ATOM: usize = usize::MAX / 2;

/// From where to where in the table atoms can be; without a last place, any new atom will do.
#[derive(Debug, Default)]
pub(crate) struct AtomBounds {
    first: HashMap<NodeId, usize>,
    last: HashMap<NodeId, usize>,
}

/// One atom comes before another, or at least not after it.
struct Link {
    low: NodeId,
    high: NodeId,
    /// 1 if they are different, else 0.
    distance: usize,
}

impl AtomBounds {
    /// The first and the last place that an atom can have.
    pub(crate) fn of(&self, atom: NodeId) -> (usize, Option<usize>) {
        let first = self.first.get(&atom).copied();
        (first.unwrap_or(0), self.last.get(&atom).copied())
    }

    /// Moves bounds along a link. Returns whether one changed; `None` if nothing is left between.
    fn follow(&mut self, link: &Link) -> Option<bool> {
        let (first, last) = (self.of(link.low).0, self.of(link.high).1);
        let (high, low) = (self.of(link.high), self.of(link.low));
        let mut is_changed = false;
        let first = first + link.distance;
        if first > high.0 {
            self.first.insert(link.high, first);
            is_changed = true;
        }
        if let Some(last) = last {
            let last = last.checked_sub(link.distance)?;
            if low.1.is_none_or(|known| last < known) {
                self.last.insert(link.low, last);
                is_changed = true;
            }
        }
        let is_possible = [link.low, link.high].into_iter().all(|atom| {
            let (first, last) = self.of(atom);
            last.is_none_or(|last| first <= last)
        });
        is_possible.then_some(is_changed)
    }
}

impl Known<'_> {
    /// The bounds of the atoms whose order matters; `None` if they contradict each other. Some
    /// parts may have values already.
    pub(crate) fn atom_bounds(
        &mut self,
        value: impl Fn(NodeId) -> Option<NodeId>,
    ) -> Option<AtomBounds> {
        let links = self.links();
        let mut bounds = AtomBounds::default();
        for atom in links.iter().flat_map(|it| [it.low, it.high]) {
            let own = value(atom).unwrap_or(atom);
            if let Node::Atom(own) = self.graph.node(own)
                && let Some(table) = self.graph.rules().atoms.table()
            {
                let rank = table.rank(own).unwrap_or(NEW_ATOM);
                bounds.first.insert(atom, rank);
                bounds.last.insert(atom, rank);
            }
        }
        // In a circle there would be changes for ever.
        for _ in 0..=2 * links.len() {
            let mut is_changed = false;
            for link in &links {
                is_changed |= bounds.follow(link)?;
            }
            if !is_changed {
                return Some(bounds);
            }
        }
        None
    }

    /// What is said about the order of atoms.
    fn links(&mut self) -> Vec<Link> {
        let mut links = Vec::new();
        for index in 0..self.store.kept.len() {
            let Some(condition) = self.store.kept.get(index).copied() else {
                break;
            };
            let Formula::Before(left, right) = *self.graph.formula(condition) else {
                continue;
            };
            let sides = [left, right].map(|it| self.resolve(it));
            if sides.iter().any(|it| self.kinds(*it) != Kinds::ATOM) {
                continue;
            }
            let [left, right] = sides;
            links.push(if condition.is_negated() {
                Link {
                    low: right,
                    high: left,
                    distance: 0,
                }
            } else {
                Link {
                    low: left,
                    high: right,
                    distance: 1,
                }
            });
        }
        links
    }
}
