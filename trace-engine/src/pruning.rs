//! Tells which states of runs are the same for all that can follow.
//!
//! The future of a run depends on where it is, on the functions that wait for others, and on the
//! values that are still needed. Of these values most is never looked at again: an accumulator that
//! is only returned, a counter that nobody compares. So two runs that come to one place by different
//! paths often go on in the same ways.
//!
//! [`Pruning`] is the static part. It has a view of each variable, which says what the rest of a run
//! looks at (`demand`, one fixpoint over the functions that a search can reach), and the variables
//! that are needed at each site (`liveness`). [`StateTracker`] follows a run. It knows what the path
//! says about the parts of the input (`path_facts`), and makes the key of a state: the values that
//! are needed through their views, and the conditions on them (`state_key`).

mod binary_sizes;
mod built_in_views;
mod called;
mod demand;
mod function_pass;
mod growing_demand;
mod known_parts;
mod leaving;
mod liveness;
mod node_tables;
mod part_types;
mod parts;
mod path_facts;
mod relevance;
mod relevance_marks;
mod separate_calls;
mod state_key;
mod state_shape;
mod state_tracker;
mod state_words;
mod state_writer;
mod static_part;
mod view;
mod view_rule;
mod viewed;

#[cfg(test)]
mod tests;

pub(crate) use separate_calls::{CallState, PartPlace, PlacedValues, StateOfCall};
pub(crate) use state_key::{ComparableState, LiveValue, StateKey};
pub(crate) use state_shape::{Fitted, StateShape};
pub(crate) use state_tracker::StateTracker;
pub(crate) use state_words::Levels;
pub(crate) use static_part::{Pruning, ReportedAt};
pub(crate) use view::View;
pub use view_rule::ViewRule;
#[cfg(feature = "weak-views")]
pub use view_rule::leave_out;
