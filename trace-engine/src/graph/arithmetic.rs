//! Arithmetic on nodes.

use erlang_term::Integer;
use num_bigint::BigInt;
use num_traits::{Euclid, FromPrimitive, ToPrimitive, Zero};

use super::{Condition, Graph, Kinds, Node, NodeId};

/// An operation on two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operator {
    /// `+`.
    Add,
    /// `-`.
    Subtract,
    /// `*`.
    Multiply,
    /// `div`, towards zero.
    Divide,
    /// `rem`, with the sign of the left side.
    Remainder,
    /// What is left of a division by a positive number, never negative: the last bits of an integer.
    Modulo,
}

impl Operator {
    /// Whether both sides and the result are integers.
    pub fn is_integral(self) -> bool {
        matches!(self, Self::Divide | Self::Remainder | Self::Modulo)
    }

    /// The value for two integers; `None` for a division by zero.
    pub fn of_integers(self, left: &Integer, right: &Integer) -> Option<Integer> {
        if let (Integer::Small(left), Integer::Small(right)) = (left, right) {
            let small = match self {
                Self::Add => left.checked_add(*right),
                Self::Subtract => left.checked_sub(*right),
                Self::Multiply => left.checked_mul(*right),
                Self::Divide => left.checked_div(*right),
                Self::Remainder => left.checked_rem(*right),
                Self::Modulo => left.checked_rem_euclid(*right),
            };
            if let Some(small) = small {
                return Some(Integer::Small(small));
            }
        }
        let (left, right) = (left.to_big(), right.to_big());
        if self.is_integral() && right.is_zero() {
            return None;
        }
        let value: BigInt = match self {
            Self::Add => left + right,
            Self::Subtract => left - right,
            Self::Multiply => left * right,
            Self::Divide => left / right,
            Self::Remainder => left % right,
            Self::Modulo => left.rem_euclid(&right),
        };
        Some(value.into())
    }

    /// The value for two floats; `None` if there is none.
    pub fn of_floats(self, left: f64, right: f64) -> Option<f64> {
        let value = match self {
            Self::Add => left + right,
            Self::Subtract => left - right,
            Self::Multiply => left * right,
            Self::Divide | Self::Remainder | Self::Modulo => return None,
        };
        value.is_finite().then_some(value)
    }
}

impl Graph {
    /// The value of an operation on two values for which it is defined.
    pub fn arithmetic(&mut self, operator: Operator, left: NodeId, right: NodeId) -> NodeId {
        if let Some(value) = self.folded(operator, left, right) {
            return value;
        }
        match operator {
            Operator::Add | Operator::Subtract if self.is_zero(right) => left,
            Operator::Add if self.is_zero(left) => right,
            Operator::Multiply if self.is_one(right) => left,
            Operator::Multiply if self.is_one(left) => right,
            Operator::Add
            | Operator::Subtract
            | Operator::Multiply
            | Operator::Divide
            | Operator::Remainder
            | Operator::Modulo => self.new_number(operator, left, right),
        }
    }

    /// A number is an integer if both sides are. Noted as it is made: such numbers can be sums of
    /// sums of sums, as deep as a run is long.
    fn new_number(&mut self, operator: Operator, left: NodeId, right: NodeId) -> NodeId {
        let number = self.intern(Node::Arithmetic(operator, left, right));
        if !self.integral.contains_key(&number) {
            let sides = [left, right].map(|side| self.kind(Kinds::INTEGER, side));
            let condition = self.all(sides);
            self.integral.insert(number, condition);
        }
        number
    }

    /// The condition on which a computed number is an integer.
    pub(super) fn is_integral(&self, number: NodeId) -> Condition {
        let known = self.integral.get(&number).copied();
        known.unwrap_or(Condition::TRUE)
    }

    fn folded(&mut self, operator: Operator, left: NodeId, right: NodeId) -> Option<NodeId> {
        if let (Node::Integer(left), Node::Integer(right)) = (self.node(left), self.node(right)) {
            let value = operator.of_integers(left, right)?;
            return Some(self.big_integer(value));
        }
        let value = operator.of_floats(self.as_float(left)?, self.as_float(right)?)?;
        Some(self.float(value))
    }

    /// Whether there is a result for two constants, of which one is a float.
    pub(super) fn has_value(&self, operator: Operator, left: NodeId, right: NodeId) -> bool {
        let sides = self.as_float(left).zip(self.as_float(right));
        sides.is_some_and(|(left, right)| operator.of_floats(left, right).is_some())
    }

    /// The float with the value of an integer, or the integer with the value of a float.
    pub(crate) fn other_form(&mut self, number: NodeId) -> Option<NodeId> {
        match self.node(number) {
            Node::Integer(value) => {
                let value = value.to_big();
                let float = value.to_f64().filter(|it| it.is_finite())?;
                (BigInt::from_f64(float)? == value).then(|| self.float(float))
            }
            Node::Float(bits) => {
                let float = f64::from_bits(*bits);
                let value = (float.fract() == 0.0).then(|| BigInt::from_f64(float))?;
                Some(self.big_integer(value?.into()))
            }
            _ => None,
        }
    }

    fn as_float(&self, node: NodeId) -> Option<f64> {
        if let Node::Float(bits) = self.node(node) {
            return Some(f64::from_bits(*bits));
        }
        let Node::Integer(value) = self.node(node) else {
            return None;
        };
        value.to_big().to_f64().filter(|value| value.is_finite())
    }

    // Adding an integer zero to something that may be a float changes nothing either.
    fn is_zero(&self, node: NodeId) -> bool {
        *self.node(node) == Node::Integer(Integer::Small(0))
    }

    fn is_one(&self, node: NodeId) -> bool {
        *self.node(node) == Node::Integer(Integer::Small(1))
    }
}
