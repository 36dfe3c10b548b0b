//! What is known about each node and formula as soon as it is made.

use super::bit_pieces::Bits;
use super::formula::Formula;
use super::ids::{Condition, NodeId};
use super::node::{Node, Place};
use super::operator::Operator;
use crate::kinds::Kinds;

/// What is known about a node or formula without looking at it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facts {
    pub(super) kinds: Kinds,
    /// Whether it contains a part of the input.
    pub(super) is_symbolic: bool,
    /// Whether it contains something unknown.
    pub(super) is_unknown: bool,
    /// Whether it is the text of an atom of the input, or the end of one.
    pub(super) is_text: bool,
}

impl Facts {
    const GROUND: Self = Self {
        kinds: Kinds::ANY,
        is_symbolic: false,
        is_unknown: false,
        is_text: false,
    };

    fn with_kinds(self, kinds: Kinds) -> Self {
        Self {
            kinds,
            is_text: false,
            ..self
        }
    }

    fn and(self, other: Self) -> Self {
        Self {
            kinds: self.kinds,
            is_symbolic: self.is_symbolic || other.is_symbolic,
            is_unknown: self.is_unknown || other.is_unknown,
            is_text: false,
        }
    }
}

/// The facts of all nodes and formulas of a graph, in the order in which they were made.
#[derive(Debug, Default)]
pub(super) struct KnownFacts {
    nodes: Vec<Facts>,
    formulas: Vec<Facts>,
}

impl KnownFacts {
    pub(super) fn node(&self, id: NodeId) -> Facts {
        let facts = self.nodes.get(id.index());
        *facts.expect("a node id is made with its facts")
    }

    pub(super) fn condition(&self, condition: Condition) -> Facts {
        let facts = self.formulas.get(condition.index());
        *facts.expect("a condition is made with its facts")
    }

    /// Adds the next node.
    pub(super) fn add_node(&mut self, node: &Node) {
        let facts = self.of_node(node);
        self.nodes.push(facts);
    }

    /// Adds the next formula.
    pub(super) fn add_formula(&mut self, formula: &Formula) {
        let facts = self.of_formula(formula);
        self.formulas.push(facts);
    }

    fn of_formula(&self, formula: &Formula) -> Facts {
        match formula {
            Formula::True => Facts::GROUND,
            Formula::All(conditions) => conditions
                .iter()
                .map(|condition| self.condition(*condition))
                .fold(Facts::GROUND, Facts::and),
            Formula::Kind(_, node)
            | Formula::Arity(_, node)
            | Formula::FunArity(_, node)
            | Formula::ProperList(node)
            | Formula::Member(_, node)
            | Formula::Fields(_, node)
            | Formula::Utf8(_, node) => self.node(*node),
            Formula::HasKey(left, right)
            | Formula::Equal(left, right)
            | Formula::Same(left, right)
            | Formula::Less(left, right)
            | Formula::Before(left, right)
            | Formula::TooLarge(_, left, right) => self.node(*left).and(self.node(*right)),
        }
    }

    fn of_node(&self, node: &Node) -> Facts {
        let ground = Facts::GROUND;
        match *node {
            // The most frequent nodes.
            Node::Integer(_) => ground.with_kinds(Kinds::INTEGER),
            Node::Tuple(ref elements) => self.all(elements).with_kinds(Kinds::TUPLE),
            Node::Cons(head, tail) => self.all(&[head, tail]).with_kinds(Kinds::CONS),
            Node::Input(_) => Facts {
                is_symbolic: true,
                ..ground
            },
            Node::Unknown(_) => Facts {
                is_unknown: true,
                ..ground
            },
            Node::Part(place, of) => self.of_part(place, of),
            Node::Truth(condition) => self.condition(condition).with_kinds(Kinds::ATOM),
            Node::Choice(condition, yes, no) => {
                let (yes, no) = (self.node(yes), self.node(no));
                let both = yes.and(no).and(self.condition(condition));
                both.with_kinds(yes.kinds | no.kinds)
            }
            Node::Length(_) | Node::TupleSize(_) | Node::MapSize(_) | Node::Rounded(..) => {
                self.computed(node, Kinds::INTEGER)
            }
            Node::Arithmetic(operator, left, right) => {
                let sides = [left, right].map(|side| self.node(side).kinds);
                self.all(&[left, right])
                    .with_kinds(kinds_of_result(operator, sides))
            }
            Node::Float(_) | Node::FloatOf(..) => self.computed(node, Kinds::FLOAT),
            Node::Atom(_) | Node::AtomOf(_) => self.computed(node, Kinds::ATOM),
            Node::Nil => ground.with_kinds(Kinds::NIL),
            Node::Other(kinds, _) => ground.with_kinds(kinds),
            Node::Map(_) | Node::Put(..) | Node::Without(..) => self.computed(node, Kinds::MAP),
            Node::Closure(_) | Node::Table(_) => self.computed(node, Kinds::FUN),
            Node::Bits(ref bits) => self.computed(node, kinds_of_bits(bits)),
        }
    }

    fn all(&self, nodes: &[NodeId]) -> Facts {
        let facts = nodes.iter().map(|it| self.node(*it));
        facts.fold(Facts::GROUND, Facts::and)
    }

    fn computed(&self, node: &Node, kinds: Kinds) -> Facts {
        self.all(&node.operands()).with_kinds(kinds)
    }

    fn of_part(&self, place: Place, of: NodeId) -> Facts {
        let whole = self.node(of);
        let facts = match place.node() {
            Some(node) => whole.and(self.node(node)),
            None => whole,
        };
        let (kinds, is_text) = match place {
            Place::Text => (Kinds::LIST, true),
            Place::Tail if whole.is_text => (Kinds::LIST, true),
            Place::Head if whole.is_text => (Kinds::INTEGER, false),
            Place::Bytes | Place::Unused | Place::Byte(_) => (Kinds::INTEGER, false),
            Place::Head
            | Place::Tail
            | Place::Element(_)
            | Place::Value(_)
            | Place::Key(_)
            | Place::Result(_)
            | Place::Default => (Kinds::ANY, false),
        };
        Facts {
            kinds,
            is_text,
            ..facts
        }
    }
}

fn kinds_of_result(operator: Operator, [left, right]: [Kinds; 2]) -> Kinds {
    if operator == Operator::Quotient {
        Kinds::FLOAT
    } else if operator.is_integral() || (left | right).is_within(Kinds::INTEGER) {
        Kinds::INTEGER
    } else if left == Kinds::FLOAT || right == Kinds::FLOAT {
        Kinds::FLOAT
    } else {
        Kinds::NUMBER
    }
}

fn kinds_of_bits(bits: &Bits) -> Kinds {
    match bits.rest {
        None if bits.width().is_multiple_of(8) => Kinds::BINARY,
        None => Kinds::PARTIAL_BINARY,
        Some(_) => Kinds::BITS,
    }
}
