//! Nodes for values that are made of other values.

use super::arena::Graph;
use super::ids::{Condition, NodeId};
use super::node::{Closure, Elements, Node};
use super::operator::Operator;

impl Graph {
    /// An argument of the entry function.
    pub fn input(&mut self, number: usize) -> NodeId {
        let number = u32::try_from(number).expect("a function has at most 255 arguments");
        self.intern(Node::Input(number))
    }

    /// `[Head|Tail]`.
    pub fn cons(&mut self, head: NodeId, tail: NodeId) -> NodeId {
        self.intern(Node::Cons(head, tail))
    }

    /// A tuple.
    pub fn tuple(&mut self, elements: impl IntoIterator<Item = NodeId>) -> NodeId {
        self.tuple_of(elements.into_iter().collect())
    }

    /// A tuple of elements that need not be collected.
    pub fn tuple_of(&mut self, elements: Elements) -> NodeId {
        self.intern(Node::Tuple(elements))
    }

    /// A fun that the program made.
    pub fn closure(&mut self, closure: Closure) -> NodeId {
        self.intern(Node::Closure(Box::new(closure)))
    }

    /// The boolean that is `true` if a condition holds.
    pub fn truth(&mut self, condition: Condition) -> NodeId {
        match condition {
            Condition::TRUE => NodeId::TRUE,
            Condition::FALSE => NodeId::FALSE,
            _ => self.intern(Node::Truth(condition)),
        }
    }

    /// One value if a condition holds, another if it does not.
    pub fn choice(&mut self, condition: Condition, yes: NodeId, no: NodeId) -> NodeId {
        match condition {
            Condition::TRUE => yes,
            Condition::FALSE => no,
            _ if yes == no => yes,
            _ => self.intern(Node::Choice(condition, yes, no)),
        }
    }

    /// The length of a value that is a proper list.
    pub fn length(&mut self, of: NodeId) -> NodeId {
        let mut known = 0;
        let mut rest = of;
        while let Node::Cons(_, tail) = self.node(rest) {
            known += 1;
            rest = *tail;
        }
        let known = self.integer(known);
        if *self.node(rest) == Node::Nil {
            return known;
        }
        let unknown = self.intern(Node::Length(rest));
        self.arithmetic(Operator::Add, unknown, known)
    }

    /// The number of elements of a value that is a tuple.
    pub fn tuple_size(&mut self, of: NodeId) -> NodeId {
        if let Node::Tuple(elements) = self.node(of) {
            let size = i64::try_from(elements.len()).expect("a tuple has fewer than 2^24 elements");
            return self.integer(size);
        }
        self.intern(Node::TupleSize(of))
    }
}
