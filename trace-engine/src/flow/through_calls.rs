//! The shortest way through each callable, from its entry to its exit.
//!
//! It goes past other callables, whose shortest ways count too. So this is the algorithm of Dijkstra
//! from all exits at once, in which a call gets its distance once both the rest after it and the way
//! through its callee are known (Knuth 1977).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::flow_graph::{FlowGraph, FlowNode};

/// What leads to the nodes of a graph.
struct Backwards {
    /// For each node, the steps to it.
    steps: Vec<Vec<(FlowNode, u32)>>,
    /// For each node, the calls that go on there: node and callee.
    calls: Vec<Vec<(FlowNode, usize)>>,
    /// For each callable, its calls: node, and the node after it.
    calls_of: Vec<Vec<(FlowNode, FlowNode)>>,
}

impl Backwards {
    fn new(graph: &FlowGraph) -> Self {
        let mut backwards = Self {
            steps: vec![Vec::new(); graph.edges.len()],
            calls: vec![Vec::new(); graph.edges.len()],
            calls_of: vec![Vec::new(); graph.callables.len()],
        };
        for (from, edges) in (0..).zip(&graph.edges) {
            for (to, distance) in &edges.steps {
                add(&mut backwards.steps, *to as usize, (from, *distance));
            }
            for call in &edges.calls {
                let after = call.after as usize;
                add(&mut backwards.calls, after, (from, call.callee));
                add(&mut backwards.calls_of, call.callee, (from, call.after));
            }
        }
        backwards
    }
}

fn add<T>(lists: &mut [Vec<T>], index: usize, element: T) {
    if let Some(list) = lists.get_mut(index) {
        list.push(element);
    }
}

/// For each callable its shortest way; `None` if it never returns.
pub(super) fn shortest_ways_through(graph: &FlowGraph) -> Vec<Option<u32>> {
    let backwards = Backwards::new(graph);
    let mut through: Vec<Option<u32>> = vec![None; graph.callables.len()];
    let mut left: Vec<Option<u32>> = vec![None; graph.edges.len()];
    let mut entries: Vec<Option<usize>> = vec![None; graph.edges.len()];
    let mut open = BinaryHeap::new();
    for (number, callable) in graph.callables.iter().enumerate() {
        open.push(Reverse((0, callable.exit)));
        if let Some(entry) = entries.get_mut(callable.entry as usize) {
            *entry = Some(number);
        }
    }
    while let Some(Reverse((distance, node))) = open.pop() {
        let index = node as usize;
        let Some(known) = left.get_mut(index).filter(|it| it.is_none()) else {
            continue;
        };
        *known = Some(distance);
        for (before, length) in backwards.steps.get(index).into_iter().flatten() {
            open.push(Reverse((distance + length, *before)));
        }
        for (call, callee) in backwards.calls.get(index).into_iter().flatten() {
            if let Some(past) = through.get(*callee).copied().flatten() {
                open.push(Reverse((distance + past, *call)));
            }
        }
        let Some(callable) = entries.get(index).copied().flatten() else {
            continue;
        };
        if let Some(way) = through.get_mut(callable) {
            *way = Some(distance);
        }
        for (call, after) in backwards.calls_of.get(callable).into_iter().flatten() {
            if let Some(rest) = left.get(*after as usize).copied().flatten() {
                open.push(Reverse((distance + rest, *call)));
            }
        }
    }
    through
}
