//! Machines: modules whose process gets events, and what a search found out about them.

mod behaviour;
mod event_texts;
mod found_machine;
mod joined_arrows;
mod players;
#[cfg(test)]
mod sample_machines;
mod script;
mod shape;

pub use behaviour::Behaviour;
pub use event_texts::{event_texts, played};
pub(crate) use event_texts::{play_text, played_events};
pub use found_machine::{FoundMachine, FoundState, Transition};
pub(crate) use found_machine::{ending_clause, shortest_tests};
pub(crate) use joined_arrows::{JoinedArrow, joined_arrows};
pub(crate) use players::is_of_player;
#[cfg(test)]
pub(crate) use sample_machines::sample_machine;
pub use script::crash_script;
pub(crate) use script::{asked_of_state, has_started, is_answered, started, waited};
