//! Nodes, edges and callables.

use flattener::flat::{Callable, SiteId};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// A node.
pub(super) type FlowNode = u32;

/// A clause: module, site, number counted from 0.
pub(super) type FlowClause = (usize, SiteId, usize);

/// A call with its callee, and where it goes on.
#[derive(Clone, Copy, Debug)]
pub(super) struct FlowCall {
    /// The number of the callee.
    pub(super) callee: usize,
    /// The node after the call.
    pub(super) after: FlowNode,
}

/// Where a node leads to.
#[derive(Debug, Default)]
pub(super) struct FlowEdges {
    /// Other nodes of the same callable, with their distances.
    pub(super) steps: SmallVec<[(FlowNode, u32); 2]>,
    /// What it calls. The way past a callee is a step, too.
    pub(super) calls: SmallVec<[FlowCall; 1]>,
}

/// A function, a fun, or all funs with a number of arguments.
#[derive(Debug)]
pub(super) struct FlowCallable {
    pub(super) entry: FlowNode,
    /// Where it returns.
    pub(super) exit: FlowNode,
    /// Where its exceptions leave it.
    pub(super) raised: FlowNode,
    pub(super) callers: Vec<FlowCaller>,
}

/// Who calls something.
#[derive(Clone, Copy, Debug)]
pub(super) struct FlowCaller {
    /// The number of the caller.
    pub(super) caller: usize,
    /// The node after the call.
    pub(super) after: FlowNode,
    /// The node that its exceptions lead to.
    pub(super) raised: FlowNode,
}

/// The nodes around a statement.
#[derive(Clone, Copy, Debug)]
pub(super) struct StatementNodes {
    pub(super) before: FlowNode,
    pub(super) after: FlowNode,
    pub(super) raised: FlowNode,
    /// Whether its second way is an exception.
    pub(super) returns_or_raises: bool,
}

/// The call and control flow graph of a program.
#[derive(Debug, Default)]
pub(crate) struct FlowGraph {
    pub(super) edges: Vec<FlowEdges>,
    pub(super) callables: Vec<FlowCallable>,
    pub(super) numbers: FxHashMap<(usize, Callable), usize>,
    pub(super) statements: FxHashMap<(usize, SiteId), StatementNodes>,
    /// The nodes of clauses.
    pub(super) clauses: FxHashMap<FlowClause, FlowNode>,
    /// The clauses of the user's modules, by their nodes.
    pub(super) own_clauses: FxHashMap<FlowNode, FlowClause>,
    /// The callables whose exits these nodes are.
    pub(super) exits: FxHashMap<FlowNode, usize>,
    /// The same for exceptions.
    pub(super) exceptional_exits: FxHashMap<FlowNode, usize>,
}

impl FlowGraph {
    pub(super) fn edges(&self, node: FlowNode) -> &FlowEdges {
        let edges = self.edges.get(node as usize);
        edges.expect("a node is made with its edges")
    }

    pub(super) fn callable(&self, number: usize) -> &FlowCallable {
        let callable = self.callables.get(number);
        callable.expect("a callable is made with its number")
    }

    /// Where a way of a decision begins.
    pub(super) fn way(&self, (module, site, way): FlowClause) -> Option<FlowNode> {
        if let Some(clause) = self.clauses.get(&(module, site, way)) {
            return Some(*clause);
        }
        let nodes = self.statements.get(&(module, site))?;
        Some(match way {
            0 if nodes.returns_or_raises => nodes.after,
            1 if nodes.returns_or_raises => nodes.raised,
            _ => nodes.before,
        })
    }
}
