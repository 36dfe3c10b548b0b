//! What the decisions of a path say about the parts of the input, in simplest form.
//!
//! That a part is of some kind, a tuple of some size, or a constant is a fact. What is not a fact
//! stays as a condition, without what follows from facts. Each new fact makes the conditions on its
//! part simpler.

use smallvec::SmallVec;
use solver::graph::{Condition, Formula, Graph, Kinds, Node, NodeId, Place};
use solver::types::Signature;

use super::binary_sizes::{SaidOfSize, said_of_size};
use super::known_parts::KnownParts;
use super::node_tables::{NodeLists, NodeTable, NumberMarks};
use super::part_types::PartTypes;
use super::parts::{PartSearch, UsedPart};
use super::relevance_marks::RelevanceMarks;

/// What is left of a condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum OpenCondition {
    /// It holds.
    Holds(Condition),
    /// Not all of these hold.
    NotAll(SmallVec<[Condition; 4]>),
}

/// A condition of the path, with the parts of the input in it.
#[derive(Clone, Debug)]
pub(super) struct PathCondition {
    pub(super) condition: OpenCondition,
    pub(super) parts: Box<[UsedPart]>,
}

/// What a path says.
#[derive(Debug)]
pub(super) struct PathFacts<'search> {
    pub(super) known: KnownParts,
    pub(super) types: PartTypes<'search>,
    /// Those that were made simpler are gone.
    conditions: Vec<Option<PathCondition>>,
    /// The conditions on a part, by their numbers.
    by_part: NodeLists<u32>,
    /// Whether something is said about a value that nothing is known about, or about too much.
    is_unclear: bool,
    /// How much work this was.
    work: usize,
    search: PartSearch,
    /// Conditions that are not about sizes of binaries, whatever is known.
    not_sizes: NumberMarks,
    /// What is left of a condition while it is added, and the parts in it: to be used again.
    pending: Vec<OpenCondition>,
    found: Vec<UsedPart>,
    /// What finding the part of this that counts needs, to be used again.
    pub(super) marks: RelevanceMarks,
    /// The numbers that roots had last.
    pub(super) root_numbers: NodeTable<u32>,
}

impl<'search> PathFacts<'search> {
    /// Nothing is said yet, but arguments may have types.
    pub(super) fn new(signature: Option<&'search Signature>) -> Self {
        Self {
            known: KnownParts::default(),
            types: PartTypes::new(signature),
            conditions: Vec::new(),
            by_part: NodeLists::default(),
            is_unclear: false,
            work: 0,
            search: PartSearch::default(),
            not_sizes: NumberMarks::default(),
            pending: Vec::new(),
            found: Vec::new(),
            marks: RelevanceMarks::default(),
            root_numbers: NodeTable::default(),
        }
    }

    /// Whether a condition is about a value that nothing is known about, or about too much.
    pub(super) fn is_unclear(&self) -> bool {
        self.is_unclear
    }

    /// How much work it was since this was asked last.
    pub(super) fn take_work(&mut self) -> usize {
        std::mem::take(&mut self.work)
    }

    /// The numbers of the conditions on a part. Some may be gone.
    pub(super) fn conditions_on(&self, part: NodeId) -> &[u32] {
        self.by_part.get(part)
    }

    /// The condition with this number, unless it is gone.
    pub(super) fn condition(&self, number: u32) -> Option<&PathCondition> {
        self.conditions.get(number as usize)?.as_ref()
    }

    /// The kinds that a value can have.
    pub(super) fn kinds(&mut self, graph: &Graph, node: NodeId) -> Kinds {
        let own = graph.kinds(node);
        if !graph.is_part(node) {
            return own;
        }
        own & self.known.kinds(node) & self.types.kinds(graph, &self.known, node)
    }

    /// Adds a condition of the path.
    pub(super) fn add(&mut self, graph: &Graph, condition: Condition) {
        let mut pending = std::mem::take(&mut self.pending);
        pending.push(OpenCondition::Holds(condition));
        while let Some(next) = pending.pop() {
            self.work += 1;
            self.take_in(graph, next, &mut pending);
        }
        self.pending = pending;
    }

    fn take_in(&mut self, graph: &Graph, open: OpenCondition, pending: &mut Vec<OpenCondition>) {
        match open {
            OpenCondition::NotAll(parts) => self.add_disjunction(graph, &parts, pending),
            OpenCondition::Holds(condition) => {
                self.add_condition(graph, condition, pending);
            }
        }
    }

