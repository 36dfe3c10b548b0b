//! Runs a search, saves its runs and shows its progress.

pub(crate) mod confirmation;
pub(crate) mod depth;
pub(crate) mod executor;
pub(crate) mod interruption;
pub(crate) mod journal;
pub(crate) mod peak_memory;
pub(crate) mod progress;
mod reached_functions;
pub(crate) mod recorded;
pub(crate) mod run_ends;
pub(crate) mod run_terms;
pub(crate) mod runner;
pub(crate) mod saved_runs;
pub(crate) mod shards;
pub(crate) mod solvers;
pub(crate) mod subjects;
pub(crate) mod test_file;
mod text_lengths;
pub(crate) mod time_limit;
pub(crate) mod unit_tests;
