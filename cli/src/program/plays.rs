//! What is played: machines and sequences of calls.

use std::path::PathBuf;

use erlang_term::{Atom, Term};
use flattener::flat::Module;
use reports::{Entry, Outcome};

use crate::beam::Beam;
use crate::failure::Failure;
use crate::program::call_code::MARKS;
use crate::program::calls::{self, CallOptions, CallSequences};
use crate::program::contract::Conditions;
use crate::program::library_code::flat_module;
use crate::program::machines::{MachineOptions, Machines, player_beam, player_text};
use crate::program::named_calls::NamedCall;
use crate::program::renaming::Renaming;
use crate::sources::front_end::FrontEnd;
use crate::sources::specs::{OpaqueTypes, Spec};

/// The machines and the sequences of calls of a search.
#[derive(Debug, Default)]
pub(crate) struct Plays {
    machines: Machines,
    calls: CallSequences,
}

/// The user's modules, and where they are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OwnModules<'own> {
    pub(crate) modules: &'own [Module],
    pub(crate) files: &'own [(Atom, PathBuf)],
}

impl Plays {
    /// Those among some entries.
    pub(crate) fn find<'entries>(
        entries: impl IntoIterator<Item = &'entries Entry> + Clone,
        options: MachineOptions<'_>,
        conditions: Conditions<'_>,
        (own, opaque): (OwnModules<'_>, OpaqueTypes),
        front_end: &FrontEnd,
    ) -> Result<Self, Failure> {
        let machines = entries.clone();
        let machines = Machines::find(machines, options, conditions, own.modules, front_end)?;
        let options = CallOptions {
            length: options.length,
            invariant: options.invariant,
            opaque,
            plays_all: options.plays_all,
        };
        let calls = CallSequences::find(entries, options, own.modules, own.files, front_end)?;
        Ok(Self { machines, calls })
    }

    /// The wrapper of an entry.
    pub(crate) fn start(&self, entry: &Entry) -> Option<Entry> {
        let machine = self.machines.start(entry);
        machine.or_else(|| self.calls.start(entry))
    }

    /// The arguments of the wrapper of an entry for some calls; or the number of the first call that
    /// fits no spec.
    pub(crate) fn call_arguments(
        &self,
        entry: &Entry,
        calls: &[NamedCall],
    ) -> Result<Vec<Term>, usize> {
        self.calls.arguments(entry, calls)
    }

    /// The types of the sequences of calls of an entry.
    pub(crate) fn call_spec(&self, entry: &Entry) -> Option<&Spec> {
        self.calls.spec(entry)
    }

    /// The modules that play.
    pub(crate) fn flat(&self) -> Result<Vec<Module>, Failure> {
        let mut modules = self.machines.flat()?;
        if !self.calls.is_empty() {
            modules.push(flat_module(&Atom::new(calls::MODULE), &self.calls.core())?);
            if modules.iter().all(|it| it.name.as_str() != MARKS) {
                modules.push(flat_module(&Atom::new(MARKS), player_text(MARKS))?);
            }
        }
        Ok(modules)
    }

    /// The module of what plays tell.
    pub(crate) fn marks(&self) -> Option<Atom> {
        let calls = (!self.calls.is_empty()).then(|| Atom::new(MARKS));
        self.machines.marks().or(calls)
    }

    /// The modules that play on the original code.
    pub(crate) fn beams(
        &self,
        front_end: &FrontEnd,
        renaming: &Renaming,
    ) -> Result<Vec<Beam>, Failure> {
        let mut beams = self.machines.beams(front_end, renaming)?;
        if !self.calls.is_empty() {
            beams.push(self.calls.beam(front_end, renaming)?);
            beams.push(player_beam(MARKS));
        }
        Ok(beams)
    }

    /// Removes what plays from an outcome.
    pub(crate) fn tidy(&self, outcome: &mut Outcome) {
        self.machines.tidy(outcome);
        if self.calls.is_empty() {
            return;
        }
        if let Outcome::Exception { stack, .. } = outcome {
            stack.retain(|it| it.module() != calls::MODULE && it.module() != MARKS);
        }
    }
}
