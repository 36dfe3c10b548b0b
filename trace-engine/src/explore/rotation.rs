//! Whose turn it is when several functions are searched: the next is the one that had the least
//! time so far. So a slow function does not keep others waiting.
//!
//! A limit on runs is shared in rounds. Each task gets an equal part of the runs that are left; when
//! all tasks are done or have used up their part, the rest is shared again. So the number of runs
//! that a task gets does not depend on how long they take.

use std::time::Duration;

/// What a task has used so far.
#[derive(Clone, Copy, Debug, Default)]
struct Account {
    runs: usize,
    time: Duration,
    /// How many runs it may have in this round and those before.
    allowed: usize,
}

/// The accounts of all tasks.
#[derive(Debug)]
pub(super) struct Rotation {
    accounts: Vec<Account>,
    max_runs: Option<usize>,
}

/// Whose turn it is.
pub(super) enum Turn {
    /// The turn of this task.
    Of(usize),
    /// No task can use a turn now.
    Nobody,
    /// There are inputs, but no runs are left.
    Spent,
}

impl Rotation {
    pub(super) fn new(tasks: usize, max_runs: Option<usize>) -> Self {
        Self {
            accounts: vec![Account::default(); tasks],
            max_runs,
        }
    }

    /// Whose turn is next among the tasks that have inputs. `is_idle` means that nothing runs, so
    /// that tasks without inputs will not get any.
    pub(super) fn next(&mut self, has_inputs: impl Fn(usize) -> bool, is_idle: bool) -> Turn {
        let waiting = (0..self.accounts.len()).filter(|task| has_inputs(*task));
        let waiting: Vec<usize> = waiting.collect();
        if waiting.is_empty() {
            return Turn::Nobody;
        }
        if let Some(task) = self.least_served(&waiting) {
            return Turn::Of(task);
        }
        // A task that runs may end without more inputs, and leave its part to the others.
        if !is_idle {
            return Turn::Nobody;
        }
        self.share(&waiting);
        match self.least_served(&waiting) {
            Some(task) => Turn::Of(task),
            None => Turn::Spent,
        }
    }

    fn least_served(&self, waiting: &[usize]) -> Option<usize> {
        let accounts = waiting.iter().filter_map(|task| {
            let account = self.accounts.get(*task)?;
            let is_allowed = self.max_runs.is_none() || account.runs < account.allowed;
            is_allowed.then_some((account.time, account.runs, *task))
        });
        accounts.min().map(|it| it.2)
    }

    /// Shares the runs that are left among these tasks.
    fn share(&mut self, waiting: &[usize]) {
        let used: usize = self.accounts.iter().map(|it| it.runs).sum();
        let left = self.max_runs.unwrap_or(usize::MAX).saturating_sub(used);
        let (part, rest) = (left / waiting.len(), left % waiting.len());
        for (place, task) in waiting.iter().enumerate() {
            if let Some(account) = self.accounts.get_mut(*task) {
                account.allowed = account.runs + part + usize::from(place < rest);
            }
        }
    }

    /// Counts a run of a task.
    pub(super) fn begins(&mut self, task: usize) {
        if let Some(account) = self.accounts.get_mut(task) {
            account.runs += 1;
        }
    }

    /// A run of a task does not count.
    pub(super) fn gives_back(&mut self, task: usize) {
        if let Some(account) = self.accounts.get_mut(task) {
            account.runs -= 1;
        }
    }

    /// Counts the time that a task took.
    pub(super) fn took(&mut self, task: usize, time: Duration) {
        if let Some(account) = self.accounts.get_mut(task) {
            account.time += time;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives turns to tasks, one at a time. A task is its number of inputs and the milliseconds
    /// that each takes.
    fn turns(max_runs: Option<usize>, tasks: &[(usize, u64)], limit: usize) -> Vec<usize> {
        let mut rotation = Rotation::new(tasks.len(), max_runs);
        let mut runs = vec![0; tasks.len()];
        for _ in 0..limit {
            let has_inputs = |task: usize| runs[task] < tasks[task].0;
            let Turn::Of(task) = rotation.next(has_inputs, true) else {
                break;
            };
            rotation.begins(task);
            rotation.took(task, Duration::from_millis(tasks[task].1));
            runs[task] += 1;
        }
        runs
    }

    #[test]
    fn all_get_the_same_time() {
        assert_eq!(turns(None, &[(100, 10), (100, 1), (3, 1)], 40), [4, 33, 3]);
    }

    #[test]
    fn runs_are_shared_however_long_they_take() {
        assert_eq!(turns(Some(10), &[(100, 9), (100, 1)], 99), [5, 5]);
        assert_eq!(turns(Some(11), &[(100, 1), (100, 9)], 99), [6, 5]);
    }

    #[test]
    fn tasks_share_runs_that_another_does_not_need() {
        assert_eq!(
            turns(Some(30), &[(2, 1), (100, 1), (100, 1)], 99),
            [2, 14, 14]
        );
    }

    #[test]
    fn a_run_that_does_not_count_leaves_its_place_to_another() {
        let mut rotation = Rotation::new(1, Some(1));
        assert!(matches!(rotation.next(|_| true, true), Turn::Of(0)));
        rotation.begins(0);
        assert!(matches!(rotation.next(|_| true, true), Turn::Spent));
        rotation.gives_back(0);
        assert!(matches!(rotation.next(|_| true, true), Turn::Of(0)));
    }

    #[test]
    fn the_limit_is_never_exceeded() {
        assert_eq!(turns(Some(0), &[(5, 1)], 99), [0]);
        assert_eq!(turns(Some(2), &[(5, 1), (5, 1), (5, 1)], 99), [1, 1, 0]);
    }
}
