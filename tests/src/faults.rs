//! Fault injection: workers and nodes are killed, the disk is full, the channel is cut.
//!
//! A *round* is one search with one fault. After each round the laws of [`laws`] hold: the output
//! makes sense, and nothing is lost, reported twice or left behind. `make test` runs a few rounds
//! of each fault, `make fault-tests` runs for an hour.

pub mod cut_channel;
pub mod full_disk;
pub mod killed_beams;
pub mod laws;
pub mod little_memory;
pub mod long_search;
pub mod nodes;
pub mod processes;
mod programs;
pub mod round;
pub mod signals;
pub mod solver_timeouts;

pub use programs::Programs;

use crate::random_programs::Random;

/// A fault: its name, and one round of it with random choices.
pub type Fault = (&'static str, fn(&Programs, &mut Random));

/// All faults that come in rounds.
pub const FAULTS: [Fault; 16] = [
    ("killed-beams", killed_beams::round),
    ("full-state-folder", full_disk::state_folder),
    ("full-file-system", full_disk::file_system),
    ("full-outputs", full_disk::outputs),
    ("closed-stdout", full_disk::closed_stdout),
    ("cut-channel", cut_channel::round),
    ("solver-timeouts", solver_timeouts::round),
    ("signals", signals::round),
    ("greedy-runs", little_memory::greedy_runs),
    ("starved-tool", little_memory::starved_tool),
    ("killed-nodes", nodes::killed),
    ("stopped-nodes", nodes::stopped),
    ("cut-connections", nodes::cut_off),
    ("full-node", nodes::full_disk),
    ("killed-search", nodes::killed_search),
    ("many-nodes", nodes::many),
];
