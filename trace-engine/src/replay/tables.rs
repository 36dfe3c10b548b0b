//! Tables of `ets` that followed code made. What is in them stays symbolic as far as it is known.
//! Whether a key is there is a decision if it depends on the input, and so is the order of the keys
//! of an ordered table.

mod changes;
mod contents;
mod counting;
mod key_order;
mod lookups;
mod match_patterns;
mod selections;
mod table_steps;
mod table_use;

pub(super) use contents::{KnownTable, element, objects_in};
pub(super) use table_steps::{table_raising_is_understood, table_step};
