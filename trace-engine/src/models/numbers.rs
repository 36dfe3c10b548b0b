//! Numbers.

use num_bigint::BigInt;
use num_traits::{FromPrimitive, ToPrimitive};

use super::{Stop, Walk, Walked};
use crate::graph::{Condition, Kinds, Node, NodeId, Operator};

/// Numbers are not shifted farther to the left.
const MOST_BITS: i64 = 10_000;

impl Walk<'_> {
    /// `bnot Integer`: one less than the negated number.
    pub(super) fn bit_not(&mut self, integer: NodeId) -> Walked {
        let is_integer = self.graph.kind(Kinds::INTEGER, integer);
        self.require(is_integer)?;
        let minus_one = self.graph.integer(-1);
        Ok(self
            .graph
            .arithmetic(Operator::Subtract, minus_one, integer))
    }

    /// `trunc`, `round`, `floor` and `ceil`: integers stay as they are, floats become the integer
    /// of the run.
    pub(super) fn rounded(&mut self, name: &str, number: NodeId) -> Walked {
        if self.is_integer_not_float(number)? {
            return Ok(number);
        }
        let float = self.float_in_run(number)?;
        let rounded = match name {
            "trunc" => float.trunc(),
            "floor" => float.floor(),
            "ceil" => float.ceil(),
            _ => float.round(),
        };
        let rounded = BigInt::from_f64(rounded).ok_or(Stop::Unknown)?;
        let result = self.graph.big_integer(rounded.into());
        self.known_if_constant(&[number], result)
    }

    /// `float(Number)`: floats stay as they are, integers become the float of the run.
    pub(super) fn as_float(&mut self, number: NodeId) -> Walked {
        if !self.is_integer_not_float(number)? {
            return Ok(number);
        }
        let float = self.float_in_run(number)?;
        if !float.is_finite() {
            return Err(Stop::Unknown);
        }
        let result = self.graph.float(float);
        self.known_if_constant(&[number], result)
    }

    /// `Left / Right`, the float of the run.
    pub(super) fn quotient(&mut self, left: NodeId, right: NodeId) -> Walked {
        let numbers = [left, right].map(|it| self.graph.kind(Kinds::NUMBER, it));
        let both = self.graph.all(numbers);
        self.require(both)?;
        let zero = self.graph.integer(0);
        let is_zero = self.graph.same(right, zero);
        self.require(!is_zero)?;
        let quotient = self.float_in_run(left)? / self.float_in_run(right)?;
        if !quotient.is_finite() {
            return Err(Stop::Unknown);
        }
        let result = self.graph.float(quotient);
        self.known_if_constant(&[left, right], result)
    }

    /// Whether a number is an integer; other values than numbers raise.
    fn is_integer_not_float(&mut self, number: NodeId) -> Result<bool, Stop> {
        let is_integer = self.graph.kind(Kinds::INTEGER, number);
        let is_float = self.graph.kind(Kinds::FLOAT, number);
        match self.choose(&[is_integer, is_float, Condition::TRUE])? {
            0 => Ok(true),
            1 => Ok(false),
            _ => Err(Stop::Raises),
        }
    }

    /// `band`, `bor`, `bxor`, `bsl` and `bsr`, which are computed for constants only.
    pub(super) fn bits(&mut self, name: &str, left: NodeId, right: NodeId) -> Walked {
        let integers = [left, right].map(|it| self.graph.kind(Kinds::INTEGER, it));
        let both = self.graph.all(integers);
        self.require(both)?;
        let (one, other) = (self.number_in_run(left)?, self.number_in_run(right)?);
        let result = match name {
            "band" => one & other,
            "bor" => one | other,
            "bxor" => one ^ other,
            _ => {
                let by = other.to_i64().ok_or(Stop::Unknown)?;
                shifted(&one, if name == "bsl" { by } else { -by })?
            }
        };
        let result = self.graph.big_integer(result.into());
        self.known_if_constant(&[left, right], result)
    }

    /// The float that a number is in this run, or is nearest to it.
    fn float_in_run(&mut self, node: NodeId) -> Result<f64, Stop> {
        let value = self.input.value(self.graph, node).ok_or(Stop::Unknown)?;
        match self.graph.node(value) {
            Node::Integer(value) => value.to_big().to_f64().ok_or(Stop::Unknown),
            Node::Float(bits) => Ok(f64::from_bits(*bits)),
            _ => Err(Stop::Unknown),
        }
    }

    /// The integer that a value is in this run.
    fn number_in_run(&mut self, node: NodeId) -> Result<BigInt, Stop> {
        let value = self.input.value(self.graph, node).ok_or(Stop::Unknown)?;
        match self.graph.node(value) {
            Node::Integer(value) => Ok(value.to_big()),
            _ => Err(Stop::Unknown),
        }
    }
}

/// A number moved to the left by so many bits.
fn shifted(number: &BigInt, by: i64) -> Result<BigInt, Stop> {
    if by > MOST_BITS {
        return Err(Stop::Unknown);
    }
    Ok(match u64::try_from(by) {
        Ok(by) => number << by,
        Err(_) => number >> by.unsigned_abs(),
    })
}
