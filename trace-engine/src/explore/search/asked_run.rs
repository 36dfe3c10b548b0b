//! Runs whose questions are answered elsewhere.

use std::time::Duration;

use super::super::assistant::AskedWay;
use super::super::executor::Execution;
use super::super::solutions::Alternative;
use super::course_of_run::Course;
use super::job::Job;

/// A run, and what is known of it.
pub(super) struct MadeRun<'search, O> {
    pub(super) job: Job<'search>,
    pub(super) execution: Execution<O>,
    pub(super) course: Course,
    pub(super) run_time: Duration,
}

/// Questions about a run.
pub(super) struct Questions {
    pub(super) alternatives: Vec<Alternative>,
    /// The same as they are asked elsewhere.
    pub(super) ways: Vec<AskedWay>,
    /// How many ways were asked for in the same states elsewhere.
    pub(super) merged_ways: usize,
    pub(super) replay_time: Duration,
}

/// A run whose questions are answered elsewhere.
pub(super) struct AskedRun<'search, O> {
    pub(super) made: MadeRun<'search, O>,
    pub(super) questions: Questions,
}
