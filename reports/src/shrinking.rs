//! Makes the input of a finding smaller.
//!
//! Each step changes one part of one argument to something lighter. A step is kept if the changed
//! input still crashes in the same way.

mod lighter_terms;
mod parts;
mod weight;

use erlang_term::Term;

use lighter_terms::lighter;
use parts::{part, part_count, with_part};
use weight::weight;

/// How many changed inputs are looked at for one finding, with those that are not run because they
/// do not match the spec.
const MAX_CHANGES: usize = 5_000;

/// Decides which changes to an input are kept.
pub(crate) trait Judge {
    /// Whether this is an input of the function. It costs little.
    fn fits(&self, arguments: &[Term]) -> bool;

    /// Runs the input, and returns whether it crashes as before. `None` ends the shrinking.
    fn crashes_alike(&mut self, arguments: &[Term]) -> Option<bool>;
}

/// The smallest input that was found with at most this many runs.
pub(crate) fn shrunk(arguments: Vec<Term>, most_runs: usize, judge: &mut impl Judge) -> Vec<Term> {
    let mut shrinking = Shrinking {
        arguments,
        judge,
        runs_left: most_runs,
        changes_left: MAX_CHANGES,
    };
    while shrinking.pass() == Some(true) {}
    shrinking.arguments
}

struct Shrinking<'judge, J> {
    arguments: Vec<Term>,
    judge: &'judge mut J,
    runs_left: usize,
    changes_left: usize,
}

impl<J: Judge> Shrinking<'_, J> {
    /// Tries to change every part of every argument once, from the outside in. Returns whether a
    /// change was kept; `None` if there is no time for more.
    fn pass(&mut self) -> Option<bool> {
        let mut is_changed = false;
        for index in 0..self.arguments.len() {
            let mut number = 0;
            // The number of parts shrinks as well.
            while number < self.arguments.get(index).map_or(0, part_count) {
                while self.change(index, number)? {
                    is_changed = true;
                }
                number += 1;
            }
        }
        Some(is_changed)
    }

    /// Makes one part of an argument lighter, if possible.
    fn change(&mut self, index: usize, number: usize) -> Option<bool> {
        self.changes_left = self.changes_left.checked_sub(1)?;
        let Some(argument) = self.arguments.get(index).cloned() else {
            return Some(false);
        };
        let Some(old) = part(&argument, number) else {
            return Some(false);
        };
        let old_weight = weight(&argument);
        for new in lighter(old) {
            self.changes_left = self.changes_left.checked_sub(1)?;
            let Some(changed) = with_part(&argument, number, new) else {
                continue;
            };
            if weight(&changed) < old_weight && self.is_kept(index, changed)? {
                return Some(true);
            }
        }
        Some(false)
    }

    fn is_kept(&mut self, index: usize, changed: Term) -> Option<bool> {
        let mut arguments = self.arguments.clone();
        if let Some(argument) = arguments.get_mut(index) {
            *argument = changed;
        }
        if !self.judge.fits(&arguments) {
            return Some(false);
        }
        self.runs_left = self.runs_left.checked_sub(1)?;
        let is_kept = self.judge.crashes_alike(&arguments)?;
        if is_kept {
            self.arguments = arguments;
        }
        Some(is_kept)
    }
}

#[cfg(test)]
mod tests;
