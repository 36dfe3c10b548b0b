//! The values of nodes and conditions for an input.

use flattener::ast::deep;

use super::{Condition, Formula, Graph, Kinds, Node, NodeId};

impl Graph {
    /// The value of a node if the arguments are these constants; `None` if it has none, or none
    /// that can be told.
    pub fn evaluate(&mut self, node: NodeId, arguments: &[NodeId]) -> Option<NodeId> {
        let value = |graph: &mut Self, of: NodeId| deep(|| graph.evaluate(of, arguments));
        match self.node(node).clone() {
            Node::Input(number) => arguments.get(number as usize).copied(),
            Node::Head(of) => match *value(self, of).map(|it| self.node(it))? {
                Node::Cons(head, _) => Some(head),
                _ => None,
            },
            Node::Tail(of) => match *value(self, of).map(|it| self.node(it))? {
                Node::Cons(_, tail) => Some(tail),
                _ => None,
            },
            Node::Element(index, of) => match value(self, of).map(|it| self.node(it))? {
                Node::Tuple(elements) => elements.get(index as usize).copied(),
                _ => None,
            },
            Node::Cons(head, tail) => {
                let (head, tail) = (value(self, head)?, value(self, tail)?);
                Some(self.cons(head, tail))
            }
            Node::Tuple(elements) => {
                let elements = elements.iter().map(|it| value(self, *it));
                let elements: Vec<NodeId> = elements.collect::<Option<_>>()?;
                Some(self.tuple(elements))
            }
            Node::Arithmetic(operator, left, right) => {
                let (left, right) = (value(self, left)?, value(self, right)?);
                let computed = self.arithmetic(operator, left, right);
                self.if_number(computed)
            }
            Node::Length(of) => {
                let of = value(self, of)?;
                let length = self.length(of);
                self.if_number(length)
            }
            Node::TupleSize(of) => {
                let of = value(self, of)?;
                let size = self.tuple_size(of);
                self.if_number(size)
            }
            Node::Truth(condition) => {
                let holds = deep(|| self.holds(condition, arguments))?;
                Some(self.atom(if holds { "true" } else { "false" }))
            }
            Node::Choice(condition, yes, no) => {
                let holds = deep(|| self.holds(condition, arguments))?;
                value(self, if holds { yes } else { no })
            }
            Node::Closure(_) | Node::Unknown(_) => None,
            Node::Integer(_) | Node::Float(_) | Node::Atom(_) | Node::Nil | Node::Other(..) => {
                Some(node)
            }
        }
    }

    /// How deep a constant is: 0 if it is neither a list cell nor a tuple.
    pub fn depth(&self, constant: NodeId) -> u32 {
        let inner = match self.node(constant) {
            Node::Cons(head, tail) => vec![*head, *tail],
            Node::Tuple(elements) => elements.to_vec(),
            _ => return 0,
        };
        let inner = inner.into_iter().map(|it| deep(|| self.depth(it)));
        1 + inner.max().unwrap_or(0)
    }

    fn if_number(&self, node: NodeId) -> Option<NodeId> {
        matches!(self.node(node), Node::Integer(_) | Node::Float(_)).then_some(node)
    }

    /// Whether a condition holds if the arguments are these constants; `None` if it is about
    /// something that has no value then, or none that can be told.
    pub fn holds(&mut self, condition: Condition, arguments: &[NodeId]) -> Option<bool> {
        let value = |graph: &mut Self, of: NodeId| deep(|| graph.evaluate(of, arguments));
        let holds = match self.formula(condition).clone() {
            Formula::True => true,
            Formula::All(parts) => {
                let mut all = true;
                for part in &parts {
                    if !deep(|| self.holds(*part, arguments))? {
                        all = false;
                        break;
                    }
                }
                all
            }
            Formula::Kind(kinds, node) => {
                let value = value(self, node)?;
                self.kinds(value).is_within(kinds)
            }
            Formula::Arity(arity, node) => match value(self, node).map(|it| self.node(it))? {
                Node::Tuple(elements) => elements.len() == arity as usize,
                _ => false,
            },
            Formula::ProperList(node) => {
                let value = value(self, node)?;
                self.ends_in_nil(value)
            }
            // Equal constants are one node.
            Formula::Equal(left, right) => value(self, left)? == value(self, right)?,
            Formula::Same(left, right) => {
                let (left, right) = (value(self, left)?, value(self, right)?);
                left == right || self.compare(left, right)?.is_eq()
            }
            Formula::Less(left, right) => {
                let (left, right) = (value(self, left)?, value(self, right)?);
                self.compare(left, right)?.is_lt()
            }
            Formula::TooLarge(operator, left, right) => {
                let (left, right) = (value(self, left)?, value(self, right)?);
                self.too_large(operator, left, right) == Condition::TRUE
            }
        };
        Some(holds != condition.is_negated())
    }

    fn ends_in_nil(&self, list: NodeId) -> bool {
        let mut rest = list;
        while let Node::Cons(_, tail) = *self.node(rest) {
            rest = tail;
        }
        self.kinds(rest) == Kinds::NIL
    }
}
