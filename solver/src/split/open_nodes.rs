//! The open nodes that a condition is about.

use flattener::ast::deep;

use super::Split;
use crate::graph::{Condition, Formula, Node, NodeId, Set};

/// Open nodes, and all nodes that were walked through. Results share parts, so that a node may be
/// reached on more ways than anybody can count.
#[derive(Default)]
struct OpenNodes {
    found: Vec<NodeId>,
    seen: Set<NodeId>,
}

impl Split<'_, '_> {
    /// The open nodes that a condition is about, each once.
    pub(super) fn open_nodes(&mut self, condition: Condition) -> Vec<NodeId> {
        let mut open = OpenNodes::default();
        self.open_nodes_of(condition, &mut open);
        open.found
    }

    fn open_nodes_of(&mut self, condition: Condition, open: &mut OpenNodes) {
        match *self.known.graph.formula(condition) {
            Formula::Kind(_, node)
            | Formula::Arity(_, node)
            | Formula::FunArity(_, node)
            | Formula::Member(_, node)
            | Formula::HasKey(_, node)
            | Formula::Fields(_, node)
            | Formula::Utf8(_, node) => {
                self.open_node(node, open);
            }
            Formula::ProperList(node) => self.open_tail(node, open),
            Formula::Equal(left, right)
            | Formula::Same(left, right)
            | Formula::Less(left, right)
            | Formula::Before(left, right)
            | Formula::TooLarge(_, left, right) => {
                self.open_node(left, open);
                self.open_node(right, open);
            }
            Formula::True | Formula::All(_) => {}
        }
    }

    fn open_node(&mut self, node: NodeId, open: &mut OpenNodes) {
        let node = self.known.resolve(node);
        if !open.seen.insert(node) {
            return;
        }
        match *self.known.graph.node(node) {
            Node::Arithmetic(_, left, right) => {
                deep(|| self.open_node(left, open));
                deep(|| self.open_node(right, open));
            }
            Node::Rounded(_, number) => deep(|| self.open_node(number, open)),
            Node::Length(of) | Node::AtomOf(of) => self.open_tail(of, open),
            Node::Choice(condition, yes, no) => match self.known.status_of_choice(condition) {
                Some(holds) => deep(|| self.open_node(if holds { yes } else { no }, open)),
                None => open.found.push(node),
            },
            Node::Truth(_) | Node::TupleSize(_) => open.found.push(node),
            Node::Bits(_) | Node::FloatOf(..) => {
                for inner in self.known.graph.node(node).operands() {
                    deep(|| self.open_node(inner, open));
                }
            }
            Node::Input(_) | Node::Part(..) => open.found.push(node),
            Node::Integer(_)
            | Node::Float(_)
            | Node::Atom(_)
            | Node::Nil
            | Node::Other(..)
            | Node::Cons(..)
            | Node::Tuple(_)
            | Node::Map(_)
            | Node::Put(..)
            | Node::Without(..)
            | Node::MapSize(_)
            | Node::Closure(_)
            | Node::Table(_)
            | Node::Unknown(_) => {}
        }
    }

    /// The open end of a list.
    fn open_tail(&mut self, list: NodeId, open: &mut OpenNodes) {
        let (_, end) = self.known.known_cells(list);
        if self.known.graph.is_part(end) {
            open.found.push(end);
        }
    }
}
