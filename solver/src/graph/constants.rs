//! Terms as nodes.

use erlang_term::{Atom, Integer, TableFun, Term, encode};
use flattener::ast::deep;

use super::arena::Graph;
use super::ids::NodeId;
use super::node::{Node, Pair};
use crate::kinds::Kinds;
use crate::release_rules::Zeros;

impl Graph {
    /// An atom.
    pub fn atom(&mut self, text: &str) -> NodeId {
        self.intern(Node::Atom(Atom::new(text)))
    }

    /// An integer of any size.
    pub fn big_integer(&mut self, value: Integer) -> NodeId {
        match value {
            Integer::Small(value) => self.integer(value),
            Integer::Big(_) => self.intern(Node::Integer(value)),
        }
    }

    /// A float.
    pub fn float(&mut self, value: f64) -> NodeId {
        let value = match self.rules.zeros {
            Zeros::Equal => value + 0.0,
            Zeros::Different => value,
        };
        self.intern(Node::Float(value.to_bits()))
    }

    /// A constant.
    pub fn constant(&mut self, term: &Term) -> NodeId {
        match term {
            Term::Integer(value) => self.big_integer(value.clone()),
            Term::Float(value) => self.float(*value),
            Term::Atom(atom) => self.intern(Node::Atom(atom.clone())),
            Term::List(elements, tail) => self.constant_list(elements, tail.as_deref()),
            Term::Tuple(elements) => {
                let elements = self.constants(elements);
                self.tuple(elements)
            }
            Term::Map(pairs) => {
                let pairs: Vec<Pair> = pairs
                    .iter()
                    .map(|(key, value)| {
                        let key = deep(|| self.constant(key));
                        (key, deep(|| self.constant(value)))
                    })
                    .collect();
                self.map(pairs)
            }
            Term::Bits(_, 8) => self.other(Kinds::BINARY, term),
            Term::Bits(..) => self.other(Kinds::PARTIAL_BINARY, term),
            Term::ExternalFun(_) => self.other(Kinds::FUN, term),
            Term::TableFun(fun) => self.constant_fun(fun),
        }
    }

    fn constants(&mut self, terms: &[Term]) -> Vec<NodeId> {
        let terms = terms.iter();
        terms.map(|term| deep(|| self.constant(term))).collect()
    }

    fn constant_list(&mut self, elements: &[Term], tail: Option<&Term>) -> NodeId {
        let tail = tail.map_or(NodeId::NIL, |tail| deep(|| self.constant(tail)));
        elements.iter().rev().fold(tail, |tail, element| {
            let head = deep(|| self.constant(element));
            self.cons(head, tail)
        })
    }

    fn constant_fun(&mut self, fun: &TableFun) -> NodeId {
        let entries = fun.entries().iter().map(|(arguments, result)| {
            let arguments = self.constants(arguments);
            let result = deep(|| self.constant(result));
            (self.tuple(arguments), result)
        });
        let entries: Vec<(NodeId, NodeId)> = entries.collect();
        let default = deep(|| self.constant(fun.default()));
        self.table(u32::from(fun.arity()), entries, default)
    }

    fn other(&mut self, kinds: Kinds, term: &Term) -> NodeId {
        self.intern(Node::Other(kinds, encode(term).into()))
    }

    /// A pid, port or reference in external term format; `None` if it is something else.
    pub fn foreign(&mut self, bytes: &[u8]) -> Option<NodeId> {
        let kinds = match bytes {
            [131, 88 | 103, ..] => Kinds::PID,
            [131, 89 | 102 | 120, ..] => Kinds::PORT,
            [131, 90 | 101 | 114, ..] => Kinds::REFERENCE,
            _ => return None,
        };
        Some(self.intern(Node::Other(kinds, bytes.into())))
    }
}
