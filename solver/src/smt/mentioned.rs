//! The constants that a question mentions. They are numbered before it is translated.

use std::collections::{BTreeSet, HashSet};

use flattener::ast::deep;

use super::term_sort::MOST_ELEMENTS;
use crate::graph::{Condition, Formula, Graph, Node, NodeId, Place};
use crate::patience::Patience;

/// The distance between the numbers of neighbouring atoms. It leaves room for atoms that the
/// question does not mention.
const GAP: i64 = 1000;

/// Larger questions are not translated.
const MOST_NODES: usize = 5_000;

/// What a question mentions.
#[derive(Debug, Default)]
pub(super) struct Mentioned {
    seen: HashSet<NodeId>,
    seen_conditions: HashSet<Condition>,
    /// How many elements of a tuple are named.
    pub(super) elements: u32,
    /// The atoms in their order.
    atoms: BTreeSet<String>,
    /// Constants without parts.
    pub(super) others: Vec<NodeId>,
}

impl Mentioned {
    /// Looks through conditions; `None` if something in them cannot be translated.
    pub(super) fn new(
        graph: &Graph,
        conditions: &[Condition],
        patience: &Patience<'_>,
    ) -> Option<Self> {
        let mut mentioned = Self::default();
        mentioned.atoms.extend(["true", "false"].map(str::to_owned));
        for condition in conditions {
            if patience.ends_now() {
                return None;
            }
            mentioned.condition(graph, *condition)?;
        }
        Some(mentioned)
    }

    /// The number of an atom that is mentioned.
    pub(super) fn atom_number(&self, text: &str) -> i64 {
        let numbered = self.numbered_atoms().find(|it| it.0 == text);
        numbered.map_or(0, |it| it.1)
    }

    /// The mentioned atoms with their numbers, both in order.
    pub(super) fn numbered_atoms(&self) -> impl Iterator<Item = (&str, i64)> {
        let atoms = self.atoms.iter().map(String::as_str);
        atoms.zip((1..).map(|place| place * GAP))
    }

    /// The number of a constant without parts.
    pub(super) fn other_number(&self, node: NodeId) -> i64 {
        let mut numbered = (0..).zip(&self.others);
        numbered.find(|it| *it.1 == node).map_or(0, |it| it.0)
    }

    fn condition(&mut self, graph: &Graph, condition: Condition) -> Option<()> {
        if !self.seen_conditions.insert(condition) {
            return Some(());
        }
        match graph.formula(condition) {
            Formula::True => Some(()),
            Formula::All(parts) => parts
                .iter()
                .try_for_each(|part| deep(|| self.condition(graph, *part))),
            Formula::Arity(_, node) | Formula::Kind(_, node) | Formula::ProperList(node) => {
                self.node(graph, *node)
            }
            Formula::FunArity(..) => None,
            // Left open.
            Formula::Member(..)
            | Formula::HasKey(..)
            | Formula::Fields(..)
            | Formula::Utf8(..)
            | Formula::Before(..) => Some(()),
            Formula::Equal(left, right)
            | Formula::Same(left, right)
            | Formula::Less(left, right)
            | Formula::TooLarge(_, left, right) => {
                self.node(graph, *left)?;
                self.node(graph, *right)
            }
        }
    }

    fn node(&mut self, graph: &Graph, node: NodeId) -> Option<()> {
        if !self.seen.insert(node) {
            return Some(());
        }
        let elements = if let Node::Part(Place::Element(index), _) = graph.node(node) {
            index.saturating_add(1)
        } else if let Node::Tuple(elements) = graph.node(node) {
            u32::try_from(elements.len()).ok()?
        } else {
            0
        };
        self.elements = self.elements.max(elements);
        if self.elements > MOST_ELEMENTS || self.seen.len() > MOST_NODES {
            return None;
        }
        let mut each = |nodes: &[NodeId]| {
            let mut nodes = nodes.iter();
            nodes.try_for_each(|node| deep(|| self.node(graph, *node)))
        };
        match graph.node(node) {
            Node::Input(_) | Node::Integer(_) | Node::Float(_) | Node::Nil => Some(()),
            Node::Tuple(elements) => each(elements),
            Node::Part(Place::Head | Place::Tail | Place::Element(_), of)
            | Node::Length(of)
            | Node::Rounded(_, of)
            | Node::TupleSize(of) => each(&[*of]),
            Node::Part(..) => None,
            // A map of constants is a constant.
            Node::Map(_) if graph.is_ground(node) => {
                self.others.push(node);
                Some(())
            }
            Node::Cons(left, right) | Node::Arithmetic(_, left, right) => each(&[*left, *right]),
            Node::Atom(atom) => {
                self.atoms.insert(atom.as_str().to_owned());
                Some(())
            }
            Node::Other(..) => {
                self.others.push(node);
                Some(())
            }
            Node::Truth(condition) => self.condition(graph, *condition),
            Node::Choice(condition, yes, no) => {
                each(&[*yes, *no])?;
                self.condition(graph, *condition)
            }
            Node::Map(_)
            | Node::Put(..)
            | Node::Without(..)
            | Node::MapSize(_)
            | Node::AtomOf(_)
            | Node::Bits(_)
            | Node::FloatOf(..)
            | Node::Closure(_)
            | Node::Table(_)
            | Node::Unknown(_) => None,
        }
    }
}
