//! Where the runs of a search take place.

use std::fmt::Debug;
use std::time::Instant;

use erlang_term::{Atom, Term};
use solver::ReleaseRules;
use trace_format::Schedule;

use crate::beam::worker::{Limits, Run, Worker};
use crate::failure::Failure;

/// Runs inputs, here or elsewhere.
pub(crate) trait Runner: Debug + Send + Sync {
    /// Runs one input of a function; `None` if the run had to be given up because it must end at a
    /// certain time.
    fn run_until(
        &mut self,
        function: (&Atom, &Atom),
        arguments: Term,
        schedule: &Schedule,
        limits: &Limits,
        end: Option<Instant>,
    ) -> Result<Option<Run>, Failure>;

    /// May begin with a run that will probably be asked for.
    fn begin(
        &mut self,
        function: (&Atom, &Atom),
        arguments: Term,
        schedule: &Schedule,
        limits: &Limits,
        end: Option<Instant>,
    );

    /// What values mean, as far as it is known.
    fn rules(&self) -> ReleaseRules;

    /// Asks for the rules, if they are not known.
    fn ask_rules(&mut self, end: Option<Instant>) -> Result<(), Failure>;

    /// Asks for the order of atoms, which the rules have from then on.
    fn ask_order_of_atoms(&mut self, end: Option<Instant>) -> Result<(), Failure>;

    /// Whether the last run was on a BEAM that has the atoms that matter in the order of the rules.
    fn agrees_on_atoms(&mut self, end: Option<Instant>) -> Result<bool, Failure>;

    /// The atoms whose order matters, in their order.
    fn atoms(&self) -> Vec<Atom>;

    /// Whether messages take their time.
    fn is_delivering(&self) -> bool;

    /// Whether it runs nothing more.
    fn has_left(&self) -> bool {
        false
    }
}

impl Runner for Worker {
    fn run_until(
        &mut self,
        function: (&Atom, &Atom),
        arguments: Term,
        schedule: &Schedule,
        limits: &Limits,
        end: Option<Instant>,
    ) -> Result<Option<Run>, Failure> {
        Self::run_until(self, function, arguments, schedule, limits, end)
    }

    fn begin(
        &mut self,
        function: (&Atom, &Atom),
        arguments: Term,
        schedule: &Schedule,
        limits: &Limits,
        end: Option<Instant>,
    ) {
        Self::begin(self, function, arguments, schedule, limits, end);
    }

    fn rules(&self) -> ReleaseRules {
        Self::rules(self)
    }

    fn ask_rules(&mut self, end: Option<Instant>) -> Result<(), Failure> {
        Self::ask_rules(self, end)
    }

    fn ask_order_of_atoms(&mut self, end: Option<Instant>) -> Result<(), Failure> {
        Self::ask_order_of_atoms(self, end)
    }

    fn agrees_on_atoms(&mut self, end: Option<Instant>) -> Result<bool, Failure> {
        Self::agrees_on_atoms(self, end)
    }

    fn atoms(&self) -> Vec<Atom> {
        Self::atoms(self)
    }

    fn is_delivering(&self) -> bool {
        Self::is_delivering(self)
    }
}
