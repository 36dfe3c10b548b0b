//! Numbers and conditions on them, as real numbers of Z3.

use std::collections::HashMap;

use flattener::ast::deep;
use num_bigint::BigInt;
use z3::Solver as Z3;
use z3::ast::{Bool, Int, Real};

use crate::Solver;
use crate::encoding::{exact, real, rounded};
use crate::graph::{Condition, Formula, Kinds, Node, NodeId, Operator};
use crate::integers::{Constraint, Relation, Side, computed, number, with_constant};

/// Results of float arithmetic differ from the exact ones by at most this part of them, and this
/// much: one over two to these powers.
const PART: u32 = 52;
const LEAST: u32 = 1073;
/// The same of floats that are made of integers, which are rounded several times.
const INTEGER_PART: u32 = 47;
/// All integers up to two to this power are floats.
const WHOLE: u32 = 53;
/// How many digits behind the point are asked for.
const DIGITS: usize = 60;

/// How float arithmetic is translated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Precision {
    /// As if nothing were rounded.
    Exact,
    /// As any number near the exact one.
    Rounded,
}

/// A number.
#[derive(Clone, Debug)]
pub(super) enum Number {
    Int(Int),
    Real(Real),
}

impl Number {
    fn to_real(&self) -> Real {
        match self {
            Self::Int(value) => value.to_real(),
            Self::Real(value) => value.clone(),
        }
    }
}

/// A translation.
pub(super) struct Reals<'query> {
    solver: &'query Z3,
    precision: Precision,
    /// Floats on one side of which results stay.
    constants: &'query [f64],
    nodes: HashMap<NodeId, Option<Number>>,
}

impl<'query> Reals<'query> {
    pub(super) fn new(solver: &'query Z3, precision: Precision, constants: &'query [f64]) -> Self {
        Self {
            solver,
            precision,
            constants,
            nodes: HashMap::new(),
        }
    }

    /// What float arithmetic makes of an exact result.
    fn rounded(&self, value: Real) -> Real {
        match self.precision {
            Precision::Exact => value,
            Precision::Rounded => {
                let result = Real::fresh_const("rounded");
                self.solver.assert(is_near(&result, &value, PART));
                for constant in self.constants {
                    let constant = real(&exact(*constant));
                    let below = value.le(&constant).implies(result.le(&constant));
                    let above = value.ge(&constant).implies(result.ge(&constant));
                    self.solver.assert(below);
                    self.solver.assert(above);
                }
                result
            }
        }
    }

    /// A number as a float.
    fn as_float(&self, of: &Number) -> Real {
        let Number::Int(integer) = of else {
            return of.to_real();
        };
        let value = integer.to_real();
        if self.precision == Precision::Exact {
            return value;
        }
        let result = Real::fresh_const("float");
        self.solver.assert(is_near(&result, &value, INTEGER_PART));
        let most = power(WHOLE);
        let is_whole = Bool::and(&[value.le(&most), value.ge(most.unary_minus())]);
        self.solver.assert(is_whole.implies(result.eq(&value)));
        result
    }
}

fn power(of_two: u32) -> Real {
    real(&(BigInt::from(1) << of_two, BigInt::from(1)))
}

/// One number is as near to another as rounding lets it be.
fn is_near(one: &Real, other: &Real, part: u32) -> Bool {
    let part = real(&(BigInt::from(1), BigInt::from(1) << part));
    let least = real(&(BigInt::from(1), BigInt::from(1) << LEAST));
    let zero = real(&exact(0.0));
    let size = other.ge(&zero).ite(other, &other.unary_minus());
    let most = Real::add(&[Real::mul(&[size, part]), least]);
    let difference = Real::sub(&[one, other]);
    Bool::and(&[difference.le(&most), difference.ge(most.unary_minus())])
}

