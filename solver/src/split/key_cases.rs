//! Keys of maps that are in the wrong order.

use super::{Case, Split};
use crate::graph::{Condition, Formula, Kinds, NodeId};

/// At most this many atoms of the table are tried.
const MOST_TRIED: usize = 200;

impl Split<'_, '_> {
    /// The cases if a guess breaks the order of two atoms, which it does only if it is not free to
    /// choose: the forms of a type that one of them has, or the atoms that are in order.
    pub(super) fn split_keys(&mut self, condition: Condition) -> Option<Vec<Case>> {
        let Formula::Before(left, right) = *self.known.graph.formula(condition) else {
            return None;
        };
        let sides = [left, right].map(|it| self.known.resolve(it));
        if sides.iter().any(|it| self.known.kinds(*it) != Kinds::ATOM) {
            return None;
        }
        let cases = self.split_types_of(sides);
        let cases = cases.or_else(|| self.split_by_table(sides));
        let mut cases = cases.unwrap_or_else(|| {
            self.known.give_up();
            Vec::new()
        });
        cases.iter_mut().for_each(|case| case.push(condition));
        Some(cases)
    }

    fn split_types_of(&mut self, sides: [NodeId; 2]) -> Option<Vec<Case>> {
        (0..self.known.store.kept.len()).find_map(|index| {
            let kept = self.known.store.kept.get(index).copied()?;
            let Formula::Member(_, node) = *self.known.graph.formula(kept) else {
                return None;
            };
            let is_side = sides.contains(&self.known.resolve(node));
            is_side.then(|| self.split_member(kept)).flatten()
        })
    }

    /// One of two atoms must be among the first atoms of the table: it is one of those.
    fn split_by_table(&mut self, sides: [NodeId; 2]) -> Option<Vec<Case>> {
        let bounds = self.known.atom_bounds(|_| None)?;
        for side in sides {
            let (first, last) = bounds.of(side);
            let Some(last) = last.filter(|_| !self.known.graph.is_ground(side)) else {
                continue;
            };
            let table = self.known.graph.rules().atoms.table()?;
            let mut cases = Vec::new();
            for atom in table.between(first, last) {
                let atom = self.known.graph.atom(atom.as_str());
                let is_atom = self.known.graph.equal(side, atom);
                if is_atom != Condition::FALSE {
                    cases.push(vec![is_atom]);
                }
                if cases.len() > MOST_TRIED {
                    self.known.give_up();
                    break;
                }
            }
            return Some(cases);
        }
        None
    }
}
