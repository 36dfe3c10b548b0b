//! What values mean on the BEAMs of a search, and one order of atoms for all of them.
//!
//! From OTP 26 on, maps have keys that are atoms in the order in which their BEAM made the atoms.
//! So all BEAMs of a search must make the atoms that matter in one order. It is that of the BEAM
//! that is asked first; atoms that this BEAM does not have come last. A BEAM that has another order,
//! because a run made an atom too early or because the atoms of OTP's modules were made in another
//! order, is replaced by one that makes the atoms before everything else.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use erlang_term::{Atom, Term};
use solver::{AtomOrder, AtomTable, FloatsOfIntegers, ReleaseRules, Zeros};
use tempfile::NamedTempFile;

use super::beam_error::BeamError;
use super::own_beam::OwnBeam;

/// What values mean on the BEAMs of a search.
#[derive(Debug, Default)]
pub struct BeamRules {
    /// The first answer.
    asked: OnceLock<ReleaseRules>,
    table: OnceLock<Arc<AtomTable>>,
    /// The order of atoms in earlier runs of the search, until the table is asked for.
    earlier: Mutex<Vec<Atom>>,
}

impl BeamRules {
    /// For a search whose earlier runs had atoms in this order.
    pub(crate) fn with_earlier(atoms: Vec<Atom>) -> Self {
        Self {
            earlier: Mutex::new(atoms),
            ..Self::default()
        }
    }

    /// The rules, as far as they are known.
    pub fn rules(&self) -> ReleaseRules {
        let mut rules = self.asked.get().cloned().unwrap_or_default();
        if let Some(table) = self.table.get() {
            rules.atoms = AtomOrder::OfBeam(Arc::clone(table));
        }
        if let AtomOrder::Unasked(_) = &rules.atoms {
            rules.atoms = AtomOrder::Unasked(Arc::default());
        }
        rules
    }

    /// Whether a BEAM has been asked.
    pub(super) fn are_known(&self) -> bool {
        self.asked.get().is_some()
    }

    /// The atoms whose order matters, in that order.
    pub(crate) fn atoms(&self) -> Vec<Atom> {
        match self.table.get() {
            Some(table) => table.used(),
            None => self
                .earlier
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .clone(),
        }
    }

    /// From now on these atoms matter, in this order. The table was not asked for.
    pub(crate) fn set_earlier(&self, atoms: Vec<Atom>) {
        *self.earlier.lock().unwrap_or_else(PoisonError::into_inner) = atoms;
    }

    /// How many these are.
    pub(crate) fn count(&self) -> usize {
        match self.table.get() {
            Some(table) => table.used_count(),
            None => self
                .earlier
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .len(),
        }
    }

    /// Asks a BEAM for the rules, if they are not known. Returns the number of the question.
    pub(super) fn ask(&self, beam: &mut OwnBeam) -> Option<i64> {
        (!self.are_known()).then(|| beam.send(Term::atom("rules")))
    }

    /// Waits for the answer.
    pub(super) fn hear(
        &self,
        beam: &mut OwnBeam,
        asked: i64,
        patience: Duration,
    ) -> Result<(), BeamError> {
        let answer = beam.wait(asked, patience, |_| ())?;
        let answer = answer.map_err(|messages| BeamError::refused("the rules", messages))?;
        // Another thread may have been first. All BEAMs give the same answer.
        let _ = self.asked.set(rules(&answer));
        Ok(())
    }

    /// Asks a BEAM for the order of its atoms, if it is not known.
    pub(super) fn ask_for_table(
        &self,
        beam: &mut OwnBeam,
        patience: Duration,
    ) -> Result<(), BeamError> {
        if self.table.get().is_none() {
            let answer = beam.call(Term::atom("atoms"), patience)?;
            let atoms = answer.as_list().unwrap_or_default().iter();
            let atoms = atoms.filter_map(|it| Some(Atom::new(it.as_atom()?)));
            let table = AtomTable::new(atoms.collect());
            table.use_all(&self.atoms());
            let _ = self.table.set(Arc::new(table));
        }
        Ok(())
    }

    /// Lets a BEAM make the atoms that matter. Returns whether they are in order there.
    pub(super) fn agree(&self, beam: &mut OwnBeam, patience: Duration) -> Result<bool, BeamError> {
        if self.count() <= beam.agreed_atoms {
            return Ok(true);
        }
        let atoms = self.atoms();
        let count = atoms.len();
        let answer = beam.call(command("atoms", atoms), patience)?;
        let are_in_order = answer.as_atom() == Some("true");
        if are_in_order {
            beam.agreed_atoms = count;
        }
        Ok(are_in_order)
    }

    /// A boot file for BEAMs in which the atoms that matter are in order, made by a BEAM in which
    /// they are not; `None` if it cannot be made.
    pub(super) fn boot_file(
        &self,
        beam: &mut OwnBeam,
        patience: Duration,
    ) -> Result<Option<NamedTempFile>, BeamError> {
        let answer = beam.call(command("boot_file", self.atoms()), patience)?;
        let Some([_, bytes]) = answer.as_tuple() else {
            return Ok(None);
        };
        let file = bytes.as_binary().and_then(|bytes| save(bytes).ok());
        Ok(file)
    }
}

fn save(bytes: &[u8]) -> io::Result<NamedTempFile> {
    // `erl -boot` adds the ending.
    let mut file = tempfile::Builder::new().suffix(".boot").tempfile()?;
    file.write_all(bytes)?;
    file.flush()?;
    Ok(file)
}

fn command(name: &str, atoms: Vec<Atom>) -> Term {
    let atoms = atoms.into_iter().map(Term::Atom);
    Term::Tuple(vec![Term::atom(name), Term::list(atoms)])
}

fn rules(answer: &Term) -> ReleaseRules {
    let is = |key: &str, value: &str| answer.get(key).and_then(Term::as_atom) == Some(value);
    ReleaseRules {
        zeros: if is("zeros", "different") {
            Zeros::Different
        } else {
            Zeros::Equal
        },
        floats: if is("floats", "nearest") {
            FloatsOfIntegers::Nearest
        } else {
            FloatsOfIntegers::DigitByDigit
        },
        atoms: if is("atoms", "of_table") {
            AtomOrder::Unasked(Arc::default())
        } else {
            AtomOrder::ByText
        },
    }
}
