//! The tree of paths: paths that begin in the same way share their beginnings, and decisions that
//! follow each other without a branch are one node.

use std::collections::HashMap;
use std::fmt::Write;

use trace_engine::explore::{Path, Paths};

use super::text::{counted, escape};
use super::{NodePage, Page};

/// The nodes, each behind the one above it, for tests that have these paths. What a step is
/// called on the page is asked for by its number.
pub(super) fn nodes<'search>(
    paths: &Paths,
    tests: impl Iterator<Item = Option<&'search Path>>,
    mut step_number: impl FnMut(usize) -> usize,
) -> Vec<NodePage> {
    let steps = paths.steps();
    // By number of the step, from 1; 0 is where all paths begin.
    let mut ending: Vec<Vec<usize>> = vec![Vec::new(); steps.len() + 1];
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); steps.len() + 1];
    let mut is_used = vec![false; steps.len() + 1];
    for (test, path) in tests.enumerate() {
        let last = path.and_then(|path| path.last);
        let mut at = last.map_or(0, |last| last as usize + 1);
        if let Some(ending) = ending.get_mut(at) {
            ending.push(test);
        }
        while at > 0
            && let Some(used) = is_used.get_mut(at)
            && !*used
        {
            *used = true;
            let before = steps.get(at - 1).and_then(|step| step.before);
            let before = before.map_or(0, |before| before as usize + 1);
            if let Some(children) = children.get_mut(before) {
                children.push(at);
            }
            at = before;
        }
    }
    let mut nodes = vec![NodePage {
        tests: ending.first_mut().map(std::mem::take).unwrap_or_default(),
        ..NodePage::default()
    }];
    let mut open: Vec<(usize, usize)> = Vec::new();
    let way = |at: usize| steps.get(at - 1).map_or(0, |step| step.way);
    let mut open_below = |at: usize, node: usize, open: &mut Vec<(usize, usize)>| {
        let mut below = children.get_mut(at).map(std::mem::take).unwrap_or_default();
        // The first way is taken from the end first.
        below.sort_by_key(|at| std::cmp::Reverse(way(*at)));
        open.extend(below.into_iter().map(|at| (at, node)));
    };
    open_below(0, 0, &mut open);
    while let Some((mut at, above)) = open.pop() {
        let mut own = Vec::new();
        let tests = loop {
            own.push(step_number(at - 1));
            let tests = ending.get_mut(at).map(std::mem::take).unwrap_or_default();
            let mut below = Vec::new();
            open_below(at, 0, &mut below);
            match below.as_slice() {
                [(only, _)] if tests.is_empty() => at = *only,
                _ => {
                    let node = nodes.len();
                    open.extend(below.into_iter().map(|(at, _)| (at, node)));
                    break tests;
                }
            }
        };
        nodes.push(NodePage {
            above: Some(above),
            steps: own,
            tests,
        });
    }
    nodes
}

/// Numbers for things that are told apart by a key.
pub(super) struct Numbers<K> {
    numbers: HashMap<K, usize>,
}

impl<K: std::hash::Hash + Eq> Numbers<K> {
    pub(super) fn new() -> Self {
        Self {
            numbers: HashMap::new(),
        }
    }

    /// The number of a key, and whether it is new.
    pub(super) fn number(&mut self, key: K) -> (usize, bool) {
        let next = self.numbers.len();
        let number = *self.numbers.entry(key).or_insert(next);
        (number, number == next)
    }
}

/// The section with the trees, which the script fills.
pub(super) fn section(page: &Page) -> String {
    let mut out = String::new();
    for (number, entry) in page.entries.iter().enumerate() {
        let name = escape(&entry.name);
        let tests = counted(entry.tests.len(), "test");
        // Writing to a string cannot fail.
        let _ = write!(
            out,
            "<section class=\"tree-of\" aria-labelledby=\"tree-{number}-name\">\
             <div class=\"tree-head\"><h3 id=\"tree-{number}-name\"><code>{name}</code> \
             <small>{tests}</small></h3><div class=\"tools\" hidden>\
             <button type=\"button\" data-unfold=\"{number}\">Unfold all</button>\
             <button type=\"button\" data-fold=\"{number}\">Fold all</button></div></div>\
             <div class=\"tree\" role=\"tree\" data-tree=\"{number}\" \
             aria-labelledby=\"tree-{number}-name\"></div></section>"
        );
    }
    out.push_str("<p class=\"nothing no-js\">The tree needs JavaScript.</p>");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_paths_all_tests_are_at_the_start() {
        let nodes = nodes(&Paths::default(), [None, None].into_iter(), |step| step);
        let [start] = nodes.as_slice() else {
            panic!("{nodes:?}");
        };
        assert_eq!((start.above, start.tests.as_slice()), (None, &[0, 1][..]));
    }
}
