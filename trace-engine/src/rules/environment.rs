//! The values of variables.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use erlang_term::{Integer, Term};
use flattener::flat::VarId;
use rustc_hash::FxHasher;

use solver::graph::{Graph, NodeId};

/// The values of the variables of all running functions of a process, by their numbers. Those of
/// the function that was entered last are visible. They are all in one place: a run enters a
/// function with every few events.
#[derive(Debug, Default)]
pub(crate) struct Environment {
    values: Vec<Option<NodeId>>,
    /// Where the variables of the running function begin.
    start: usize,
    /// The same for its callers.
    callers: Vec<usize>,
    /// The constants of the program text that were used, by their addresses there.
    literals: HashMap<*const Term, NodeId, BuildHasherDefault<FxHasher>>,
}

impl Environment {
    /// Enters a function with this number of variables.
    pub(crate) fn enter(&mut self, count: usize) {
        self.callers.push(self.start);
        self.start = self.values.len();
        self.values.resize(self.start + count, None);
    }

    /// Enters a function that sees the variables of the running one.
    pub(crate) fn enter_within(&mut self) {
        let around = self.start..self.values.len();
        self.callers.push(self.start);
        self.start = around.end;
        self.values.extend_from_within(around);
    }

    /// Leaves functions until this number is running.
    pub(crate) fn leave(&mut self, running: usize) {
        while self.callers.len() > running
            && let Some(start) = self.callers.pop()
        {
            self.values.truncate(self.start);
            self.start = start;
        }
    }

    /// The value of a variable of a running function, counted from the first one, if it is bound.
    pub(crate) fn value_in(&self, level: usize, variable: VarId) -> Option<NodeId> {
        let start = self.callers.get(level + 1).copied().unwrap_or(self.start);
        self.values.get(start + variable.index()).copied().flatten()
    }

    /// Changes the values of all variables of all running functions.
    pub(crate) fn change_all(&mut self, mut change: impl FnMut(NodeId) -> NodeId) {
        for value in self.values.iter_mut().flatten() {
            *value = change(*value);
        }
    }

    /// Binds a variable of a running function, counted from the first one.
    pub(crate) fn bind_in(&mut self, level: usize, variable: VarId, value: NodeId) {
        let start = self.callers.get(level + 1).copied().unwrap_or(self.start);
        if let Some(slot) = self.values.get_mut(start + variable.index()) {
            *slot = Some(value);
        }
    }

    pub(crate) fn bind(&mut self, variable: VarId, value: NodeId) {
        if let Some(slot) = self.values.get_mut(self.start + variable.index()) {
            *slot = Some(value);
        }
    }

    pub(crate) fn bind_all(&mut self, variables: &[VarId], values: &[NodeId]) {
        for (variable, value) in variables.iter().zip(values) {
            self.bind(*variable, *value);
        }
    }

    /// A constant of the program text.
    pub(crate) fn literal(&mut self, graph: &mut Graph, term: &Term) -> NodeId {
        if let Term::Integer(Integer::Small(value)) = term {
            return graph.integer(*value);
        }
        let known = self.literals.entry(std::ptr::from_ref(term));
        *known.or_insert_with(|| graph.constant(term))
    }

    /// The value of a variable; unknown if the log did not tell how it was bound.
    pub(crate) fn get(&self, graph: &mut Graph, variable: VarId) -> NodeId {
        let bound = self.values.get(self.start + variable.index());
        bound.copied().flatten().unwrap_or_else(|| graph.unknown())
    }
}
