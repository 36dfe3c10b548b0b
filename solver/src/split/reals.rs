//! Numbers and conditions on them, as real numbers of Z3.

use std::collections::HashMap;

use flattener::ast::deep;
use num_bigint::BigInt;
use z3::ast::{Bool, Int, Real};

use crate::graph::{Condition, Formula, Kinds, Node, NodeId, Operator};
use crate::integers::{Constraint, Relation};
use crate::known::Known;
use crate::smt::{Side, computed, exact_fraction, number, real, rounded, with_constant};

/// Results of float arithmetic differ from the exact ones by at most `2^-PART` of their size plus
/// `2^-LEAST`.
const PART: u32 = 52;
const LEAST: u32 = 1073;
/// The same as `PART` for floats that are made of integers, which are rounded several times.
const INTEGER_PART: u32 = 47;
/// All integers up to two to this power are floats.
const WHOLE: u32 = 53;
/// How many digits after the point are asked for.
const DIGITS: usize = 60;

/// How float arithmetic is translated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Precision {
    /// As if nothing were rounded.
    Exact,
    /// As any number near the exact one.
    Rounded,
}

/// A number in Z3's terms.
#[derive(Clone, Debug)]
pub(super) enum Number {
    Int(Int),
    Real(Real),
}

impl Number {
    pub(super) fn to_real(&self) -> Real {
        match self {
            Self::Int(value) => value.to_real(),
            Self::Real(value) => value.clone(),
        }
    }
}

/// Translates numbers and conditions.
pub(super) struct Reals<'query, 'run> {
    pub(super) known: &'query mut Known<'run>,
    nodes: HashMap<NodeId, Option<Number>>,
    /// What Z3 is to be told. To make one of its solvers is much work, and in vain if the question
    /// cannot be translated.
    pub(super) said: Vec<Bool>,
    precision: Precision,
    /// Rounding does not move results across these floats.
    constants: Vec<f64>,
}

impl<'query, 'run> Reals<'query, 'run> {
    pub(super) fn new(
        known: &'query mut Known<'run>,
        precision: Precision,
        constants: Vec<f64>,
    ) -> Self {
        Self {
            known,
            said: Vec::new(),
            precision,
            constants,
            nodes: HashMap::new(),
        }
    }

    /// The result of float arithmetic, from the exact one.
    pub(super) fn rounded(&mut self, value: Real) -> Real {
        match self.precision {
            Precision::Exact => value,
            Precision::Rounded => {
                let result = Real::fresh_const("rounded");
                self.said.push(is_near(&result, &value, PART));
                for constant in &self.constants {
                    let constant = real(&exact_fraction(*constant));
                    let below = value.le(&constant).implies(result.le(&constant));
                    let above = value.ge(&constant).implies(result.ge(&constant));
                    self.said.push(below);
                    self.said.push(above);
                }
                result
            }
        }
    }

    /// A number as a float.
    fn as_float(&mut self, of: &Number) -> Real {
        let Number::Int(integer) = of else {
            return of.to_real();
        };
        let value = integer.to_real();
        if self.precision == Precision::Exact {
            return value;
        }
        let result = Real::fresh_const("float");
        self.said.push(is_near(&result, &value, INTEGER_PART));
        let most = power(WHOLE);
        let is_whole = Bool::and(&[value.le(&most), value.ge(most.unary_minus())]);
        self.said.push(is_whole.implies(result.eq(&value)));
        result
    }
}

impl Reals<'_, '_> {
    /// A part of the input that is an integer or a float.
    pub(super) fn variable(&mut self, part: NodeId) -> Number {
        let known = self.known.store.part(part);
        let variable = if known.kinds == Kinds::FLOAT {
            let float = Real::fresh_const("float");
            let most = real(&exact_fraction(f64::MAX));
            self.said.push(float.le(&most));
            self.said.push(float.ge(most.unary_minus()));
            Number::Real(float)
        } else {
            Number::Int(Int::fresh_const("integer"))
        };
        for excluded in &known.not {
            let is_other = match &variable {
                Number::Int(variable) => {
                    let Node::Integer(value) = self.known.graph.node(*excluded) else {
                        continue;
                    };
                    variable.eq(number(&value.to_big()))
                }
                Number::Real(variable) => {
                    let Node::Float(bits) = self.known.graph.node(*excluded) else {
                        continue;
                    };
                    if f64::from_bits(*bits) == 0.0 && self.known.graph.tells_zeros_apart() {
                        continue;
                    }
                    variable.eq(real(&exact_fraction(f64::from_bits(*bits))))
                }
            };
            self.said.push(!is_other);
        }
        self.nodes.insert(part, Some(variable.clone()));
        variable
    }