    fn add_condition(
        &mut self,
        graph: &Graph,
        condition: Condition,
        pending: &mut Vec<OpenCondition>,
    ) {
        if let Some((binary, said)) = self.said_of_size(graph, condition) {
            return self.add_size(graph, condition, (binary, said), pending);
        }
        let holds = !condition.is_negated();
        match graph.formula(condition) {
            Formula::True => {}
            Formula::All(parts) if holds => {
                let parts = parts.iter().rev();
                pending.extend(parts.map(|it| OpenCondition::Holds(*it)));
            }
            Formula::All(parts) => self.add_disjunction(graph, parts, pending),
            Formula::Kind(kinds, part) if graph.is_part(*part) => {
                let kinds = if holds { *kinds } else { !*kinds };
                self.tell_kinds(graph, *part, kinds, pending);
            }
            Formula::Arity(size, part) if holds && graph.is_part(*part) => {
                self.tell_kinds(graph, *part, Kinds::TUPLE, pending);
                if self.known.tell_size(graph, *part, *size) {
                    self.look_again(graph, *part, pending);
                }
            }
            Formula::Equal(left, right) if holds => {
                let mut is_fact = false;
                for (part, value) in [(*left, *right), (*right, *left)] {
                    if graph.is_part(part) && graph.is_ground(value) {
                        self.tell_kinds(graph, part, graph.kinds(value), pending);
                        if has_no_parts(graph, value) {
                            is_fact = true;
                            if self.known.tell_constant(graph, part, value) {
                                self.look_again(graph, part, pending);
                            }
                        }
                    }
                }
                if !is_fact {
                    self.keep(graph, OpenCondition::Holds(condition));
                }
            }
            Formula::Kind(..)
            | Formula::Arity(..)
            | Formula::FunArity(..)
            | Formula::ProperList(_)
            | Formula::Member(..)
            | Formula::HasKey(..)
            | Formula::Fields(..)
            | Formula::Utf8(..)
            | Formula::Equal(..)
            | Formula::Same(..)
            | Formula::Less(..)
            | Formula::Before(..)
            | Formula::TooLarge(..) => {
                if self.status(graph, condition) != Some(true) {
                    self.keep(graph, OpenCondition::Holds(condition));
                }
            }
        }
    }

    /// A condition on the size of a binary.
    fn add_size(
        &mut self,
        graph: &Graph,
        condition: Condition,
        (binary, said): (NodeId, SaidOfSize),
        pending: &mut Vec<OpenCondition>,
    ) {
        let narrowed = said.narrowed(self.known.bytes(binary));
        if self.known.tell_bytes(graph, binary, narrowed) {
            self.look_again(graph, binary, pending);
        }
        if said.status(narrowed) != Some(true) {
            self.keep(graph, OpenCondition::Holds(condition));
        }
    }

    /// What a condition says about the size of a part that is a binary.
    fn said_of_size(
        &mut self,
        graph: &Graph,
        condition: Condition,
    ) -> Option<(NodeId, SaidOfSize)> {
        if self.not_sizes.contains(condition.index()) {
            return None;
        }
        let is_binary = &mut |part| self.kinds(graph, part) == Kinds::BINARY;
        let found = said_of_size(graph, condition, is_binary);
        if found.is_none() && said_of_size(graph, condition, &mut |_| true).is_none() {
            self.not_sizes.insert(condition.index());
        }
        found
    }

    /// Not all of these hold.
    fn add_disjunction(
        &mut self,
        graph: &Graph,
        parts: &[Condition],
        pending: &mut Vec<OpenCondition>,
    ) {
        let mut open = SmallVec::<[Condition; 4]>::new();
        for part in parts {
            match self.status(graph, *part) {
                Some(false) => return,
                Some(true) => {}
                None => open.push(*part),
            }
        }
        match open.as_slice() {
            [only] => pending.push(OpenCondition::Holds(!*only)),
            _ => self.keep(graph, OpenCondition::NotAll(open)),
        }
    }

    fn tell_kinds(
        &mut self,
        graph: &Graph,
        part: NodeId,
        kinds: Kinds,
        pending: &mut Vec<OpenCondition>,
    ) {
        if self.known.tell_kinds(graph, part, kinds) {
            self.look_again(graph, part, pending);
        }
    }

    /// Conditions on a part may be simpler now. Those that are not stay where they are.
    fn look_again(&mut self, graph: &Graph, part: NodeId, pending: &mut Vec<OpenCondition>) {
        let mut numbers = self.by_part.take(part);
        numbers.retain(|number| self.is_left(graph, *number, pending));
        if !numbers.is_empty() {
            self.by_part.put_back(part, numbers);
        }
    }

    /// Whether the condition with this number is as simple as it can be. If not, it is pending, unless
    /// it was gone.
    fn is_left(&mut self, graph: &Graph, number: u32, pending: &mut Vec<OpenCondition>) -> bool {
        let slot = self.conditions.get_mut(number as usize);
        let Some(known) = slot.and_then(Option::take) else {
            return false;
        };
        let is_left = self.is_simplest(graph, &known.condition);
        if !is_left {
            pending.push(known.condition);
        } else if let Some(slot) = self.conditions.get_mut(number as usize) {
            *slot = Some(known);
        }
        is_left
    }

