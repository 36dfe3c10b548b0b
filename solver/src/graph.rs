//! Symbolic values: a hash-consed graph, in which equal values are one node.
//!
//! An input is a tree, and a part of it that the program has looked at is a node named by the way
//! that leads there: the head of the tail of the first argument. So matching a pattern needs no
//! new variables, and a negated match needs no quantifier: "there is no `H` with `X = [H|_]` and
//! `H > 3`" is "`X` is no list cell, or its head is not greater than 3".

mod arithmetic;
mod bit_numbers;
mod bits;
mod bits_compared;
mod choices;
mod condition;
mod constant;
mod evaluation;
mod facts;
mod floats;
mod funs;
mod interner;
mod kinds;
mod maps;
mod membership;
mod operator;
mod order;
mod overflow;
mod rounding;
mod text;
mod wording;

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::num::NonZeroU32;
use std::sync::Arc;

use erlang_term::{Atom, Integer};
use flattener::flat::Callable;
use flattener::flat::VarId;
use indexmap::IndexSet;
use rustc_hash::FxHasher;
use smallvec::SmallVec;

use crate::types::{TypeId, Types};

pub use bits::{Bits, Piece, Rest};
pub use bits::{MOST_BYTES, MOST_INPUT_BYTES};
pub use condition::{Condition, Formula};
pub use evaluation::Input;
use facts::Facts;
pub use funs::MOST_PARAMETERS;
pub use funs::Table;
use interner::Interner;
pub use kinds::Kinds;
pub use maps::Pair;
pub use operator::Operator;
pub use overflow::{SHORT_SHIFT, may_be_too_large};
pub use rounding::Rounding;
pub use text::LONGEST_ATOM;

type Index<K, V> = HashMap<K, V, BuildHasherDefault<FxHasher>>;
/// In the order in which they came.
pub type Set<T> = IndexSet<T, BuildHasherDefault<FxHasher>>;

/// A node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(NonZeroU32);

impl NodeId {
    /// `[]`. This and the next two are the first nodes of every graph.
    pub const NIL: Self = Self(NonZeroU32::MIN);
    /// `true`.
    pub const TRUE: Self = Self(NonZeroU32::MIN.saturating_add(1));
    /// `false`.
    pub const FALSE: Self = Self(NonZeroU32::MIN.saturating_add(2));

    fn of_index(index: usize) -> Self {
        let number = u32::try_from(index + 1).ok().and_then(NonZeroU32::new);
        Self(number.expect("fewer than 2^32 nodes"))
    }

    fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// The elements of a tuple. Most have few, which need no memory of their own.
pub type Elements = SmallVec<[NodeId; 4]>;

/// What a node stands for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// An argument of the entry function, counted from 0.
    Input(u32),
    /// What is in a place of something that is a part of the input itself.
    Part(Place, NodeId),
    /// An integer.
    Integer(Integer),
    /// A float, by its bits; zero has no sign.
    Float(u64),
    /// An atom.
    Atom(Atom),
    /// `[]`.
    Nil,
    /// Any other constant, in external term format.
    Other(Kinds, Box<[u8]>),
    /// `[Head|Tail]`.
    Cons(NodeId, NodeId),
    /// A tuple.
    Tuple(Elements),
    /// A map with these keys, which are constants, and values.
    Map(Box<[Pair]>),
    /// A map with one more pair, or another value for a key.
    Put(NodeId, NodeId, NodeId),
    /// A map without a key.
    Without(NodeId, NodeId),
    /// A number computed from two numbers.
    Arithmetic(Operator, NodeId, NodeId),
    /// The integer near a number.
    Rounded(Rounding, NodeId),
    /// The length of a proper list.
    Length(NodeId),
    /// The number of a tuple's elements.
    TupleSize(NodeId),
    /// The number of a map's keys.
    MapSize(NodeId),
    /// The atom with this text.
    AtomOf(NodeId),
    /// A bit string that was put together.
    Bits(Box<Bits>),
    /// The float that is written with these bits, so many.
    FloatOf(NodeId, u32),
    /// `true` or `false`.
    Truth(Condition),
    /// One value if a condition holds, another if it does not.
    Choice(Condition, NodeId, NodeId),
    /// A fun.
    Closure(Box<Closure>),
    /// A fun that came with an input, as a constant.
    Table(Box<Table>),
    /// A value that nothing is known about.
    Unknown(u32),
}

