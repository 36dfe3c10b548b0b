//! Integers of which few values are left: all of them are tried.
//!
//! A table that is asked for the element `C + 1`, bits of `C`, and cases on both are hard to split,
//! but easy to compute: a condition on one integer is computed for all of its values at once, and
//! the values that break it are gone. Conditions that several such integers share are computed for
//! one of them, with values for the others.

mod columns;
mod few_values;
mod joint_search;
mod linked_checks;

pub(crate) use joint_search::{Tried, try_values};

#[cfg(test)]
mod tests;
