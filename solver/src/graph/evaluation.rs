//! The values of nodes and conditions for an input.

use flattener::ast::deep;

use super::{Condition, Formula, Graph, Index, Kinds, Node, NodeId, Place};

/// An input, with the values that parts of it have.
#[derive(Debug, Default)]
pub struct Input {
    arguments: Vec<NodeId>,
    /// What was looked at, because it is looked at again and again.
    known: Index<NodeId, Option<NodeId>>,
}

impl Input {
    /// An input of these constants.
    pub fn new(arguments: &[NodeId]) -> Self {
        Self {
            arguments: arguments.to_vec(),
            known: Index::default(),
        }
    }

    /// The value of a node; `None` if it has none, or none that can be told.
    pub fn value(&mut self, graph: &mut Graph, node: NodeId) -> Option<NodeId> {
        if graph.is_ground(node) && !matches!(graph.node(node), Node::Closure(_)) {
            return Some(node);
        }
        if let Some(known) = self.known.get(&node) {
            return *known;
        }
        let value = deep(|| self.compute(graph, node));
        self.known.insert(node, value);
        value
    }

    fn compute(&mut self, graph: &mut Graph, node: NodeId) -> Option<NodeId> {
        match graph.node(node).clone() {
            Node::Input(number) => self.arguments.get(number as usize).copied(),
            Node::Part(place, of) => {
                let of = self.value(graph, of)?;
                let place = match place {
                    Place::Value(key) => Place::Value(self.value(graph, key)?),
                    Place::Result(arguments) => Place::Result(self.value(graph, arguments)?),
                    _ => place,
                };
                graph.known_at(place, of)
            }
            Node::Cons(head, tail) => {
                let (head, tail) = (self.value(graph, head)?, self.value(graph, tail)?);
                Some(graph.cons(head, tail))
            }
            Node::Tuple(_)
            | Node::Map(_)
            | Node::Put(..)
            | Node::Without(..)
            | Node::Arithmetic(..)
            | Node::Rounded(..)
            | Node::Length(_)
            | Node::TupleSize(_)
            | Node::MapSize(_)
            | Node::Bits(_)
            | Node::FloatOf(..)
            | Node::AtomOf(_) => {
                let operands = graph.operands(node);
                let values = operands.into_iter().map(|it| self.value(graph, it));
                let values: Vec<NodeId> = values.collect::<Option<_>>()?;
                graph.computed(node, &values)
            }
            Node::Truth(condition) => {
                let holds = deep(|| self.holds(graph, condition))?;
                Some(graph.atom(if holds { "true" } else { "false" }))
            }
            Node::Choice(condition, yes, no) => {
                let holds = deep(|| self.holds(graph, condition))?;
                self.value(graph, if holds { yes } else { no })
            }
            Node::Closure(_) | Node::Unknown(_) => None,
            Node::Integer(_)
            | Node::Float(_)
            | Node::Atom(_)
            | Node::Nil
            | Node::Table(_)
            | Node::Other(..) => Some(node),
        }
    }

    /// The first of these conditions that holds; `None` if that cannot be told.
    pub fn first_that_holds(
        &mut self,
        graph: &mut Graph,
        conditions: &[Condition],
    ) -> Option<usize> {
        for (number, condition) in conditions.iter().enumerate() {
            if self.holds(graph, *condition)? {
                return Some(number);
            }
        }
        None
    }

    /// Whether a condition holds; `None` if it is about something that has no value, or none that
    /// can be told.
    pub fn holds(&mut self, graph: &mut Graph, condition: Condition) -> Option<bool> {
        let holds = match graph.formula(condition).clone() {
            Formula::True => true,
            Formula::All(parts) => {
                let mut all = true;
                for part in &*parts {
                    if !deep(|| self.holds(graph, *part))? {
                        all = false;
                        break;
                    }
                }
                all
            }
            Formula::Kind(kinds, node) => {
                let value = self.value(graph, node)?;
                graph.kinds(value).is_within(kinds)
            }
            Formula::Arity(arity, node) => {
                match self.value(graph, node).map(|it| graph.node(it))? {
                    Node::Tuple(elements) => elements.len() == arity as usize,
                    _ => false,
                }
            }
            Formula::FunArity(arity, node) => {
                let value = self.value(graph, node)?;
                graph.fun_arity(arity, value) == Condition::TRUE
            }
            Formula::ProperList(node) => {
                let value = self.value(graph, node)?;
                graph.ends_in_nil(value)
            }
            Formula::Member(of, node) => {
                let value = self.value(graph, node)?;
                graph.member(of, value) == Condition::TRUE
            }
            Formula::Fields(fields, node) => {
                let value = self.value(graph, node)?;
                graph.has_fields(&fields, value) == Condition::TRUE
            }
            Formula::HasKey(key, map) => {
                let (key, map) = (self.value(graph, key)?, self.value(graph, map)?);
                graph.has_key(key, map) == Condition::TRUE
            }
            // Equal constants are one node.
            Formula::Equal(left, right) => self.value(graph, left)? == self.value(graph, right)?,
            Formula::Same(left, right) => {
                let (left, right) = (self.value(graph, left)?, self.value(graph, right)?);
                left == right || graph.compare(left, right)?.is_eq()
            }
            Formula::Less(left, right) => {
                let (left, right) = (self.value(graph, left)?, self.value(graph, right)?);
                graph.compare(left, right)?.is_lt()
            }
            Formula::TooLarge(operator, left, right) => {
                let (left, right) = (self.value(graph, left)?, self.value(graph, right)?);
                graph.too_large(operator, left, right) == Condition::TRUE
            }
        };
        Some(holds != condition.is_negated())
    }
}