/// Where in a value a part of it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// The head of a list.
    Head,
    /// The tail of a list.
    Tail,
    /// An element of a tuple, counted from 0.
    Element(u32),
    /// The text of an atom.
    Text,
    /// The value of a key of a map.
    Value(NodeId),
    /// A key of a map, counted from 0 in the order of keys.
    Key(u32),
    /// What a fun returns for a tuple of arguments.
    Result(NodeId),
    /// What a fun returns for arguments that cannot be in a table.
    Default,
    /// The number of bytes of a bit string, the last one perhaps not whole.
    Bytes,
    /// The number of bits in the last byte of a bit string that are not its own.
    Unused,
    /// A byte of a bit string, counted from 0; one that is not whole is filled up with zeros.
    Byte(u32),
}

/// A fun: where it was made, and the values it took along.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Closure {
    /// The module.
    pub module: usize,
    /// What it calls.
    pub callable: Callable,
    /// Its arity.
    pub arity: usize,
    /// The variables of its surroundings, in the order of their numbers.
    pub captured: Box<[(VarId, NodeId)]>,
}

/// All symbolic values of a run, and the conditions on them.
#[derive(Debug)]
pub struct Graph {
    nodes: Interner,
    facts: Vec<Facts>,
    /// For each computed number the condition on which it is an integer.
    integral: Index<NodeId, Condition>,
    formulas: Set<Formula>,
    formula_facts: Vec<Facts>,
    unknowns: u32,
    /// How many pieces of bit strings were looked at.
    pieces_seen: usize,
    /// The keys that were asked for in maps of the input, in order, while a run is replayed.
    asked_keys: Option<Index<NodeId, Vec<NodeId>>>,
    /// All keys of the maps of the input that were gone through.
    all_keys: Index<NodeId, Vec<NodeId>>,
    /// The types that conditions speak of.
    types: Arc<Types>,
    /// Whether constants are of types.
    members: Index<(TypeId, NodeId), bool>,
}

impl Default for Graph {
    fn default() -> Self {
        let mut graph = Self {
            nodes: Interner::default(),
            facts: Vec::new(),
            integral: Index::default(),
            formulas: Set::default(),
            formula_facts: Vec::new(),
            unknowns: 0,
            pieces_seen: 0,
            asked_keys: Some(Index::default()),
            all_keys: Index::default(),
            types: Arc::default(),
            members: Index::default(),
        };
        graph.intern_formula(Formula::True);
        for node in [
            Node::Nil,
            Node::Atom(Atom::new("true")),
            Node::Atom(Atom::new("false")),
        ] {
            graph.intern(node);
        }
        graph
    }
}

impl Graph {
    /// What a node stands for.
    pub fn node(&self, id: NodeId) -> &Node {
        let node = self.nodes.get(id.index());
        node.expect("a node id is made with its node")
    }

    fn facts(&self, id: NodeId) -> Facts {
        let facts = self.facts.get(id.index());
        *facts.expect("a node id is made with its facts")
    }

    /// The kinds that a node's value can have, as far as the node itself tells.
    pub fn kinds(&self, id: NodeId) -> Kinds {
        self.facts(id).kinds
    }

    /// Whether a node depends on the input.
    pub fn is_symbolic(&self, id: NodeId) -> bool {
        self.facts(id).is_symbolic
    }

    /// Whether a node depends on a value that nothing is known about.
    pub fn is_unknown(&self, id: NodeId) -> bool {
        self.facts(id).is_unknown
    }

    /// Whether a node is a constant.
    pub fn is_ground(&self, id: NodeId) -> bool {
        let facts = self.facts(id);
        !facts.is_symbolic && !facts.is_unknown
    }