    /// A kept condition; `None` if it is about something else.
    pub(super) fn condition(&mut self, condition: Condition) -> Option<Bool> {
        let said = match self.known.graph.formula(condition).clone() {
            Formula::All(parts) => {
                let parts = parts.iter();
                let parts = parts.map(|it| deep(|| self.condition(*it)));
                Bool::and(&parts.collect::<Option<Vec<_>>>()?)
            }
            Formula::Equal(left, right) => {
                let sides = (self.number(left)?, self.number(right)?);
                match sides {
                    (Number::Int(left), Number::Int(right)) => left.eq(&right),
                    (Number::Real(left), Number::Real(right)) => self.equal_floats(&left, &right),
                    (Number::Int(_), Number::Real(_)) | (Number::Real(_), Number::Int(_)) => {
                        Bool::from_bool(false)
                    }
                }
            }
            Formula::Same(left, right) => {
                let (left, right) = (self.number(left)?, self.number(right)?);
                left.to_real().eq(right.to_real())
            }
            Formula::Less(left, right) => {
                let (left, right) = (self.number(left)?, self.number(right)?);
                left.to_real().lt(right.to_real())
            }
            Formula::True
            | Formula::Kind(..)
            | Formula::Arity(..)
            | Formula::FunArity(..)
            | Formula::ProperList(_)
            | Formula::Member(..)
            | Formula::HasKey(..)
            | Formula::Fields(..)
            | Formula::Before(..)
            | Formula::Utf8(..)
            | Formula::TooLarge(..) => {
                Bool::from_bool(self.known.status(condition)? != condition.is_negated())
            }
        };
        Some(if condition.is_negated() { !said } else { said })
    }

    /// Two floats are equal. Whether two zeros are is left open if they may have different signs.
    fn equal_floats(&self, left: &Real, right: &Real) -> Bool {
        let equal = left.eq(right);
        if !self.known.graph.tells_zeros_apart() {
            return equal;
        }
        let is_zero = left.eq(real(&exact_fraction(0.0)));
        let is_told = Bool::or(&[!is_zero, Bool::fresh_const("same_sign")]);
        Bool::and(&[equal, is_told])
    }

    /// A constraint on integers; `None` if it is about something else.
    fn constraint(&mut self, constraint: &Constraint) -> Option<Bool> {
        let constraint = self.known.refreshed(constraint)?;
        let mut sum = vec![number(&constraint.linear.constant.into())];
        for (node, coefficient) in &constraint.linear.terms {
            let Number::Int(value) = self.number(*node)? else {
                return None;
            };
            sum.push(Int::mul(&[value, number(&(*coefficient).into())]));
        }
        let sum = Int::add(&sum);
        Some(match constraint.relation {
            Relation::Equal => sum.eq(0),
            Relation::Different => !sum.eq(0),
            Relation::Less => sum.lt(0),
            Relation::AtMost => sum.le(0),
        })
    }

    pub(super) fn number(&mut self, node: NodeId) -> Option<Number> {
        if self.known.ends() {
            return None;
        }
        let node = self.known.resolve(node);
        if let Some(known) = self.nodes.get(&node) {
            return known.clone();
        }
        let value = deep(|| self.new_number(node));
        self.nodes.insert(node, value.clone());
        value
    }

