//! Numbers and the texts of numbers.

use num_bigint::BigInt;
use num_traits::ToPrimitive;

use super::{Stop, Walk, Walked};
use crate::graph::{Condition, Kinds, Node, NodeId, Operator};

/// Texts of larger numbers are not looked at digit by digit.
const MOST_DIGITS: u32 = 18;

/// Numbers are not shifted farther to the left.
const MOST_BITS: i64 = 10_000;

impl Walk<'_> {
    /// `list_to_integer(List)`: perhaps a sign, then one digit or more.
    pub(super) fn list_to_integer(&mut self, list: NodeId) -> Walked {
        let Some((first, rest)) = self.next(list)? else {
            return Err(Stop::Raises);
        };
        let (minus, plus) = (self.character('-'), self.character('+'));
        let is_minus = self.graph.equal(first, minus);
        let is_plus = self.graph.equal(first, plus);
        let sign = self.choose(&[is_minus, is_plus, Condition::TRUE])?;
        let digits = if sign == 2 { list } else { rest };
        let Some((first, rest)) = self.next(digits)? else {
            return Err(Stop::Raises);
        };
        let mut number = self.digit(first)?;
        let mut rest = rest;
        while let Some((head, tail)) = self.next(rest)? {
            let digit = self.digit(head)?;
            let ten = self.graph.integer(10);
            let shifted = self.graph.arithmetic(Operator::Multiply, number, ten);
            number = self.graph.arithmetic(Operator::Add, shifted, digit);
            rest = tail;
        }
        if sign == 0 {
            let zero = self.graph.integer(0);
            number = self.graph.arithmetic(Operator::Subtract, zero, number);
        }
        Ok(number)
    }

    /// The value of a digit.
    fn digit(&mut self, character: NodeId) -> Walked {
        let (zero, nine) = (self.character('0'), self.character('9'));
        let is_integer = self.graph.kind(Kinds::INTEGER, character);
        let is_below = self.graph.less(character, zero);
        let is_above = self.graph.less(nine, character);
        let is_digit = self.graph.all([is_integer, !is_below, !is_above]);
        self.require(is_digit)?;
        Ok(self.graph.arithmetic(Operator::Subtract, character, zero))
    }

    fn character(&mut self, character: char) -> NodeId {
        self.graph.integer(i64::from(u32::from(character)))
    }

    /// `integer_to_list(Integer)`.
    pub(super) fn integer_to_list(&mut self, integer: NodeId) -> Walked {
        let is_integer = self.graph.kind(Kinds::INTEGER, integer);
        self.require(is_integer)?;
        let zero = self.graph.integer(0);
        let is_negative = self.graph.less(integer, zero);
        let is_negative = self.holds(is_negative)?;
        let magnitude = if is_negative {
            self.graph.arithmetic(Operator::Subtract, zero, integer)
        } else {
            integer
        };
        let mut powers = vec![self.graph.integer(1)];
        for exponent in 1..=MOST_DIGITS {
            let power = self.graph.integer(10_i64.pow(exponent));
            let is_shorter = self.graph.less(magnitude, power);
            if self.holds(is_shorter)? {
                return Ok(self.digits(is_negative, magnitude, &powers));
            }
            powers.push(power);
        }
        Err(Stop::Unknown)
    }

    /// The digits of a number, given the powers of ten that they stand for.
    fn digits(&mut self, is_negative: bool, number: NodeId, powers: &[NodeId]) -> NodeId {
        let (ten, zero) = (self.graph.integer(10), self.character('0'));
        let mut characters = Vec::with_capacity(powers.len() + 1);
        if is_negative {
            characters.push(self.character('-'));
        }
        for power in powers.iter().rev() {
            let rest = self.graph.arithmetic(Operator::Divide, number, *power);
            let digit = self.graph.arithmetic(Operator::Remainder, rest, ten);
            characters.push(self.graph.arithmetic(Operator::Add, digit, zero));
        }
        self.list(&characters)
    }

    /// `bnot Integer`: one less than the negated number.
    pub(super) fn bit_not(&mut self, integer: NodeId) -> Walked {
        let is_integer = self.graph.kind(Kinds::INTEGER, integer);
        self.require(is_integer)?;
        let minus_one = self.graph.integer(-1);
        Ok(self
            .graph
            .arithmetic(Operator::Subtract, minus_one, integer))
    }

    /// `band`, `bor`, `bxor`, `bsl` and `bsr`, which are computed for constants only.
    pub(super) fn bits(&mut self, name: &str, left: NodeId, right: NodeId) -> Walked {
        let integers = [left, right].map(|it| self.graph.kind(Kinds::INTEGER, it));
        let both = self.graph.all(integers);
        self.require(both)?;
        let is_constant = [left, right].iter().all(|it| self.graph.is_ground(*it));
        let (left, right) = (self.number_in_run(left)?, self.number_in_run(right)?);
        let result = match name {
            "band" => left & right,
            "bor" => left | right,
            "bxor" => left ^ right,
            _ => {
                let by = right.to_i64().ok_or(Stop::Unknown)?;
                shifted(&left, if name == "bsl" { by } else { -by })?
            }
        };
        let result = self.graph.big_integer(result.into());
        if is_constant {
            Ok(result)
        } else {
            Err(Stop::Taken(result))
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
