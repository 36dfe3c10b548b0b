//! One module per command.

pub(crate) mod accept;
pub(crate) mod completions;
pub(crate) mod doctor;
pub(crate) mod eunit;
pub(crate) mod events;
pub(crate) mod explain;
pub(crate) mod explore;
pub(crate) mod flatten;
pub(crate) mod instrument;
pub(crate) mod merge;
pub(crate) mod replay;
pub(crate) mod run;
mod run_processes;
pub(crate) mod serve;
