//! Calls as states of their own: how they begin, who waits for them, and how they end.
//!
//! A call is explored once for each *entry*: the callee, its arguments through their views, and what
//! the path says about them. That is possible where the call and those who wait for it depend on
//! different parts of the input, so that nothing that is decided within the call says anything about
//! what its callers still need. Then what happens in the call depends on its entry alone, and what
//! happens after it depends on those who wait and on its *exit*: what it returns or raises, through
//! the view of all who look at it, and what the path says about that.

mod call_state;
mod exit_state;
mod part_place;

pub(super) use call_state::state_of_call;
pub(crate) use call_state::{CallState, PlacedValues, StateOfCall};
pub(super) use exit_state::key_of_exit;
pub(crate) use part_place::PartPlace;
