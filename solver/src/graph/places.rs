//! Parts of values: heads, tails, elements and so on.

use super::arena::Graph;
use super::ids::NodeId;
use super::node::{Node, Place};
use crate::kinds::Kinds;

impl Graph {
    /// The part in a place of a value that has such a place.
    pub fn at(&mut self, place: Place, of: NodeId) -> NodeId {
        match place {
            Place::Head => self.head(of),
            Place::Tail => self.tail(of),
            Place::Element(index) => self.element(index, of),
            Place::Text => self.text(of),
            Place::Value(_) if self.is_part(of) => self.part(place, of),
            Place::Value(key) => self.value_at(key, of),
            Place::Key(_) => match self.known_at(place, of) {
                Some(key) => key,
                None => self.part(place, of),
            },
            Place::Result(arguments) => self.result(arguments, of),
            Place::Default => self.default_result(of),
            Place::Bytes => self.bytes(of),
            Place::Unused => self.unused(of),
            Place::Byte(index) => self.byte(index, of),
        }
    }

    /// The part in a place of a value, if the value shows that it has such a place.
    pub(crate) fn known_at(&mut self, place: Place, of: NodeId) -> Option<NodeId> {
        match (place, self.node(of)) {
            (Place::Head, Node::Cons(head, _)) => Some(*head),
            (Place::Tail, Node::Cons(_, tail)) => Some(*tail),
            (Place::Element(index), Node::Tuple(elements)) => elements.get(index as usize).copied(),
            (Place::Text, Node::Atom(_) | Node::AtomOf(_)) => Some(self.text(of)),
            (Place::Key(index), Node::Map(pairs)) => {
                let pairs = self.in_order(pairs);
                pairs.get(index as usize).map(|pair| pair.0)
            }
            (Place::Value(key), Node::Map(pairs)) => {
                let mut pairs = pairs.iter();
                pairs.find(|pair| pair.0 == key).map(|pair| pair.1)
            }
            (Place::Result(arguments), Node::Table(table))
                if table.arity == self.count(arguments) =>
            {
                Some(self.result(arguments, of))
            }
            (Place::Default, Node::Table(table)) => Some(table.default),
            (Place::Bytes | Place::Unused, Node::Bits(_)) => Some(self.at(place, of)),
            (Place::Bytes | Place::Unused, Node::Other(kinds, _))
                if kinds.is_within(Kinds::BITS) =>
            {
                Some(self.at(place, of))
            }
            (Place::Byte(index), Node::Other(..)) => self.constant_byte(index, of),
            (
                Place::Head
                | Place::Tail
                | Place::Element(_)
                | Place::Text
                | Place::Value(_)
                | Place::Key(_)
                | Place::Result(_)
                | Place::Default
                | Place::Bytes
                | Place::Unused
                | Place::Byte(_),
                _,
            ) => None,
        }
    }

    /// The head of a value that is a list cell.
    pub fn head(&mut self, of: NodeId) -> NodeId {
        self.distribute(of, |graph, leaf| {
            if let Node::Cons(head, _) = *graph.node(leaf) {
                head
            } else {
                graph.part(Place::Head, leaf)
            }
        })
    }

    /// The tail of a value that is a list cell.
    pub fn tail(&mut self, of: NodeId) -> NodeId {
        self.distribute(of, |graph, leaf| {
            if let Node::Cons(_, tail) = *graph.node(leaf) {
                tail
            } else {
                graph.part(Place::Tail, leaf)
            }
        })
    }

    /// An element of a value that is a tuple with more elements than `index`.
    pub fn element(&mut self, index: u32, of: NodeId) -> NodeId {
        self.distribute(of, |graph, leaf| {
            if let Node::Tuple(elements) = graph.node(leaf) {
                let element = elements.get(index as usize).copied();
                element.unwrap_or(NodeId::NIL)
            } else {
                graph.part(Place::Element(index), leaf)
            }
        })
    }

    /// A part of something that is a part of the input itself, or that nothing is known about.
    /// Other values are asked for a part only in branches that are never taken.
    pub(super) fn part(&mut self, place: Place, of: NodeId) -> NodeId {
        if self.is_part(of) {
            self.intern(Node::Part(place, of))
        } else if self.is_unknown(of) {
            self.unknown()
        } else {
            NodeId::NIL
        }
    }
}