    /// Whether a condition that is kept would be kept as it is.
    fn is_simplest(&mut self, graph: &Graph, open: &OpenCondition) -> bool {
        match open {
            OpenCondition::NotAll(parts) => {
                let mut parts = parts.iter();
                parts.all(|it| self.status(graph, *it).is_none())
            }
            // What follows from it may be more than before.
            OpenCondition::Holds(condition) if self.said_of_size(graph, *condition).is_some() => {
                false
            }
            OpenCondition::Holds(condition) => {
                let is_equality = matches!(graph.formula(*condition), Formula::Equal(..));
                (is_equality && !condition.is_negated()) || self.status(graph, *condition).is_none()
            }
        }
    }

    /// Keeps a condition that is not a fact.
    fn keep(&mut self, graph: &Graph, condition: OpenCondition) {
        let mut parts = std::mem::take(&mut self.found);
        parts.clear();
        let inner: &[Condition] = match &condition {
            OpenCondition::Holds(condition) => std::slice::from_ref(condition),
            OpenCondition::NotAll(parts) => parts,
        };
        for condition in inner {
            self.search.clear();
            let seen = self.search.add_condition(graph, *condition, &mut parts);
            self.work += seen.unwrap_or_default();
            self.is_unclear |= graph.is_unknown_condition(*condition) || seen.is_none();
        }
        parts.sort_unstable();
        parts.dedup();
        let is_known = parts.first().is_some_and(|used| {
            let mut others = self.conditions_on(used.part).iter();
            others.any(|it| {
                self.condition(*it)
                    .is_some_and(|it| it.condition == condition)
            })
        });
        if !is_known {
            self.keep_about(graph, condition, &parts);
        }
        self.found = parts;
    }

    /// Keeps a condition on these parts.
    fn keep_about(&mut self, graph: &Graph, condition: OpenCondition, parts: &[UsedPart]) {
        let number = u32::try_from(self.conditions.len()).expect("fewer than 2^32 conditions");
        for UsedPart { part, .. } in parts {
            self.by_part.push(*part, number);
            self.known.note_inside(graph, *part);
            // What is known of a bit string makes conditions on its size simpler.
            if let Node::Part(Place::Bytes | Place::Unused, of) = graph.node(*part) {
                self.by_part.push(*of, number);
            }
        }
        self.conditions.push(Some(PathCondition {
            condition,
            parts: parts.into(),
        }));
    }

    // ---- What follows from facts

    /// Whether a condition holds or not, if facts tell.
    fn status(&mut self, graph: &Graph, condition: Condition) -> Option<bool> {
        if let Some((binary, said)) = self.said_of_size(graph, condition) {
            return said.status(self.known.bytes(binary));
        }
        let holds = match graph.formula(condition) {
            Formula::True => Some(true),
            Formula::Kind(kinds, node) => {
                let known = self.kinds(graph, *node);
                if known.is_within(*kinds) {
                    Some(true)
                } else if known.intersects(*kinds) {
                    None
                } else {
                    Some(false)
                }
            }
            Formula::Arity(size, node) => {
                if !self.kinds(graph, *node).intersects(Kinds::TUPLE) {
                    Some(false)
                } else {
                    self.known.size(*node).map(|known| known == *size)
                }
            }
            Formula::Equal(left, right) => self.are_equal(graph, *left, *right),
            Formula::All(parts) => {
                let mut all = Some(true);
                for part in parts.iter() {
                    match self.status(graph, *part) {
                        Some(true) => {}
                        Some(false) => {
                            all = Some(false);
                            break;
                        }
                        None => all = None,
                    }
                }
                all
            }
            Formula::FunArity(..)
            | Formula::ProperList(_)
            | Formula::Member(..)
            | Formula::HasKey(..)
            | Formula::Fields(..)
            | Formula::Utf8(..)
            | Formula::Same(..)
            | Formula::Less(..)
            | Formula::Before(..)
            | Formula::TooLarge(..) => None,
        };
        holds.map(|it| it != condition.is_negated())
    }

    fn are_equal(&mut self, graph: &Graph, left: NodeId, right: NodeId) -> Option<bool> {
        let kinds = [left, right].map(|it| self.kinds(graph, it));
        if !kinds[0].intersects(kinds[1]) {
            return Some(false);
        }
        let value = |node: NodeId| {
            if graph.is_ground(node) {
                Some(node)
            } else {
                self.known.constant(node)
            }
        };
        let (left, right) = (value(left)?, value(right)?);
        if left == right {
            return Some(true);
        }
        (has_no_parts(graph, left) && has_no_parts(graph, right)).then_some(false)
    }
}

/// Whether a constant has no parts, and is equal to no other.
fn has_no_parts(graph: &Graph, constant: NodeId) -> bool {
    matches!(
        graph.node(constant),
        Node::Integer(_) | Node::Atom(_) | Node::Nil | Node::Float(_)
    )
}
