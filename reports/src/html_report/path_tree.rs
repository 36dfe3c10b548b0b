//! The tree of paths: paths share their common beginnings, and decisions without a branch between
//! them are one node. A way that was not run, because it goes on as another one, is a leaf.

use trace_engine::explore::{MergedWay, Path, PathStep, Paths};

use super::page::NodePage;

/// The nodes of the tree, each after its parent. `step_number` gives the number of a step on the
/// page.
pub(super) fn nodes<'search>(
    paths: &Paths,
    tests: impl Iterator<Item = Option<&'search Path>>,
    step_number: impl FnMut(&PathStep) -> usize,
) -> Vec<NodePage> {
    let mut branches = Branches::new(paths.steps());
    for (test, path) in tests.enumerate() {
        branches.add_test(test, path);
    }
    paths.merged_ways().for_each(|way| branches.add_merged(way));
    branches.nodes(step_number)
}

/// What comes after each step, by its number from 1; 0 is where all paths begin.
struct Branches<'search> {
    steps: &'search [PathStep],
    /// The tests that end there.
    ending: Vec<Vec<usize>>,
    /// The steps that follow.
    children: Vec<Vec<usize>>,
    is_used: Vec<bool>,
    /// The ways that were not run.
    merged: Vec<Vec<MergedWay>>,
}

/// A branch below a node.
enum Branch {
    Step(usize),
    Merged(MergedWay),
}

/// The number of a step, from 1; 0 for none.
fn place(step: Option<u32>) -> usize {
    step.map_or(0, |step| step as usize + 1)
}

impl<'search> Branches<'search> {
    fn new(steps: &'search [PathStep]) -> Self {
        let count = steps.len() + 1;
        Self {
            steps,
            ending: vec![Vec::new(); count],
            children: vec![Vec::new(); count],
            is_used: vec![false; count],
            merged: vec![Vec::new(); count],
        }
    }

    fn step(&self, at: usize) -> Option<&'search PathStep> {
        at.checked_sub(1).and_then(|index| self.steps.get(index))
    }

    fn add_test(&mut self, test: usize, path: Option<&Path>) {
        let mut at = place(path.and_then(|path| path.last));
        if let Some(ending) = self.ending.get_mut(at) {
            ending.push(test);
        }
        while at > 0
            && let Some(used) = self.is_used.get_mut(at)
            && !*used
        {
            *used = true;
            let before = place(self.step(at).and_then(|step| step.before));
            if let Some(children) = self.children.get_mut(before) {
                children.push(at);
            }
            at = before;
        }
    }

    /// Adds a way that was not run, if tests lead there.
    fn add_merged(&mut self, way: MergedWay) {
        let before = place(way.step.before);
        let is_used = |at: usize| at == 0 || self.is_used.get(at).copied().unwrap_or(false);
        if is_used(before)
            && is_used(place(Some(way.goes_on_as)))
            && let Some(merged) = self.merged.get_mut(before)
        {
            merged.push(way);
        }
    }

    /// The branches below a step, the last one first.
    fn below(&mut self, at: usize) -> Vec<Branch> {
        let take = |lists: &mut Vec<Vec<usize>>| lists.get_mut(at).map(std::mem::take);
        let steps = take(&mut self.children).unwrap_or_default();
        let merged = self.merged.get_mut(at).map(std::mem::take);
        let steps = steps.into_iter().map(Branch::Step);
        let merged = merged.unwrap_or_default().into_iter().map(Branch::Merged);
        let mut below: Vec<Branch> = steps.chain(merged).collect();
        below.sort_by_key(|branch| {
            let way = match branch {
                Branch::Step(at) => self.step(*at).map_or(0, |step| step.way),
                Branch::Merged(way) => way.step.way,
            };
            std::cmp::Reverse(way)
        });
        below
    }

    fn tests_at(&mut self, at: usize) -> Vec<usize> {
        let tests = self.ending.get_mut(at).map(std::mem::take);
        tests.unwrap_or_default()
    }

    fn nodes(mut self, mut step_number: impl FnMut(&PathStep) -> usize) -> Vec<NodePage> {
        let mut nodes = vec![NodePage {
            tests: self.tests_at(0),
            ..NodePage::default()
        }];
        let mut node_of = vec![0; self.steps.len() + 1];
        let mut merged = Vec::new();
        let below = self.below(0).into_iter();
        let mut open: Vec<(Branch, usize)> = below.map(|branch| (branch, 0)).collect();
        while let Some((branch, above)) = open.pop() {
            let node = nodes.len();
            let mut page = NodePage {
                above: Some(above),
                ..NodePage::default()
            };
            let mut next = match branch {
                Branch::Step(at) => Some(at),
                Branch::Merged(way) => {
                    page.steps.push(step_number(&way.step));
                    merged.push((node, way.goes_on_as));
                    None
                }
            };
            while let Some(at) = next.take() {
                page.steps.extend(self.step(at).map(&mut step_number));
                if let Some(node_of) = node_of.get_mut(at) {
                    *node_of = node;
                }
                page.tests = self.tests_at(at);
                let below = self.below(at);
                match below.as_slice() {
                    [Branch::Step(only)] if page.tests.is_empty() => next = Some(*only),
                    _ => open.extend(below.into_iter().map(|branch| (branch, node))),
                }
            }
            nodes.push(page);
        }
        for (node, step) in merged {
            if let Some(page) = nodes.get_mut(node) {
                page.goes_on_as = node_of.get(place(Some(step))).copied();
            }
        }
        nodes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_paths_all_tests_are_at_the_start() {
        let nodes = nodes(&Paths::default(), [None, None].into_iter(), |_| 0);
        let [start] = nodes.as_slice() else {
            panic!("{nodes:?}");
        };
        assert_eq!((start.above, start.tests.as_slice()), (None, &[0, 1][..]));
    }
}
