//! Arithmetic on terms that are numbers.

use num_bigint::BigInt;
use z3::ast::{Bool, Datatype, Real};

use super::fractions::{real, rounded};
use super::term_sort::Terms;
use crate::graph::{Kinds, Operator, Rounding, SHORT_SHIFT};

/// Integers are certainly too large if they are shifted by more bits than this.
const LONG_SHIFT: i64 = 1 << 25;

impl Terms {
    /// The result of two numbers is too large. Where that depends on rounding it is left open.
    pub(super) fn too_large(&self, operator: Operator, left: &Datatype, right: &Datatype) -> Bool {
        let sides = [left, right];
        if operator.is_shift() {
            return self.shifts_too_far(operator, left, right);
        }
        let are_numbers = sides.map(|it| self.is_of_kind(Kinds::NUMBER, it));
        let is_some_float = sides.map(|it| self.is_of_kind(Kinds::FLOAT, it));
        let is_some_float = Bool::or(&is_some_float);
        let values = sides.map(|it| self.number_value(it));
        let [left, right] = &values;
        let (result, is_concerned) = match operator {
            Operator::Add => (Real::add(&values), is_some_float),
            Operator::Subtract => (Real::sub(&values), is_some_float),
            Operator::Multiply => (Real::mul(&values), is_some_float),
            Operator::Quotient => (left.div(right), Bool::from_bool(true)),
            Operator::Divide
            | Operator::Remainder
            | Operator::Modulo
            | Operator::And
            | Operator::Or
            | Operator::Xor
            | Operator::ShiftLeft
            | Operator::ShiftRight => return Bool::from_bool(false),
        };
        let is_beyond = |limit: &Real| {
            let each = [left, right, &result];
            let each = each.map(|it| Bool::or(&[it.ge(limit), it.le(limit.unary_minus())]));
            Bool::or(&each)
        };
        let certainly = is_beyond(&near_largest("+"));
        let perhaps = Bool::and(&[
            is_beyond(&near_largest("-")),
            Bool::fresh_const("is_too_large"),
        ]);
        Bool::and(&[
            Bool::and(&are_numbers),
            is_concerned,
            Bool::or(&[certainly, perhaps]),
        ])
    }

    fn shifts_too_far(&self, operator: Operator, left: &Datatype, right: &Datatype) -> Bool {
        let (value, by) = (self.integer_value(left), self.integer_value(right));
        let up = if operator == Operator::ShiftLeft {
            by
        } else {
            by.unary_minus()
        };
        let perhaps = Bool::and(&[up.gt(SHORT_SHIFT), Bool::fresh_const("is_too_far")]);
        let is_far = Bool::or(&[up.gt(LONG_SHIFT), perhaps]);
        Bool::and(&[!value.eq(0), is_far])
    }

    /// The integer near a number.
    pub(super) fn rounded(&self, rounding: Rounding, number: &Datatype) -> Datatype {
        self.integer(&rounded(rounding, &self.number_value(number)))
    }
}

/// A little more or less than the largest float, by more than rounding can change.
fn near_largest(sign: &str) -> Real {
    let (largest, little) = (BigInt::from(1) << 1024, BigInt::from(1) << 972);
    let near = if sign == "+" {
        largest + little
    } else {
        largest - little
    };
    real(&(near, BigInt::from(1)))
}
