//! The search: Definition 6 of Palacios and Vidal's paper, with a queue in place of a set,
//! several runs at once, and several functions that take turns.

mod alternatives;
mod arguments;
mod assistant;
mod call_graph;
mod call_walk;
mod candidate;
mod clause_id;
mod exchange;
mod executor;
mod fewer_decisions;
mod gap;
mod guesses;
mod interpolants;
mod key_effort;
mod long_runs;
mod merged_ways;
mod path_step;
mod paths;
mod replaying;
mod report;
mod rotation;
mod search;
mod solutions;
mod splicing;
mod state_graph;
mod strategies;
mod task;

pub use arguments::{Arguments, RunArguments};
pub use assistant::{AskedWay, Assistant, OpenRun, ReplayOrder, SearchBrief};
pub use candidate::{OtherOrder, Race};
pub use clause_id::ClauseId;
pub use executor::{Attempt, Capacity, Execution, Executor, Lesson, ReplayedElsewhere};
pub use gap::Gap;
pub use merged_ways::MergedWay;
pub use path_step::PathStep;
pub use paths::{KeptPaths, Path, Paths};
pub use report::{Pruned, Report, Statistics, Test};
pub use search::{RecordedRun, explore, other_orders};
pub use solutions::Answers;
pub use strategies::Strategy;
pub use task::{Options, Solvers, Task, WantedPaths};