    /// Whether a node is a choice between two others.
    fn is_choice(&self, id: NodeId) -> bool {
        matches!(self.node(id), Node::Choice(..))
    }

    /// Whether a node is a part of the input.
    pub fn is_part(&self, id: NodeId) -> bool {
        matches!(self.node(id), Node::Input(_) | Node::Part(..))
    }

    fn intern(&mut self, node: Node) -> NodeId {
        let (index, is_new) = self.nodes.intern(node);
        let id = NodeId::of_index(index);
        if is_new {
            let facts = self.facts_of(id);
            self.facts.push(facts);
        }
        id
    }

    // ---- Making nodes

    /// An argument of the entry function.
    pub fn input(&mut self, number: usize) -> NodeId {
        let number = u32::try_from(number).expect("a function has at most 255 arguments");
        self.intern(Node::Input(number))
    }

    /// A value that nothing is known about.
    pub fn unknown(&mut self) -> NodeId {
        self.unknowns += 1;
        self.intern(Node::Unknown(self.unknowns))
    }

    /// `[Head|Tail]`.
    pub fn cons(&mut self, head: NodeId, tail: NodeId) -> NodeId {
        self.intern(Node::Cons(head, tail))
    }

    /// A tuple.
    pub fn tuple(&mut self, elements: impl IntoIterator<Item = NodeId>) -> NodeId {
        self.tuple_of(elements.into_iter().collect())
    }

    /// The same, of elements that are as they are kept.
    pub fn tuple_of(&mut self, elements: Elements) -> NodeId {
        self.intern(Node::Tuple(elements))
    }

    /// A fun.
    pub fn closure(&mut self, closure: Closure) -> NodeId {
        self.intern(Node::Closure(Box::new(closure)))
    }

    /// What is in a place of a value that has such a place.
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

    /// What is in a place of a value, if it can be seen that there is such a place.
    pub fn known_at(&mut self, place: Place, of: NodeId) -> Option<NodeId> {
        match (place, self.node(of)) {
            (Place::Head, Node::Cons(head, _)) => Some(*head),
            (Place::Tail, Node::Cons(_, tail)) => Some(*tail),
            (Place::Element(index), Node::Tuple(elements)) => elements.get(index as usize).copied(),
            (Place::Text, Node::Atom(_) | Node::AtomOf(_)) => Some(self.text(of)),
            (Place::Key(index), Node::Map(pairs)) => pairs.get(index as usize).map(|pair| pair.0),
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
            _ => None,
        }
    }

    /// The head of a value that is a list cell.
    pub fn head(&mut self, of: NodeId) -> NodeId {
        match self.node(of) {
            Node::Cons(head, _) => *head,
            Node::Choice(..) => self.distribute(of, Self::head),
            _ => self.part(Place::Head, of),
        }
    }

    /// The tail of a value that is a list cell.
    pub fn tail(&mut self, of: NodeId) -> NodeId {
        match self.node(of) {
            Node::Cons(_, tail) => *tail,
            Node::Choice(..) => self.distribute(of, Self::tail),
            _ => self.part(Place::Tail, of),
        }
    }

    /// An element of a value that is a tuple with more elements than `index`.
    pub fn element(&mut self, index: u32, of: NodeId) -> NodeId {
        match self.node(of) {
            Node::Tuple(elements) => match elements.get(index as usize) {
                Some(element) => *element,
                None => NodeId::NIL,
            },
            Node::Choice(..) => self.distribute(of, |graph, leaf| graph.element(index, leaf)),
            _ => self.part(Place::Element(index), of),
        }
    }

    /// A part of something that is a part of the input itself, or is not known at all. What can
    /// have no such part is asked for it only in branches that are never taken.
    fn part(&mut self, place: Place, of: NodeId) -> NodeId {
        if self.is_part(of) {
            self.intern(Node::Part(place, of))
        } else if self.is_unknown(of) {
            self.unknown()
        } else {
            NodeId::NIL
        }
    }

    /// The boolean that tells whether a condition holds.
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
