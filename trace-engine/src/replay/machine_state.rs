//! The states that a machine was in, as far as a search has to tell them apart.

use std::hash::{Hash, Hasher};

use erlang_term::Term;
use rustc_hash::FxHasher;
use solver::graph::{Graph, Node, NodeId};

/// How much of a state is looked at.
const MOST_PARTS: usize = 256;

/// A state of a machine after it has handled an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MachineState {
    /// How many decisions were made before.
    decisions: usize,
    /// How many were made when a callback was called again, if one was.
    next_call: Option<usize>,
    /// What its label says, without values inside of it, as a number.
    pub(crate) label: u64,
    /// What is in it without depending on the input, as a number: counters, flags, the shape of
    /// lists. Sequences that differ here lead to different places in the same state.
    pub(crate) fixed_data: u64,
}

impl MachineState {
    pub(super) fn new(graph: &Graph, decisions: usize, label: &Term, state: NodeId) -> Self {
        Self {
            decisions,
            next_call: None,
            label: label_number(label),
            fixed_data: fixed_data(graph, state),
        }
    }

    /// A callback is called in this state after so many decisions.
    pub(super) fn note_call(&mut self, decisions: usize) {
        self.next_call.get_or_insert(decisions);
    }

    /// Whether a decision is made before the machine gets its next event.
    pub(crate) fn is_before_event(&self, decision: usize) -> bool {
        self.next_call.is_none_or(|it| decision < it)
    }

    /// The last of some states before a decision.
    pub(crate) fn before(states: &[Self], decision: usize) -> Option<Self> {
        let before = states.partition_point(|it| it.decisions <= decision);
        states.get(before.checked_sub(1)?).copied()
    }
}

fn label_number(label: &Term) -> u64 {
    let tag = label.as_tuple().and_then(<[Term]>::first).unwrap_or(label);
    let mut hasher = FxHasher::default();
    tag.as_atom().hash(&mut hasher);
    hasher.finish()
}

fn fixed_data(graph: &Graph, state: NodeId) -> u64 {
    let mut hasher = FxHasher::default();
    let mut open = vec![state];
    for _ in 0..MOST_PARTS {
        let Some(node) = open.pop() else {
            break;
        };
        let node = graph.node(node);
        std::mem::discriminant(node).hash(&mut hasher);
        match node {
            Node::Integer(integer) => integer.hash(&mut hasher),
            Node::Atom(atom) => atom.hash(&mut hasher),
            Node::Cons(head, tail) => open.extend([*tail, *head]),
            Node::Tuple(elements) => {
                elements.len().hash(&mut hasher);
                open.extend(elements.iter().rev());
            }
            Node::Map(pairs) => {
                pairs.len().hash(&mut hasher);
                open.extend(pairs.iter().rev().flat_map(|(key, value)| [*value, *key]));
            }
            // Their values are other ones in each run, or in each input.
            Node::Input(_)
            | Node::Part(..)
            | Node::Float(_)
            | Node::Nil
            | Node::Other(..)
            | Node::Put(..)
            | Node::Without(..)
            | Node::Arithmetic(..)
            | Node::Rounded(..)
            | Node::Length(_)
            | Node::TupleSize(_)
            | Node::MapSize(_)
            | Node::AtomOf(_)
            | Node::Bits(_)
            | Node::FloatOf(..)
            | Node::Truth(_)
            | Node::Choice(..)
            | Node::Closure(_)
            | Node::Table(_)
            | Node::Unknown(_) => {}
        }
    }
    hasher.finish()
}
