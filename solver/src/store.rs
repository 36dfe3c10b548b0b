//! What is known about the parts of the input, with a trail to take it back.

mod part;

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use flattener::ast::deep;
use rustc_hash::FxHasher;

use crate::conflict::{Conflict, Step};
use crate::graph::{
    Condition, Graph, Kinds, LONGEST_ATOM, MOST_INPUT_BYTES, Node, NodeId, Place,
    depth_of_constant, range_of_part,
};
use crate::integers::{Constraint, Linear, Relation};
use part::Part;

/// A change, with what is needed to take it back.
#[derive(Debug)]
enum Change {
    Part(NodeId, Option<Part>),
    Bound(NodeId),
}

/// A point to go back to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    trail: usize,
    kept: usize,
    unfolded: usize,
    constraints: usize,
    /// Whether everything before it is known for good.
    is_first: bool,
}

/// A map from nodes.
pub(crate) type NodeMap<V> = HashMap<NodeId, V, BuildHasherDefault<FxHasher>>;

/// All that is known.
#[derive(Debug)]
pub(crate) struct Store {
    depth: u32,
    parts: NodeMap<Part>,
    bound: NodeMap<NodeId>,
    /// Conditions that could not be decided yet.
    pub(crate) kept: Vec<Condition>,
    /// The numbers of kept conditions about types that have been written out since.
    pub(crate) unfolded: Vec<usize>,
    /// Constraints between integers.
    pub(crate) constraints: Vec<Constraint>,
    trail: Vec<Change>,
    /// Whether changes will be taken back.
    is_tentative: bool,
    /// Numbers as sums of parts. Sums that were found during a question hold only until something
    /// is taken back.
    sums: NodeMap<Linear>,
    tentative_sums: NodeMap<Linear>,
}

impl Store {
    pub(crate) fn new(depth: u32) -> Self {
        Self {
            depth,
            parts: NodeMap::default(),
            bound: NodeMap::default(),
            kept: Vec::new(),
            unfolded: Vec::new(),
            constraints: Vec::new(),
            trail: Vec::new(),
            is_tentative: false,
            sums: NodeMap::default(),
            tentative_sums: NodeMap::default(),
        }
    }

    /// Marks a point to go back to.
    pub(crate) fn mark(&mut self) -> Mark {
        let was_tentative = std::mem::replace(&mut self.is_tentative, true);
        Mark {
            trail: self.trail.len(),
            kept: self.kept.len(),
            unfolded: self.unfolded.len(),
            constraints: self.constraints.len(),
            is_first: !was_tentative,
        }
    }

    pub(crate) fn undo(&mut self, mark: Mark) {
        self.tentative_sums.clear();
        for change in self.trail.drain(mark.trail..).rev() {
            match change {
                Change::Part(id, Some(part)) => {
                    self.parts.insert(id, part);
                }
                Change::Part(id, None) => {
                    self.parts.remove(&id);
                }
                Change::Bound(id) => {
                    self.bound.remove(&id);
                }
            }
        }
        self.kept.truncate(mark.kept);
        self.unfolded.truncate(mark.unfolded);
        self.constraints.truncate(mark.constraints);
        self.is_tentative = !mark.is_first;
    }

    fn note(&mut self, change: Change) {
        if self.is_tentative {
            self.trail.push(change);
        }
    }

    /// The value that stands for a node now: an unbound part, or something that is not a part. When
    /// a part is bound, its known parts are bound too, so a known part stands for itself.
    pub(crate) fn resolve(&mut self, graph: &mut Graph, node: NodeId) -> NodeId {
        let mut at = node;
        loop {
            if let Some(bound) = self.bound.get(&at) {
                at = *bound;
                continue;
            }
            if self.parts.contains_key(&at) {
                return at;
            }
            if !graph.is_part(at) {
                return at;
            }
            let here = if let Node::Part(place, of) = *graph.node(at) {
                let of = deep(|| self.resolve(graph, of));
                graph.at(place, of)
            } else {
                at
            };
            if here == at {
                self.add(graph, at);
                return at;
            }
            at = here;
        }
    }

    /// What is known about a part that stands for itself.
    pub(crate) fn part(&self, id: NodeId) -> &Part {
        self.parts.get(&id).expect("it was resolved")
    }

    fn add(&mut self, graph: &mut Graph, id: NodeId) {
        let whole = if let Node::Part(_, of) = *graph.node(id) {
            Some(of)
        } else {
            None
        };
        let depth = match whole {
            Some(of) => {
                self.change(of, |whole| whole.parts.push(id));
                if matches!(graph.node(id), Node::Part(Place::Text, _)) {
                    LONGEST_TEXT
                } else {
                    self.part(of).depth.saturating_sub(1)
                }
            }
            None => self.depth,
        };
        let mut kinds = graph.kinds(id);
        if let Some(of) = whole
            && is_result(graph.node(id))
        {
            for returned in self.part(of).results.clone() {
                kinds = kinds & graph.types().kinds(returned);
                let is_member = graph.member(returned, id);
                self.kept
                    .extend((!is_member.is_constant()).then_some(is_member));
            }
        }
        if kinds == Kinds::INTEGER && !is_result(graph.node(id)) {
            // Of the other parts only characters, bytes and sizes are known to be integers.
            self.constraints.extend(
                range_of_part(graph, id)
                    .map(|range| between(id, range))
                    .into_iter()
                    .flatten(),
            );
        }
        let part = Part::new(kinds & kinds_of_depth(depth), depth);
        self.parts.insert(id, part);
        self.note(Change::Part(id, None));
        if let (Node::Part(Place::Unused, _), Some(of)) = (graph.node(id), whole) {
            self.limit_unused(id, self.part(of).kinds);
        }
    }

