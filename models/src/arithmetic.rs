//! Built-ins on numbers.

use solver::Zeros;
use solver::graph::{Graph, Kinds, NodeId, Operator, Rounding};

use crate::model::Rule::{One, Two};
use crate::model::{Applied, Model};

pub(crate) const ENTRIES: &[Model] = &[
    Model::rule("erlang", "+", One(itself)),
    Model::rule("erlang", "-", One(negated)),
    Model::rule("erlang", "abs", One(absolute)),
    Model::rule("erlang", "float", One(float)),
    Model::rule("erlang", "bnot", One(bit_not)),
];

/// One entry for each operator.
macro_rules! operators {
    ($($name:literal => $operator:ident),* $(,)?) => {
        &[$(Model::rule("erlang", $name, Two(|graph, left, right| {
            arithmetic(graph, Operator::$operator, left, right)
        }))),*]
    };
}

pub(crate) const OPERATORS: &[Model] = operators! {
    "+" => Add,
    "-" => Subtract,
    "*" => Multiply,
    "/" => Quotient,
    "div" => Divide,
    "rem" => Remainder,
    "band" => And,
    "bor" => Or,
    "bxor" => Xor,
    "bsl" => ShiftLeft,
    "bsr" => ShiftRight,
};

/// One entry for each way to round.
macro_rules! roundings {
    ($($name:literal => $rounding:ident),* $(,)?) => {
        &[$(Model::rule("erlang", $name, One(|graph, number| {
            of_number(graph, number, |graph, _| graph.rounded(Rounding::$rounding, number))
        }))),*]
    };
}

pub(crate) const ROUNDINGS: &[Model] = roundings! {
    "trunc" => Truncate,
    "round" => Round,
    "floor" => Floor,
    "ceil" => Ceiling,
};

/// Computes a value from a number and zero, which it is given.
fn of_number(
    graph: &mut Graph,
    number: NodeId,
    compute: impl FnOnce(&mut Graph, NodeId) -> NodeId,
) -> Option<Applied> {
    let zero = graph.integer(0);
    let value = compute(graph, zero);
    Some(Applied {
        returns: graph.kind(Kinds::NUMBER, number),
        value,
    })
}

/// `+Number`.
fn itself(graph: &mut Graph, number: NodeId) -> Option<Applied> {
    of_number(graph, number, |_, _| number)
}

/// `-Number`.
fn negated(graph: &mut Graph, number: NodeId) -> Option<Applied> {
    of_number(graph, number, |graph, zero| opposite(graph, zero, number))
}

/// A number with the other sign. Where zeros have signs, `-X` is not `0 - X` for `0.0`.
fn opposite(graph: &mut Graph, zero: NodeId, number: NodeId) -> NodeId {
    match graph.rules().zeros {
        Zeros::Equal => graph.arithmetic(Operator::Subtract, zero, number),
        Zeros::Different => {
            let minus_one = graph.integer(-1);
            graph.arithmetic(Operator::Multiply, number, minus_one)
        }
    }
}

/// `abs(Number)`.
fn absolute(graph: &mut Graph, number: NodeId) -> Option<Applied> {
    of_number(graph, number, |graph, zero| {
        let is_negative = graph.less(number, zero);
        let negated = opposite(graph, zero, number);
        // This makes `0.0` of `-0.0`, and changes nothing else.
        let positive = graph.arithmetic(Operator::Add, number, zero);
        graph.choice(is_negative, negated, positive)
    })
}

/// `float(Number)`.
fn float(graph: &mut Graph, number: NodeId) -> Option<Applied> {
    let one = graph.integer(1);
    arithmetic(graph, Operator::Quotient, number, one)
}

/// `bnot Integer`: one less than the negated number.
fn bit_not(graph: &mut Graph, integer: NodeId) -> Option<Applied> {
    let minus_one = graph.integer(-1);
    Some(Applied {
        returns: graph.kind(Kinds::INTEGER, integer),
        value: graph.arithmetic(Operator::Subtract, minus_one, integer),
    })
}

/// An operation on two numbers.
fn arithmetic(
    graph: &mut Graph,
    operator: Operator,
    left: NodeId,
    right: NodeId,
) -> Option<Applied> {
    if let Some(value) = graph.of_constants(operator, left, right) {
        return Applied::total(value);
    }
    let kinds = if operator.is_integral() {
        Kinds::INTEGER
    } else {
        Kinds::NUMBER
    };
    let mut conditions = vec![graph.kind(kinds, left), graph.kind(kinds, right)];
    let zero = graph.integer(0);
    if operator.is_division() {
        conditions.push(!graph.equal(right, zero));
    } else if operator == Operator::Quotient {
        conditions.push(!graph.same(right, zero));
    }
    conditions.push(!graph.too_large(operator, left, right));
    Some(Applied {
        returns: graph.all(conditions),
        value: graph.arithmetic(operator, left, right),
    })
}