impl Graph {
    /// The value of a node if the arguments are these constants; `None` if it has none, or none
    /// that can be told.
    pub fn evaluate(&mut self, node: NodeId, arguments: &[NodeId]) -> Option<NodeId> {
        Input::new(arguments).value(self, node)
    }

    /// Whether a condition holds if the arguments are these constants; `None` if it is about
    /// something that has no value then, or none that can be told.
    pub fn holds(&mut self, condition: Condition, arguments: &[NodeId]) -> Option<bool> {
        Input::new(arguments).holds(self, condition)
    }

    /// How deep a constant is: 0 if it is no list cell, tuple, map or table for a fun.
    pub fn depth(&self, constant: NodeId) -> u32 {
        let inner = match self.node(constant) {
            Node::Cons(head, tail) => vec![*head, *tail],
            Node::Tuple(elements) => elements.to_vec(),
            Node::Map(pairs) => {
                let inner = pairs.iter();
                inner.flat_map(|(key, value)| [*key, *value]).collect()
            }
            Node::Table(table) => {
                let results = table.entries.iter().map(|it| it.1);
                results.chain([table.default]).collect()
            }
            _ => return 0,
        };
        let inner = inner.into_iter().map(|it| deep(|| self.depth(it)));
        1 + inner.max().unwrap_or(0)
    }

    /// What a node is computed from or made of, if that is a fixed number of values.
    pub fn operands(&self, node: NodeId) -> Vec<NodeId> {
        match self.node(node) {
            Node::Cons(left, right) | Node::Arithmetic(_, left, right) => vec![*left, *right],
            Node::Tuple(elements) => elements.to_vec(),
            Node::Rounded(_, of)
            | Node::Length(of)
            | Node::TupleSize(of)
            | Node::MapSize(of)
            | Node::FloatOf(of, _)
            | Node::AtomOf(of) => vec![*of],
            Node::Map(pairs) => {
                let pairs = pairs.iter();
                pairs.flat_map(|(key, value)| [*key, *value]).collect()
            }
            Node::Put(map, key, value) => vec![*map, *key, *value],
            Node::Without(map, key) => vec![*map, *key],
            Node::Bits(bits) => {
                let rest = bits.rest.iter().map(|it| it.of);
                bits.pieces.iter().map(|it| it.value).chain(rest).collect()
            }
            Node::Closure(closure) => closure.captured.iter().map(|it| it.1).collect(),
            Node::Input(_)
            | Node::Part(..)
            | Node::Integer(_)
            | Node::Float(_)
            | Node::Atom(_)
            | Node::Nil
            | Node::Table(_)
            | Node::Other(..)
            | Node::Truth(_)
            | Node::Choice(..)
            | Node::Unknown(_) => Vec::new(),
        }
    }

    /// The constant that a node is if its operands are these constants; `None` if there is none.
    pub fn computed(&mut self, node: NodeId, values: &[NodeId]) -> Option<NodeId> {
        let computed = match (self.node(node), values) {
            (Node::Tuple(_), _) => self.tuple(values.iter().copied()),
            (Node::Cons(..), &[head, tail]) => self.cons(head, tail),
            (&Node::Arithmetic(operator, ..), &[left, right]) => {
                self.arithmetic(operator, left, right)
            }
            (&Node::Rounded(rounding, _), &[number]) => self.rounded(rounding, number),
            (Node::Length(_), &[of]) => self.length(of),
            (Node::TupleSize(_), &[of]) => self.tuple_size(of),
            (Node::MapSize(_), &[of]) => self.map_size(of),
            (Node::Map(_), _) => {
                let (pairs, _) = values.as_chunks::<2>();
                let pairs: Vec<(NodeId, NodeId)> =
                    pairs.iter().map(|[key, value]| (*key, *value)).collect();
                self.map(pairs)
            }
            (Node::Put(..), &[map, key, value]) => self.put(map, key, value),
            (Node::Without(..), &[map, key]) => self.without(map, key),
            (Node::AtomOf(_), &[text]) => self.atom_of(text),
            (&Node::FloatOf(_, width), &[of]) => self.float_of(of, width),
            (Node::Bits(bits), values) => {
                let bits = bits.clone();
                self.computed_bits(&bits, values)?
            }
            _ => return None,
        };
        self.is_value(computed).then_some(computed)
    }

    /// Whether a node that was computed from constants is one.
    fn is_value(&self, node: NodeId) -> bool {
        self.is_atomic(node)
            || matches!(
                self.node(node),
                Node::Cons(..) | Node::Tuple(_) | Node::Map(_)
            )
    }

    fn ends_in_nil(&self, list: NodeId) -> bool {
        let mut rest = list;
        while let Node::Cons(_, tail) = *self.node(rest) {
            rest = tail;
        }
        self.kinds(rest) == Kinds::NIL
    }
}