impl Solver<'_> {
    /// A part of the input that is an integer or a float.
    pub(super) fn variable(&mut self, reals: &mut Reals<'_>, part: NodeId) -> Number {
        let known = self.store.part(part);
        let variable = if known.kinds == Kinds::FLOAT {
            let float = Real::fresh_const("float");
            let most = real(&exact(f64::MAX));
            reals.solver.assert(float.le(&most));
            reals.solver.assert(float.ge(most.unary_minus()));
            Number::Real(float)
        } else {
            Number::Int(Int::fresh_const("integer"))
        };
        for excluded in &known.not {
            let is_other = match (self.graph.node(*excluded), &variable) {
                (Node::Integer(value), Number::Int(variable)) => {
                    variable.eq(number(&value.to_big()))
                }
                (Node::Float(bits), Number::Real(variable)) => {
                    variable.eq(real(&exact(f64::from_bits(*bits))))
                }
                _ => continue,
            };
            reals.solver.assert(!is_other);
        }
        reals.nodes.insert(part, Some(variable.clone()));
        variable
    }

    /// A kept condition; `None` if it is about something else.
    pub(super) fn real_condition(
        &mut self,
        reals: &mut Reals<'_>,
        condition: Condition,
    ) -> Option<Bool> {
        let said = match self.graph.formula(condition).clone() {
            Formula::All(parts) => {
                let parts = parts.iter();
                let parts = parts.map(|it| deep(|| self.real_condition(reals, *it)));
                Bool::and(&parts.collect::<Option<Vec<_>>>()?)
            }
            Formula::Equal(left, right) => {
                let sides = (self.number(reals, left)?, self.number(reals, right)?);
                match sides {
                    (Number::Int(left), Number::Int(right)) => left.eq(&right),
                    (Number::Real(left), Number::Real(right)) => left.eq(&right),
                    _ => Bool::from_bool(false),
                }
            }
            Formula::Same(left, right) => {
                let (left, right) = (self.number(reals, left)?, self.number(reals, right)?);
                left.to_real().eq(right.to_real())
            }
            Formula::Less(left, right) => {
                let (left, right) = (self.number(reals, left)?, self.number(reals, right)?);
                left.to_real().lt(right.to_real())
            }
            _ => Bool::from_bool(self.status(condition)? != condition.is_negated()),
        };
        Some(if condition.is_negated() { !said } else { said })
    }

    /// A constraint on integers; `None` if it is about something else.
    pub(super) fn real_constraint(
        &mut self,
        reals: &mut Reals<'_>,
        constraint: &Constraint,
    ) -> Option<Bool> {
        let constraint = self.refreshed(constraint)?;
        let mut sum = vec![number(&constraint.linear.constant.into())];
        for (node, coefficient) in &constraint.linear.terms {
            let Number::Int(value) = self.number(reals, *node)? else {
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

    fn number(&mut self, reals: &mut Reals<'_>, node: NodeId) -> Option<Number> {
        if self.ends() {
            return None;
        }
        let node = self.resolve(node);
        if let Some(known) = reals.nodes.get(&node) {
            return known.clone();
        }
        let value = deep(|| self.new_number(reals, node));
        reals.nodes.insert(node, value.clone());
        value
    }

    fn new_number(&mut self, reals: &mut Reals<'_>, node: NodeId) -> Option<Number> {
        match *self.graph.node(node) {
            Node::Integer(ref value) => Some(Number::Int(number(&value.to_big()))),
            Node::Float(bits) => Some(Number::Real(real(&exact(f64::from_bits(bits))))),
            Node::Arithmetic(operator, left, right) => {
                self.real_arithmetic(reals, operator, left, right)
            }
            Node::Rounded(rounding, of) => match self.number(reals, of)? {
                Number::Real(value) => Some(Number::Int(rounded(rounding, &value))),
                integer => Some(integer),
            },
            Node::Choice(condition, yes, no) => {
                let condition = self.real_condition(reals, condition)?;
                match (self.number(reals, yes)?, self.number(reals, no)?) {
                    (Number::Int(yes), Number::Int(no)) => {
                        Some(Number::Int(condition.ite(&yes, &no)))
                    }
                    (Number::Real(yes), Number::Real(no)) => {
                        Some(Number::Real(condition.ite(&yes, &no)))
                    }
                    _ => None,
                }
            }
            Node::Length(_) | Node::TupleSize(_) => {
                let size = self.linear(node).filter(|it| it.terms.is_empty())?;
                Some(Number::Int(number(&size.constant.into())))
            }
            _ => None,
        }
    }

    fn real_arithmetic(
        &mut self,
        reals: &mut Reals<'_>,
        operator: Operator,
        left: NodeId,
        right: NodeId,
    ) -> Option<Number> {
        let constants = [left, right].map(|it| {
            let it = self.resolve(it);
            match self.graph.node(it) {
                Node::Integer(value) => Some(value.to_big()),
                _ => None,
            }
        });
        let (left, right) = (self.number(reals, left)?, self.number(reals, right)?);
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
        let (left, right) = (reals.as_float(&left), reals.as_float(&right));
        let value = match operator {
            Operator::Add => Real::add(&[left, right]),
            Operator::Subtract => Real::sub(&[left, right]),
            Operator::Multiply => Real::mul(&[left, right]),
            Operator::Quotient => left.div(right),
            _ => return None,
        };
        Some(Number::Real(reals.rounded(value)))
    }
}

/// The float nearest to a value that Z3 found, as far as its digits tell.
pub(super) fn nearest(value: &Real) -> Option<f64> {
    let digits = value.approx(DIGITS);
    let float: f64 = digits.trim_end_matches('?').parse().ok()?;
    float.is_finite().then_some(float)
}

/// An integer as Z3 writes it: `7` or `(- 7)`.
pub(super) fn integer(digits: &str) -> Option<BigInt> {
    let (digits, is_negative) = match digits.strip_prefix("(- ") {
        Some(digits) => (digits.trim_end_matches(')'), true),
        None => (digits, false),
    };
    let value = BigInt::parse_bytes(digits.as_bytes(), 10)?;
    Some(if is_negative { -value } else { value })
}
