//! The order of the steps in a run with several processes, and the other orders that are worth a
//! run.
//!
//! A [`History`] knows what happens before what in a run. A [`Cut`] is a part of a run that is
//! closed under "happens before", with one event that the run did not have there: a step that comes
//! before another one that it depends on, a look at another message, or another way of a decision.
//! Such a part is run unless a run that was made contains it ([`MadeRuns`]). So every class of
//! equivalent runs is run once, in whatever order the parts are taken.

mod clocks;
mod conflicts;
mod cut;
mod history;
mod identities;
mod kept_sets;
mod linear_order;
mod made_runs;
mod races;
#[cfg(test)]
mod tests;

pub(crate) use cut::{Cut, LastEvent};
pub(crate) use history::{History, Mailboxes};
pub(crate) use identities::{PartIdentity, identify};
pub(crate) use kept_sets::{Independent, Staying, largest_sets};
pub(crate) use linear_order::linear_order;
pub(crate) use made_runs::MadeRuns;
pub(crate) use races::reversals;