    fn new_number(&mut self, node: NodeId) -> Option<Number> {
        match *self.known.graph.node(node) {
            Node::Integer(ref value) => Some(Number::Int(number(&value.to_big()))),
            Node::Float(bits) => Some(Number::Real(real(&exact_fraction(f64::from_bits(bits))))),
            Node::Arithmetic(operator, left, right) => self.arithmetic(operator, left, right),
            Node::Rounded(rounding, of) => match self.number(of)? {
                Number::Real(value) => Some(Number::Int(rounded(rounding, &value))),
                integer @ Number::Int(_) => Some(integer),
            },
            Node::Choice(condition, yes, no) => {
                let condition = self.condition(condition)?;
                match (self.number(yes)?, self.number(no)?) {
                    (Number::Int(yes), Number::Int(no)) => {
                        Some(Number::Int(condition.ite(&yes, &no)))
                    }
                    (Number::Real(yes), Number::Real(no)) => {
                        Some(Number::Real(condition.ite(&yes, &no)))
                    }
                    (Number::Int(_), Number::Real(_)) | (Number::Real(_), Number::Int(_)) => None,
                }
            }
            Node::Length(_) | Node::TupleSize(_) => {
                let size = self.known.linear(node).filter(|it| it.terms.is_empty())?;
                Some(Number::Int(number(&size.constant.into())))
            }
            Node::Input(_)
            | Node::Part(..)
            | Node::Atom(_)
            | Node::Nil
            | Node::Other(..)
            | Node::Cons(..)
            | Node::Tuple(_)
            | Node::Map(_)
            | Node::Put(..)
            | Node::Without(..)
            | Node::MapSize(_)
            | Node::AtomOf(_)
            | Node::Bits(_)
            | Node::FloatOf(..)
            | Node::Truth(_)
            | Node::Closure(_)
            | Node::Table(_)
            | Node::Unknown(_) => None,
        }
    }

    pub(super) fn arithmetic(
        &mut self,
        operator: Operator,
        left: NodeId,
        right: NodeId,
    ) -> Option<Number> {
        let constants = [left, right].map(|it| {
            let it = self.known.resolve(it);
            let Node::Integer(value) = self.known.graph.node(it) else {
                return None;
            };
            Some(value.to_big())
        });
        let (left, right) = (self.number(left)?, self.number(right)?);
        if let (Number::Int(left), Number::Int(right)) = (&left, &right)
            && operator != Operator::Quotient
        {
            let side = |value, constant| Side { value, constant };
            let [one, other] = &constants;
            let value = computed(operator, left, right).or_else(|| {
                with_constant(
                    operator,
                    side(left, one.as_ref()),
                    side(right, other.as_ref()),
                )
            });
            return value.map(Number::Int);
        }
        let (left, right) = (self.as_float(&left), self.as_float(&right));
        let value = match operator {
            Operator::Add => Real::add(&[left, right]),
            Operator::Subtract => Real::sub(&[left, right]),
            Operator::Multiply => Real::mul(&[left, right]),
            Operator::Quotient => left.div(right),
            Operator::Divide
            | Operator::Remainder
            | Operator::Modulo
            | Operator::And
            | Operator::Or
            | Operator::Xor
            | Operator::ShiftLeft
            | Operator::ShiftRight => return None,
        };
        Some(Number::Real(self.rounded(value)))
    }

    /// Adds what is known of integers, as far as it can be translated.
    pub(super) fn add_constraints(&mut self) {
        for index in 0..self.known.store.constraints.len() {
            let constraint = self.known.store.constraints.get(index).cloned();
            let said = constraint.and_then(|it| self.constraint(&it));
            if let Some(said) = said {
                self.said.push(said);
            }
        }
    }
}

fn power(of_two: u32) -> Real {
    real(&(BigInt::from(1) << of_two, BigInt::from(1)))
}

/// One number is as near to another as rounding keeps it.
fn is_near(one: &Real, other: &Real, part: u32) -> Bool {
    let part = real(&(BigInt::from(1), BigInt::from(1) << part));
    let least = real(&(BigInt::from(1), BigInt::from(1) << LEAST));
    let zero = real(&exact_fraction(0.0));
    let size = other.ge(&zero).ite(other, &other.unary_minus());
    let most = Real::add(&[Real::mul(&[size, part]), least]);
    let difference = Real::sub(&[one, other]);
    Bool::and(&[difference.le(&most), difference.ge(most.unary_minus())])
}

/// The float nearest to a value that Z3 found, judging by its first digits.
pub(super) fn nearest(value: &Real) -> Option<f64> {
    let digits = value.approx(DIGITS);
    let float: f64 = digits.trim_end_matches('?').parse().ok()?;
    float.is_finite().then_some(float)
}
