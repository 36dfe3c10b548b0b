//! The tree of paths: paths share their common beginnings, and decisions without a branch between
//! them are one node.

use trace_engine::explore::{Path, Paths};

use super::page::NodePage;

/// The nodes of the tree, each after its parent. `step_number` gives the number of a step on the
/// page.
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
        // The last element is taken first.
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
