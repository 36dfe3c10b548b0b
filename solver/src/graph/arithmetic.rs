//! Arithmetic on nodes.

use erlang_term::Integer;
use num_bigint::BigInt;
use num_traits::FromPrimitive;

use super::arena::Graph;
use super::ids::{Condition, NodeId};
use super::node::Node;
use super::operator::{Operator, to_float};
use super::rounding::Rounding;
use crate::kinds::Kinds;
use crate::release_rules::FloatsOfIntegers;

impl Graph {
    /// The result of an operation on two values for which it is defined.
    pub fn arithmetic(&mut self, operator: Operator, left: NodeId, right: NodeId) -> NodeId {
        if let Some(value) = self.folded(operator, left, right) {
            return value;
        }
        if is_neutral_right(self, operator, left, right) {
            left
        } else if is_neutral_left(self, operator, left, right) {
            right
        } else {
            self.new_number(operator, left, right)
        }
    }

    /// The result of an operation on small integers that surely returns, as in the counters of
    /// loops.
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

    /// An integer plus a constant.
    pub fn shifted(&mut self, number: NodeId, by: i64) -> NodeId {
        let by = self.integer(by);
        self.arithmetic(Operator::Add, number, by)
    }

    /// Two to some power.
    pub fn power_of_two(&mut self, exponent: u64) -> NodeId {
        self.big_integer((BigInt::from(1) << exponent).into())
    }

    /// A number is an integer if both sides are. This is noted when the number is made: sums of
    /// sums of sums can be as deep as a run is long.
    fn new_number(&mut self, operator: Operator, left: NodeId, right: NodeId) -> NodeId {
        let number = self.intern(Node::Arithmetic(operator, left, right));
        if !self.integral.contains_key(&number) {
            let sides = [left, right].map(|side| self.kind(Kinds::INTEGER, side));
            let condition = if operator == Operator::Quotient {
                Condition::FALSE
            } else {
                self.all(sides)
            };
            self.integral.insert(number, condition);
        }
        number
    }

    /// The condition that a computed number is an integer.
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
        let floats = self.rules.floats;
        let sides = [left, right].map(|it| as_float(self.node(it), floats));
        let sides = (sides[0]?, sides[1]?);
        let value = operator.of_floats(sides.0, sides.1)?;
        Some(self.float(value))
    }

    /// A value that is a number, rounded to an integer. Integers stay as they are.
    pub fn rounded(&mut self, rounding: Rounding, number: NodeId) -> NodeId {
        self.distribute(number, |graph, leaf| {
            if graph.kinds(leaf).is_within(Kinds::INTEGER) {
                return leaf;
            }
            if let Node::Float(bits) = *graph.node(leaf)
                && let Some(value) = rounding.of_float(f64::from_bits(bits))
            {
                return graph.big_integer(value.into());
            }
            graph.intern(Node::Rounded(rounding, leaf))
        })
    }

    /// The other constants that are equal to a number by `==`: an integer, or floats.
    pub(crate) fn other_forms(&mut self, number: NodeId) -> Vec<NodeId> {
        let Some(float) = exact_float(self.node(number)) else {
            return Vec::new();
        };
        let mut forms = vec![self.float(float)];
        if float == 0.0 {
            forms.push(self.float(-float));
        }
        if float.fract() == 0.0
            && let Some(value) = BigInt::from_f64(float)
        {
            forms.push(self.big_integer(value.into()));
        }
        forms.sort_unstable();
        forms.dedup();
        forms.retain(|it| *it != number);
        forms
    }

    /// Whether adding an integer zero changes nothing: `-0.0 + 0` is `0.0`.
    fn keeps_zeros(&self, number: NodeId) -> bool {
        !self.tells_zeros_apart() || self.kinds(number) == Kinds::INTEGER
    }
}

/// Whether an operation on constants, which are shifted integers or numbers of which one is a
/// float, has a result.
pub(super) fn has_value(
    operator: Operator,
    left: &Node,
    right: &Node,
    floats: FloatsOfIntegers,
) -> bool {
    if let (Node::Integer(left), Node::Integer(right)) = (left, right)
        && operator != Operator::Quotient
    {
        return !(operator.is_shift() && operator.shifts_too_far(left, right));
    }
    let sides = as_float(left, floats).zip(as_float(right, floats));
    sides.is_some_and(|(left, right)| operator.of_floats(left, right).is_some())
}

/// The float with exactly the value of a constant number.
pub(crate) fn exact_float(number: &Node) -> Option<f64> {
    let float = as_float(number, FloatsOfIntegers::Nearest)?;
    if let Node::Integer(value) = number {
        return (BigInt::from_f64(float)? == value.to_big()).then_some(float);
    }
    Some(float)
}

fn as_float(number: &Node, floats: FloatsOfIntegers) -> Option<f64> {
    if let Node::Float(bits) = number {
        return Some(f64::from_bits(*bits));
    }
    let Node::Integer(value) = number else {
        return None;
    };
    to_float(value, floats)
}

/// Whether the right side does not change the left.
fn is_neutral_right(graph: &Graph, operator: Operator, left: NodeId, right: NodeId) -> bool {
    let right = graph.node(right);
    match operator {
        Operator::Add => is_small(right, 0) && graph.keeps_zeros(left),
        Operator::Subtract | Operator::ShiftLeft | Operator::ShiftRight => is_small(right, 0),
        Operator::Multiply => is_small(right, 1),
        Operator::Quotient => is_small(right, 1) && graph.kinds(left) == Kinds::FLOAT,
        Operator::Divide
        | Operator::Remainder
        | Operator::Modulo
        | Operator::And
        | Operator::Or
        | Operator::Xor => false,
    }
}

fn is_neutral_left(graph: &Graph, operator: Operator, left: NodeId, right: NodeId) -> bool {
    let left = graph.node(left);
    (operator == Operator::Add && is_small(left, 0) && graph.keeps_zeros(right))
        || (operator == Operator::Multiply && is_small(left, 1))
}

fn is_small(node: &Node, value: i64) -> bool {
    *node == Node::Integer(Integer::Small(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The result of an operation, computed with more bits; `None` if it raises.
    fn expected(operator: Operator, left: i128, right: i128) -> Option<i128> {
        match operator {
            Operator::Add => Some(left + right),
            Operator::Subtract => Some(left - right),
            Operator::Multiply => Some(left * right),
            Operator::Divide => left.checked_div(right),
            Operator::Remainder => left.checked_rem(right),
            Operator::And => Some(left & right),
            Operator::Or => Some(left | right),
            Operator::Xor => Some(left ^ right),
            Operator::Modulo | Operator::Quotient | Operator::ShiftLeft | Operator::ShiftRight => {
                None
            }
        }
    }

    #[test]
    fn small_integers_take_the_short_way_and_give_the_right_result() {
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
