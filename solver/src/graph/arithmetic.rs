//! Arithmetic on nodes.

use erlang_term::Integer;
use num_bigint::BigInt;
use num_traits::FromPrimitive;

use super::operator::to_float;
use super::{Condition, Graph, Kinds, Node, NodeId, Operator};

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
            Operator::Quotient if self.is_one(right) && self.kinds(left) == Kinds::FLOAT => left,
            Operator::ShiftLeft | Operator::ShiftRight if self.is_zero(right) => left,
            _ => self.new_number(operator, left, right),
        }
    }

    /// The result of an operation on small integers that surely returns: what loops count with.
    pub fn of_constants(
        &mut self,
        operator: Operator,
        left: NodeId,
        right: NodeId,
    ) -> Option<NodeId> {
        let (Node::Integer(Integer::Small(left)), Node::Integer(Integer::Small(right))) =
            (self.node(left), self.node(right))
        else {
            return None;
        };
        let value = operator.of_small(*left, *right)?;
        Some(self.integer(value))
    }

    /// A number is an integer if both sides are. Noted as it is made: such numbers can be sums of
    /// sums of sums, as deep as a run is long.
    fn new_number(&mut self, operator: Operator, left: NodeId, right: NodeId) -> NodeId {
        let number = self.intern(Node::Arithmetic(operator, left, right));
        if !self.integral.contains_key(&number) {
            let sides = [left, right].map(|side| self.kind(Kinds::INTEGER, side));
            let condition = match operator {
                Operator::Quotient => Condition::FALSE,
                _ => self.all(sides),
            };
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
        if let (Node::Integer(left), Node::Integer(right)) = (self.node(left), self.node(right))
            && operator != Operator::Quotient
        {
            let value = operator.of_integers(left, right)?;
            return Some(self.big_integer(value));
        }
        let value = operator.of_floats(self.as_float(left)?, self.as_float(right)?)?;
        Some(self.float(value))
    }

    /// Whether there is a result for two constants, which are integers that are shifted, or of
    /// which one is a float.
    pub(super) fn has_value(&self, operator: Operator, left: NodeId, right: NodeId) -> bool {
        if let (Node::Integer(left), Node::Integer(right)) = (self.node(left), self.node(right))
            && operator != Operator::Quotient
        {
            return !(operator.is_shift() && operator.shifts_too_far(left, right));
        }
        let sides = self.as_float(left).zip(self.as_float(right));
        sides.is_some_and(|(left, right)| operator.of_floats(left, right).is_some())
    }

    /// The float with the value of an integer, or the integer with the value of a float.
    pub fn other_form(&mut self, number: NodeId) -> Option<NodeId> {
        match self.node(number) {
            Node::Integer(_) => {
                let float = self.to_float(number)?;
                Some(self.float(float))
            }
            Node::Float(bits) => {
                let float = f64::from_bits(*bits);
                let value = (float.fract() == 0.0).then(|| BigInt::from_f64(float))?;
                Some(self.big_integer(value?.into()))
            }
            _ => None,
        }
    }

    /// The float with exactly the value of a constant.
    pub fn to_float(&self, number: NodeId) -> Option<f64> {
        let float = self.as_float(number)?;
        match self.node(number) {
            Node::Integer(value) => (BigInt::from_f64(float)? == value.to_big()).then_some(float),
            _ => Some(float),
        }
    }

    fn as_float(&self, node: NodeId) -> Option<f64> {
        if let Node::Float(bits) = self.node(node) {
            return Some(f64::from_bits(*bits));
        }
        let Node::Integer(value) = self.node(node) else {
            return None;
        };
        to_float(value)
    }

    // Adding an integer zero to something that may be a float changes nothing either.
    fn is_zero(&self, node: NodeId) -> bool {
        *self.node(node) == Node::Integer(Integer::Small(0))
    }

    fn is_one(&self, node: NodeId) -> bool {
        *self.node(node) == Node::Integer(Integer::Small(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What an operation gives, computed with more bits; `None` if it raises.
    fn expected(operator: Operator, left: i128, right: i128) -> Option<i128> {
        match operator {
            Operator::Add => Some(left + right),
            Operator::Subtract => Some(left - right),
            Operator::Multiply => Some(left * right),
            Operator::Divide => left.checked_div(right),
            Operator::Remainder => left.checked_rem(right),
            Operator::And => Some(left & right),
            Operator::Or => Some(left | right),
            _ => Some(left ^ right),
        }
    }

    #[test]
    fn the_short_way_is_taken_for_what_is_small_and_gives_what_it_should() {
        let numbers = [0, 1, -1, 2, -7, 255, i64::MAX, i64::MIN];
        let operators = [
            Operator::Add,
            Operator::Subtract,
            Operator::Multiply,
            Operator::Divide,
            Operator::Remainder,
            Operator::And,
            Operator::Or,
            Operator::Xor,
        ];
        let mut graph = Graph::default();
        for operator in operators {
            for (left, right) in numbers.iter().flat_map(|it| numbers.map(|to| (*it, to))) {
                let nodes = [left, right].map(|it| graph.integer(it));
                let short = graph.of_constants(operator, nodes[0], nodes[1]);
                let expected = expected(operator, left.into(), right.into());
                let small = expected.and_then(|it| i64::try_from(it).ok());
                let small = small.map(|it| graph.integer(it));
                // The processor itself cannot divide this one.
                let is_odd = operator == Operator::Remainder && (left, right) == (i64::MIN, -1);
                let wanted = small.filter(|_| !is_odd);
                assert_eq!(short, wanted, "{operator:?} {left} {right}");
            }
        }
    }
}
