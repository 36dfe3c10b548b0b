//! What is known about each node as soon as it is made.

use super::{Graph, Kinds, Node, NodeId, Operator, Place};

/// What is known about a node without looking at it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facts {
    pub(super) kinds: Kinds,
    /// Whether a part of the input is in it.
    pub(super) is_symbolic: bool,
    /// Whether something unknown is in it.
    pub(super) is_unknown: bool,
    /// Whether it is the text of an atom of the input, or the end of one.
    pub(super) is_text: bool,
}

impl Facts {
    pub(super) const GROUND: Self = Self {
        kinds: Kinds::ANY,
        is_symbolic: false,
        is_unknown: false,
        is_text: false,
    };

    pub(super) fn with_kinds(self, kinds: Kinds) -> Self {
        Self {
            kinds,
            is_text: false,
            ..self
        }
    }

    pub(super) fn and(self, other: Self) -> Self {
        Self {
            kinds: self.kinds,
            is_symbolic: self.is_symbolic || other.is_symbolic,
            is_unknown: self.is_unknown || other.is_unknown,
            is_text: false,
        }
    }
}

impl Graph {
    /// What is known about a node that was made just now.
    pub(super) fn facts_of(&self, id: NodeId) -> Facts {
        let ground = Facts::GROUND;
        match *self.node(id) {
            Node::Input(_) => Facts {
                is_symbolic: true,
                ..ground
            },
            Node::Unknown(_) => Facts {
                is_unknown: true,
                ..ground
            },
            Node::Part(place, of) => {
                let (kinds, is_text) = self.kinds_of_part(place, of);
                let facts = match place {
                    Place::Value(key) => self.facts(of).and(self.facts(key)),
                    Place::Result(arguments) => self.facts(of).and(self.facts(arguments)),
                    _ => self.facts(of),
                };
                Facts {
                    kinds,
                    is_text,
                    ..facts
                }
            }
            // What there is most of.
            Node::Integer(_) => ground.with_kinds(Kinds::INTEGER),
            Node::Tuple(ref elements) => {
                let elements = elements.iter().map(|it| self.facts(*it));
                elements.fold(ground, Facts::and).with_kinds(Kinds::TUPLE)
            }
            Node::Cons(head, tail) => {
                let both = self.facts(head).and(self.facts(tail));
                both.with_kinds(Kinds::CONS)
            }
            Node::Truth(condition) => self.condition_facts(condition).with_kinds(Kinds::ATOM),
            Node::Choice(condition, yes, no) => {
                let (yes, no) = (self.facts(yes), self.facts(no));
                let both = yes.and(no).and(self.condition_facts(condition));
                both.with_kinds(yes.kinds | no.kinds)
            }
            ref node => {
                let operands = self.operands(id).into_iter();
                let all = operands.map(|it| self.facts(it)).fold(ground, Facts::and);
                all.with_kinds(self.kinds_of_made(node))
            }
        }
    }

    /// The kinds of what is a constant, or made or computed from other values.
    fn kinds_of_made(&self, node: &Node) -> Kinds {
        match node {
            Node::Integer(_)
            | Node::Length(_)
            | Node::TupleSize(_)
            | Node::MapSize(_)
            | Node::Rounded(..) => Kinds::INTEGER,
            Node::Float(_) | Node::FloatOf(..) => Kinds::FLOAT,
            Node::Atom(_) | Node::AtomOf(_) | Node::Truth(_) => Kinds::ATOM,
            Node::Nil => Kinds::NIL,
            Node::Other(kinds, _) => *kinds,
            Node::Cons(..) => Kinds::CONS,
            Node::Tuple(_) => Kinds::TUPLE,
            Node::Map(_) | Node::Put(..) | Node::Without(..) => Kinds::MAP,
            Node::Closure(_) | Node::Table(_) => Kinds::FUN,
            Node::Bits(bits) => self.kinds_of_bits(bits),
            Node::Arithmetic(operator, left, right) => {
                let (left, right) = (self.kinds(*left), self.kinds(*right));
                if *operator == Operator::Quotient {
                    Kinds::FLOAT
                } else if operator.is_integral() || (left | right).is_within(Kinds::INTEGER) {
                    Kinds::INTEGER
                } else if left == Kinds::FLOAT || right == Kinds::FLOAT {
                    Kinds::FLOAT
                } else {
                    Kinds::NUMBER
                }
            }
            Node::Input(_) | Node::Part(..) | Node::Choice(..) | Node::Unknown(_) => Kinds::ANY,
        }
    }
}