    /// Limits the unused bits at the end of a bit string, according to its kinds.
    fn limit_unused(&mut self, unused: NodeId, kinds: Kinds) {
        let kinds = kinds & Kinds::BITS;
        if kinds == Kinds::BINARY {
            self.constraints.extend(between(unused, (0, 0)));
        } else if kinds == Kinds::PARTIAL_BINARY {
            self.constraints.extend(between(unused, (1, 7)));
        }
    }

    /// A number as a sum, if it is known and none of its parts was bound since.
    pub(crate) fn known_sum(&self, node: NodeId) -> Option<&Linear> {
        let sums = [&self.tentative_sums, &self.sums].into_iter();
        let known = sums.filter_map(|sums| sums.get(&node)).next()?;
        let mut terms = known.terms.iter();
        terms
            .all(|term| !self.bound.contains_key(&term.0))
            .then_some(known)
    }

    /// Changes what is known about a part.
    pub(crate) fn change(&mut self, id: NodeId, change: impl FnOnce(&mut Part)) {
        if self.is_tentative {
            let before = self.part(id).clone();
            self.trail.push(Change::Part(id, Some(before)));
        }
        if let Some(part) = self.parts.get_mut(&id) {
            change(part);
        }
    }

    /// Binds a part that is not bound.
    pub(crate) fn bind(&mut self, part: NodeId, value: NodeId) {
        self.bound.insert(part, value);
        self.note(Change::Bound(part));
    }

    /// Remembers a number as a sum.
    pub(crate) fn keep_sum(&mut self, node: NodeId, sum: Linear) {
        let sums = if self.is_tentative {
            &mut self.tentative_sums
        } else {
            &mut self.sums
        };
        sums.insert(node, sum);
    }

    /// Leaves a part only these kinds.
    pub(crate) fn narrow(&mut self, graph: &mut Graph, id: NodeId, kinds: Kinds) -> Step {
        let known = self.part(id).kinds;
        let left = known & kinds;
        if left.is_empty() {
            return Err(Conflict);
        }
        if left == known {
            return Ok(());
        }
        self.change(id, |part| part.kinds = left);
        if known & Kinds::BITS != left & Kinds::BITS {
            let parts = self.part(id).parts.clone();
            for part in parts {
                if let Node::Part(Place::Unused, _) = graph.node(part) {
                    self.limit_unused(part, left);
                } else if let Node::Part(Place::Bytes, _) = graph.node(part)
                    && left == Kinds::PARTIAL_BINARY
                {
                    let bounds = between(part, (1, MOST_INPUT_BYTES.into()));
                    self.constraints.extend(bounds);
                }
            }
        }
        if left == Kinds::NIL {
            if self.part(id).not.contains(&NodeId::NIL) {
                return Err(Conflict);
            }
            self.bind(id, NodeId::NIL);
        }
        Ok(())
    }

    /// Limits the depth of a value.
    pub(crate) fn limit_depth(&mut self, graph: &mut Graph, node: NodeId, depth: u32) -> Step {
        let node = self.resolve(graph, node);
        let inner = match graph.node(node) {
            Node::Cons(head, tail) => vec![*head, *tail],
            Node::Tuple(elements) => elements.to_vec(),
            Node::Input(_) | Node::Part(..) => {
                if self.part(node).depth <= depth {
                    return Ok(());
                }
                self.change(node, |part| part.depth = depth);
                self.narrow(graph, node, kinds_of_depth(depth))?;
                let mut parts = self.part(node).parts.clone();
                // The text of an atom does not make it deep.
                parts.retain(|it| !matches!(graph.node(*it), Node::Part(Place::Text, _)));
                parts
            }
            Node::Map(_) | Node::Put(..) => graph.node(node).operands(),
            // A key that was removed does not make it deep.
            Node::Without(map, _) => {
                let map = *map;
                return deep(|| self.limit_depth(graph, map, depth));
            }
            Node::Table(_) if depth_of_constant(graph, node) > depth => {
                return Err(Conflict);
            }
            Node::Integer(_)
            | Node::Float(_)
            | Node::Atom(_)
            | Node::Nil
            | Node::Other(..)
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
            | Node::Unknown(_) => return Ok(()),
        };
        if depth == 0 && !graph.is_part(node) {
            return Err(Conflict);
        }
        let depth = depth.saturating_sub(1);
        inner
            .into_iter()
            .try_for_each(|part| deep(|| self.limit_depth(graph, part, depth)))
    }
}

/// A text is a list, and as deep as it is long.
const LONGEST_TEXT: u32 = LONGEST_ATOM as u32;

/// An integer lies between two others.
fn between(part: NodeId, (low, high): (i64, i64)) -> [Constraint; 2] {
    let at_most = |coefficient, constant: i64| Constraint {
        linear: Linear {
            terms: vec![(part, coefficient)],
            constant: constant.into(),
        },
        relation: Relation::AtMost,
    };
    [at_most(-1, low), at_most(1, -high)]
}

fn kinds_of_depth(depth: u32) -> Kinds {
    if depth == 0 {
        !(Kinds::CONS | Kinds::TUPLE | Kinds::MAP | Kinds::FUN)
    } else {
        Kinds::ANY
    }
}

/// Whether a node is what a fun returns.
pub(crate) fn is_result(node: &Node) -> bool {
    matches!(node, Node::Part(Place::Result(_) | Place::Default, _))
}
