//! The nearest clause that was not reached.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};
use std::sync::Arc;

use flattener::flat::Callable;
use rustc_hash::FxHashMap;

use super::flow_graph::{FlowCaller, FlowClause, FlowGraph, FlowNode};

/// How far the nearest clause is, as it was when somebody asked.
#[derive(Clone, Copy, Debug)]
enum KnownDistance {
    /// So many decisions away, and which one it is.
    Near(u32, FlowClause),
    /// There is none.
    Nowhere,
}

/// Distances from ways of decisions to clauses that were not reached, in the search of one function.
///
/// Clauses that were reached stay so, hence distances only grow. One that was found is still right
/// as long as its clause was not reached. So each is found again only when that happened and
/// somebody asks, and what has no such clause is never asked about again.
#[derive(Debug)]
pub(crate) struct NearestClauses {
    graph: Arc<FlowGraph>,
    /// The callables that the function can reach: only they call something.
    is_reachable: Vec<bool>,
    known: FxHashMap<FlowClause, KnownDistance>,
}

/// Whether a walk may still leave the callable that it is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum CameBy {
    /// It came in by a call. The way past that call is another one.
    Call,
    /// It began there, or it came back from there.
    Own,
}

impl NearestClauses {
    /// For the search of a function, by its module and index.
    pub(crate) fn new(graph: Arc<FlowGraph>, entry: (usize, usize)) -> Self {
        let mut is_reachable = vec![false; graph.callables.len()];
        let entry = (entry.0, Callable::Function(entry.1));
        let mut called_by = vec![Vec::new(); graph.callables.len()];
        for (callee, callable) in graph.callables.iter().enumerate() {
            for FlowCaller { caller, .. } in &callable.callers {
                if let Some(callees) = called_by.get_mut(*caller) {
                    callees.push(callee);
                }
            }
        }
        let mut open: Vec<usize> = graph.numbers.get(&entry).copied().into_iter().collect();
        while let Some(number) = open.pop() {
            let known = is_reachable.get_mut(number);
            if let Some(is_known) = known.filter(|it| !**it) {
                *is_known = true;
                open.extend(called_by.get(number).into_iter().flatten());
            }
        }
        Self {
            graph,
            is_reachable,
            known: FxHashMap::default(),
        }
    }

    /// How many decisions lie between a way of a decision and the nearest clause that was not
    /// reached; 0 if it is that clause; `None` if none can be reached from there.
    pub(crate) fn distance(
        &mut self,
        way: FlowClause,
        reached: &HashSet<FlowClause>,
    ) -> Option<u32> {
        match self.known.get(&way) {
            Some(KnownDistance::Near(distance, clause)) if !reached.contains(clause) => {
                return Some(*distance);
            }
            Some(KnownDistance::Nowhere) => return None,
            Some(KnownDistance::Near(..)) | None => {}
        }
        let start = self.graph.way(way);
        let found = start.and_then(|start| self.find(start, reached));
        let known = found.map_or(KnownDistance::Nowhere, |(distance, clause)| {
            KnownDistance::Near(distance, clause)
        });
        self.known.insert(way, known);
        found.map(|it| it.0)
    }

    /// Goes on from a node in all directions until there is such a clause.
    fn find(&self, start: FlowNode, reached: &HashSet<FlowClause>) -> Option<(u32, FlowClause)> {
        let graph = &*self.graph;
        let mut is_done = vec![[false; 2]; graph.edges.len()];
        let mut open = BinaryHeap::from([Reverse((0, CameBy::Own, start))]);
        while let Some(Reverse((distance, inside, node))) = open.pop() {
            let done = is_done.get_mut(node as usize);
            let done = done.and_then(|done| done.get_mut(inside as usize));
            let Some(is_done) = done.filter(|it| !**it) else {
                continue;
            };
            *is_done = true;
            if let Some(clause) = graph.own_clauses.get(&node)
                && !reached.contains(clause)
            {
                return Some((distance, *clause));
            }
            let edges = graph.edges(node);
            for (next, length) in &edges.steps {
                open.push(Reverse((distance + length, inside, *next)));
            }
            for call in &edges.calls {
                let entry = graph.callable(call.callee).entry;
                open.push(Reverse((distance, CameBy::Call, entry)));
            }
            if inside == CameBy::Own {
                let outside = self.outside(node);
                open.extend(outside.map(|next| Reverse((distance, inside, next))));
            }
        }
        None
    }

    /// Where a callable returns to, or its exceptions lead to, if it ends at this node.
    fn outside(&self, node: FlowNode) -> impl Iterator<Item = FlowNode> {
        let graph = &*self.graph;
        let returned = graph.exits.get(&node);
        let ended = returned.or_else(|| graph.exceptional_exits.get(&node));
        let callers = ended.map(|number| graph.callable(*number).callers.iter());
        let callers = callers.into_iter().flatten();
        let is_reachable = &self.is_reachable;
        let callers = callers.filter(|it| is_reachable.get(it.caller).copied().unwrap_or(false));
        let has_returned = returned.is_some();
        callers.map(move |it| if has_returned { it.after } else { it.raised })
    }
}
