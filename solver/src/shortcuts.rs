//! What saves work: the three optimisations of CUTE (Sen and Agha, 4.1.5) and a cache. Each is
//! counted and can be turned off, so that it can be measured.

use std::collections::HashSet;
use std::hash::BuildHasherDefault;
use std::rc::Rc;

use flattener::ast::deep;
use rustc_hash::FxHasher;

use super::Solver;
use super::model::Guess;
use crate::graph::{Condition, Formula, Graph, Node, NodeId};

/// Which ones are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct Shortcuts {
    /// A condition whose negation was assumed is impossible.
    pub contradictions: bool,
    /// A condition that was assumed already is not assumed again.
    pub repetitions: bool,
    /// What was assumed holds where the parent's values are kept.
    pub parent_values: bool,
    /// A question about integers that was answered before is not asked again.
    pub cache: bool,
    /// The solver is asked first, and Z3 only what is open then.
    pub native: bool,
}

impl Default for Shortcuts {
    fn default() -> Self {
        Self {
            contradictions: true,
            repetitions: true,
            parent_values: true,
            cache: true,
            native: true,
        }
    }
}

/// How often each was of use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Savings {
    /// Questions that contradict what was assumed, word for word.
    pub contradictions: u64,
    /// Conditions that were assumed already.
    pub repetitions: u64,
    /// Conditions that hold because the parent's values were kept.
    pub parent_values: u64,
    /// Questions about integers that were answered before.
    pub cached: u64,
}

impl Savings {
    /// Adds those of another solver.
    pub fn add(&mut self, other: &Self) {
        self.contradictions += other.contradictions;
        self.repetitions += other.repetitions;
        self.parent_values += other.parent_values;
        self.cached += other.cached;
    }
}

/// The conditions that were assumed.
pub(super) type Assumed = HashSet<Condition, BuildHasherDefault<FxHasher>>;

impl Solver<'_> {
    /// Whether a condition says the contrary of what was assumed, or of another one, word for word.
    pub(super) fn contradicts(&mut self, conditions: &[Condition]) -> bool {
        if !self.limits.shortcuts.contradictions {
            return false;
        }
        let contradicts = conditions
            .iter()
            .any(|it| self.assumed.contains(&!*it) || conditions.contains(&!*it));
        self.savings.contradictions += u64::from(contradicts);
        contradicts
    }

    /// Whether a condition was assumed already.
    pub(super) fn repeats(&mut self, condition: Condition) -> bool {
        if !self.limits.shortcuts.repetitions {
            return false;
        }
        let repeats = self.assumed.contains(&condition);
        self.savings.repetitions += u64::from(repeats);
        repeats
    }

    /// The parts of the input that a condition is about.
    pub(super) fn parts_of(&mut self, condition: Condition) -> Rc<[NodeId]> {
        if let Some(parts) = self.parts_of.get(&condition) {
            return Rc::clone(parts);
        }
        let mut parts = Vec::new();
        condition_parts(self.graph, condition, &mut parts);
        parts.sort_unstable();
        parts.dedup();
        let parts: Rc<[NodeId]> = parts.into();
        self.parts_of.insert(condition, Rc::clone(&parts));
        parts
    }

    /// Whether a condition that was assumed must hold, because a guess has what the parent's input
    /// has in all places that it is about.
    pub(super) fn is_as_in_parent(&mut self, guess: &Guess, condition: Condition) -> bool {
        if !self.limits.shortcuts.parent_values || !self.parent_is_admitted {
            return false;
        }
        let parts = self.parts_of(condition);
        let is_as_in_parent = parts.iter().all(|part| {
            let wanted = self.wanted(*part);
            let resolved = self.resolve(*part);
            wanted.is_some() && guess.known(self.graph, resolved) == wanted
        });
        self.savings.parent_values += u64::from(is_as_in_parent);
        is_as_in_parent
    }
}

fn condition_parts(graph: &Graph, condition: Condition, parts: &mut Vec<NodeId>) {
    match graph.formula(condition) {
        Formula::True => {}
        Formula::All(conditions) => {
            for condition in &**conditions {
                deep(|| condition_parts(graph, *condition, parts));
            }
        }
        Formula::Kind(_, node)
        | Formula::Arity(_, node)
        | Formula::FunArity(_, node)
        | Formula::ProperList(node)
        | Formula::Member(_, node)
        | Formula::Fields(_, node) => node_parts(graph, *node, parts),
        Formula::HasKey(left, right)
        | Formula::Equal(left, right)
        | Formula::Same(left, right)
        | Formula::Less(left, right)
        | Formula::TooLarge(_, left, right) => {
            node_parts(graph, *left, parts);
            node_parts(graph, *right, parts);
        }
    }
}

fn node_parts(graph: &Graph, node: NodeId, parts: &mut Vec<NodeId>) {
    if !graph.is_symbolic(node) {
        return;
    }
    let inner: Vec<NodeId> = match graph.node(node) {
        Node::Truth(condition) => {
            deep(|| condition_parts(graph, *condition, parts));
            Vec::new()
        }
        Node::Choice(condition, yes, no) => {
            deep(|| condition_parts(graph, *condition, parts));
            vec![*yes, *no]
        }
        Node::Input(_) | Node::Part(..) => {
            parts.push(node);
            Vec::new()
        }
        _ => graph.operands(node),
    };
    for node in inner {
        deep(|| node_parts(graph, node, parts));
    }
}
