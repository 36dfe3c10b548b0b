//! The order of atoms as keys of small maps: that of their texts up to OTP 25, and from OTP 26 on
//! that of the BEAM's table of atoms.

use std::cmp::Ordering;
use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicBool, Ordering as Memory};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use erlang_term::Atom;

/// The order of atoms as keys of small maps.
#[derive(Clone, Debug, Default)]
pub enum AtomOrder {
    /// That of their texts.
    #[default]
    ByText,
    /// That of the BEAM's table. Nobody has asked for it yet; the flag says that it is needed.
    Unasked(Arc<AtomicBool>),
    /// That of the BEAM's table.
    OfBeam(Arc<AtomTable>),
}

impl AtomOrder {
    /// The order of two atoms.
    pub fn compare(&self, left: &Atom, right: &Atom) -> Ordering {
        match self {
            Self::ByText => {}
            Self::Unasked(is_needed) => is_needed.store(true, Memory::Relaxed),
            Self::OfBeam(table) => return table.compare(left, right),
        }
        left.as_str().cmp(right.as_str())
    }

    /// Whether a comparison needed the order although it is not known.
    pub fn is_missing(&self) -> bool {
        matches!(self, Self::Unasked(is_needed) if is_needed.load(Memory::Relaxed))
    }

    /// The table, if the order is known to be that of a table.
    pub fn table(&self) -> Option<&AtomTable> {
        match self {
            Self::OfBeam(table) => Some(table),
            Self::ByText | Self::Unasked(_) => None,
        }
    }
}

/// The table of atoms that all BEAMs of a search have, as far as it matters. An atom that is
/// compared and not in the table is added at its end: no BEAM has it, or it was made by a run. A
/// BEAM must make the atoms that were compared ([`Self::used`]) in this order before it runs
/// anything with them.
#[derive(Debug, Default)]
pub struct AtomTable(Mutex<Contents>);

#[derive(Debug, Default)]
struct Contents {
    atoms: Vec<Atom>,
    ranks: HashMap<Atom, usize>,
    /// The ranks of the atoms that were compared.
    used: BTreeSet<usize>,
}

impl AtomTable {
    /// A table with these atoms in this order.
    pub fn new(atoms: Vec<Atom>) -> Self {
        let ranks = atoms.iter().enumerate();
        Self(Mutex::new(Contents {
            ranks: ranks.map(|(rank, atom)| (atom.clone(), rank)).collect(),
            atoms,
            used: BTreeSet::new(),
        }))
    }

    fn lock(&self) -> MutexGuard<'_, Contents> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts atoms as compared. Those that are not in the table are added at its end.
    pub fn use_all(&self, atoms: &[Atom]) {
        let mut contents = self.lock();
        for atom in atoms {
            contents.use_atom(atom);
        }
    }

    fn compare(&self, left: &Atom, right: &Atom) -> Ordering {
        let mut contents = self.lock();
        let left = contents.use_atom(left);
        left.cmp(&contents.use_atom(right))
    }

    /// The place of an atom in the table; `None` if it is not there.
    pub(crate) fn rank(&self, atom: &Atom) -> Option<usize> {
        self.lock().ranks.get(atom).copied()
    }

    /// How many atoms there are.
    pub(crate) fn len(&self) -> usize {
        self.lock().atoms.len()
    }

    /// The atoms in these places.
    pub(crate) fn between(&self, first: usize, last: usize) -> Vec<Atom> {
        let contents = self.lock();
        let last = last.min(contents.atoms.len().saturating_sub(1));
        let atoms = contents.atoms.get(first..=last).unwrap_or_default();
        atoms.to_vec()
    }

    /// The atoms that were compared, in their order.
    pub fn used(&self) -> Vec<Atom> {
        let contents = self.lock();
        let used = contents.used.iter();
        used.filter_map(|rank| contents.atoms.get(*rank).cloned())
            .collect()
    }

    /// How many atoms were compared.
    pub fn used_count(&self) -> usize {
        self.lock().used.len()
    }
}

impl Contents {
    /// The place of an atom that is compared.
    fn use_atom(&mut self, atom: &Atom) -> usize {
        let rank = self.ranks.get(atom).copied().unwrap_or_else(|| {
            self.atoms.push(atom.clone());
            self.ranks.insert(atom.clone(), self.atoms.len() - 1);
            self.atoms.len() - 1
        });
        self.used.insert(rank);
        rank
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(atoms: &[&str]) -> AtomTable {
        AtomTable::new(atoms.iter().map(Atom::new).collect())
    }

    #[test]
    fn new_atoms_come_last_in_the_order_in_which_they_are_compared() {
        let order = AtomOrder::OfBeam(Arc::new(table(&["z", "m", "a"])));
        let is_less = |left: &str, right: &str| order.compare(&Atom::new(left), &Atom::new(right));
        assert_eq!(is_less("z", "a"), Ordering::Less);
        assert_eq!(is_less("y", "b"), Ordering::Less);
        assert_eq!(is_less("b", "a"), Ordering::Greater);
        assert_eq!(is_less("b", "y"), Ordering::Greater);
        let used = order.table().map(AtomTable::used);
        let names: Vec<String> = used
            .into_iter()
            .flatten()
            .map(|it| it.as_str().to_owned())
            .collect();
        assert_eq!(names, ["z", "a", "y", "b"]);
    }

    #[test]
    fn an_order_that_nobody_asked_for_is_missing_when_it_is_needed() {
        let order = AtomOrder::Unasked(Arc::default());
        assert!(!order.is_missing());
        order.compare(&Atom::new("a"), &Atom::new("b"));
        assert!(order.is_missing());
    }
}
