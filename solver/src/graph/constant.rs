//! Constants as nodes, and nodes as constants.

use erlang_term::{Atom, Integer, TableFun, Term, decode, encode};
use flattener::ast::deep;

use super::{Graph, Kinds, Node, NodeId};

impl Graph {
    /// An atom.
    pub fn atom(&mut self, text: &str) -> NodeId {
        self.intern(Node::Atom(Atom::new(text)))
    }

    /// A small integer.
    pub fn integer(&mut self, value: i64) -> NodeId {
        match self.nodes.integer(value) {
            Some(known) => NodeId::of_index(known),
            None => self.intern(Node::Integer(value.into())),
        }
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
        // Positive and negative zero are equal.
        self.intern(Node::Float((value + 0.0).to_bits()))
    }

    /// A constant.
    pub fn constant(&mut self, term: &Term) -> NodeId {
        match term {
            Term::Integer(value) => self.big_integer(value.clone()),
            Term::Float(value) => self.float(*value),
            Term::Atom(atom) => self.intern(Node::Atom(atom.clone())),
            Term::List(elements, tail) => {
                let mut list = match tail {
                    Some(tail) => deep(|| self.constant(tail)),
                    None => NodeId::NIL,
                };
                for element in elements.iter().rev() {
                    let head = deep(|| self.constant(element));
                    list = self.cons(head, list);
                }
                list
            }
            Term::Tuple(elements) => {
                let elements = elements.iter();
                let elements: Vec<NodeId> = elements
                    .map(|element| deep(|| self.constant(element)))
                    .collect();
                self.tuple(elements)
            }
            Term::Map(pairs) => self.constant_map(pairs),
            Term::Bits(_, 8) => self.other(Kinds::BINARY, term),
            Term::Bits(..) => self.other(Kinds::PARTIAL_BINARY, term),
            Term::ExternalFun(_) => self.other(Kinds::FUN, term),
            Term::TableFun(fun) => {
                let entries = fun.entries().iter().map(|(arguments, result)| {
                    let arguments = arguments.iter();
                    let arguments: Vec<NodeId> =
                        arguments.map(|it| deep(|| self.constant(it))).collect();
                    let result = deep(|| self.constant(result));
                    (self.tuple(arguments), result)
                });
                let entries: Vec<(NodeId, NodeId)> = entries.collect();
                let default = deep(|| self.constant(fun.default()));
                self.table(u32::from(fun.arity()), entries, default)
            }
        }
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

    /// The value of a node that is a constant, and not a fun made by the program.
    pub fn to_term(&self, id: NodeId) -> Option<Term> {
        if !self.is_ground(id) {
            return None;
        }
        match self.node(id) {
            Node::Integer(value) => Some(Term::Integer(value.clone())),
            Node::Float(bits) => Some(Term::Float(f64::from_bits(*bits))),
            Node::Atom(atom) => Some(Term::Atom(atom.clone())),
            Node::Nil => Some(Term::list([])),
            Node::Other(_, bytes) => decode(bytes).ok(),
            Node::Cons(..) => {
                let mut elements = Vec::new();
                let mut rest = id;
                while let Node::Cons(head, tail) = self.node(rest) {
                    elements.push(deep(|| self.to_term(*head))?);
                    rest = *tail;
                }
                let tail = deep(|| self.to_term(rest))?;
                Some(Term::list_before(elements, tail))
            }
            Node::Tuple(elements) => {
                let elements = elements.iter();
                let elements = elements.map(|element| deep(|| self.to_term(*element)));
                Some(Term::Tuple(elements.collect::<Option<_>>()?))
            }
            Node::Map(pairs) => {
                let term = |it: &NodeId| deep(|| self.to_term(*it));
                let pairs = pairs.iter();
                let pairs = pairs.map(|(key, value)| Some((term(key)?, term(value)?)));
                Some(Term::Map(pairs.collect::<Option<_>>()?))
            }
            Node::Table(table) => {
                let entries = table.entries.iter().map(|(arguments, result)| {
                    let arguments = match deep(|| self.to_term(*arguments))? {
                        Term::Tuple(arguments) => arguments,
                        _ => return None,
                    };
                    Some((arguments, deep(|| self.to_term(*result))?))
                });
                let entries = entries.collect::<Option<_>>()?;
                let default = deep(|| self.to_term(table.default))?;
                let fun = TableFun::new(u8::try_from(table.arity).ok()?, entries, default);
                Some(Term::TableFun(Box::new(fun)))
            }
            Node::Input(_)
            | Node::Part(..)
            | Node::Put(..)
            | Node::Without(..)
            | Node::MapSize(_)
            | Node::Arithmetic(..)
            | Node::Rounded(..)
            | Node::Length(_)
            | Node::TupleSize(_)
            | Node::AtomOf(_)
            | Node::Bits(_)
            | Node::FloatOf(..)
            | Node::Truth(_)
            | Node::Choice(..)
            | Node::Closure(_)
            | Node::Unknown(_) => None,
        }
    }
}
