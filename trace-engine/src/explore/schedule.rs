//! Whose turn it is when several functions are searched: that which had the least time so far. So
//! none waits for another, however slow that is.
//!
//! A limit on runs is shared in rounds: each task may have an equal part of what is left, and when
//! all tasks have used theirs up or are done, what others did not need is shared again. How many
//! runs a task gets does so not depend on how long they take.

use std::time::Duration;

/// What a task had so far.
#[derive(Clone, Copy, Debug, Default)]
struct Account {
    runs: usize,
    time: Duration,
    /// How many runs it may have in this round and those before.
    allowed: usize,
}

/// The accounts of all tasks.
#[derive(Debug)]
pub(super) struct Schedule {
    accounts: Vec<Account>,
    max_runs: Option<usize>,
}

/// What a task can do with a turn.
pub(super) enum Turn {
    /// This task has one.
    Of(usize),
    /// None could use it now.
    Nobody,
    /// There are inputs, but no runs are left.
    Spent,
}

impl Schedule {
    pub(super) fn new(tasks: usize, max_runs: Option<usize>) -> Self {
        Self {
            accounts: vec![Account::default(); tasks],
            max_runs,
        }
    }

    /// Whose turn is next among those that have inputs. `is_idle` if nothing runs, so that no task
    /// that has none will have more.
    pub(super) fn next(&mut self, has_inputs: impl Fn(usize) -> bool, is_idle: bool) -> Turn {
        let waiting = (0..self.accounts.len()).filter(|task| has_inputs(*task));
        let waiting: Vec<usize> = waiting.collect();
        if waiting.is_empty() {
            return Turn::Nobody;
        }
        if let Some(task) = self.least_served(&waiting) {
            return Turn::Of(task);
        }
        // What runs may still leave a task without inputs, and its part to the others.
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

    /// Shares what is left of the runs among these tasks.
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

    pub(super) fn begins(&mut self, task: usize) {
        if let Some(account) = self.accounts.get_mut(task) {
            account.runs += 1;
        }
    }

    pub(super) fn took(&mut self, task: usize, time: Duration) {
        if let Some(account) = self.accounts.get_mut(task) {
            account.time += time;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives turns to tasks with so many inputs that take so long, one at a time.
    fn turns(max_runs: Option<usize>, tasks: &[(usize, u64)], limit: usize) -> Vec<usize> {
        let mut schedule = Schedule::new(tasks.len(), max_runs);
        let mut runs = vec![0; tasks.len()];
        for _ in 0..limit {
            let has_inputs = |task: usize| runs[task] < tasks[task].0;
            let Turn::Of(task) = schedule.next(has_inputs, true) else {
                break;
            };
            schedule.begins(task);
            schedule.took(task, Duration::from_millis(tasks[task].1));
            runs[task] += 1;
        }
        runs
    }

    #[test]
    fn all_have_the_same_time() {
        assert_eq!(turns(None, &[(100, 10), (100, 1), (3, 1)], 40), [4, 33, 3]);
    }

    #[test]
    fn runs_are_shared_whatever_they_take() {
        assert_eq!(turns(Some(10), &[(100, 9), (100, 1)], 99), [5, 5]);
        assert_eq!(turns(Some(11), &[(100, 1), (100, 9)], 99), [6, 5]);
    }

    #[test]
    fn what_one_does_not_need_the_others_have() {
        assert_eq!(
            turns(Some(30), &[(2, 1), (100, 1), (100, 1)], 99),
            [2, 14, 14]
        );
    }

    #[test]
    fn a_limit_is_kept() {
        assert_eq!(turns(Some(0), &[(5, 1)], 99), [0]);
        assert_eq!(turns(Some(2), &[(5, 1), (5, 1), (5, 1)], 99), [1, 1, 0]);
    }
}
