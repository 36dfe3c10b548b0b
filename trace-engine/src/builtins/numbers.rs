//! Built-ins on numbers.

use super::Applied;
use solver::graph::{Condition, Graph, Kinds, NodeId, Operator, Rounding};

/// A built-in on one number; `None` if it is none.
pub(super) fn apply_one(graph: &mut Graph, name: &str, number: NodeId) -> Option<Applied> {
    let zero = graph.integer(0);
    let value = match name {
        "+" => number,
        "-" => graph.arithmetic(Operator::Subtract, zero, number),
        "abs" => {
            let negative = graph.less(number, zero);
            let negated = graph.arithmetic(Operator::Subtract, zero, number);
            graph.choice(negative, negated, number)
        }
        "bnot" => return Some(bit_not(graph, number)),
        "float" => {
            let one = graph.integer(1);
            return Some(arithmetic(graph, Operator::Quotient, number, one));
        }
        _ => graph.rounded(rounding(name)?, number),
    };
    Some(Applied {
        returns: graph.kind(Kinds::NUMBER, number),
        value,
    })
}

fn rounding(name: &str) -> Option<Rounding> {
    Some(match name {
        "trunc" => Rounding::Truncate,
        "round" => Rounding::Round,
        "floor" => Rounding::Floor,
        "ceil" => Rounding::Ceiling,
        _ => return None,
    })
}

/// One less than the negated number.
fn bit_not(graph: &mut Graph, integer: NodeId) -> Applied {
    let minus_one = graph.integer(-1);
    Applied {
        returns: graph.kind(Kinds::INTEGER, integer),
        value: graph.arithmetic(Operator::Subtract, minus_one, integer),
    }
}

/// The operator with this name.
pub(super) fn operator(name: &str) -> Option<Operator> {
    Some(match name {
        "+" => Operator::Add,
        "-" => Operator::Subtract,
        "*" => Operator::Multiply,
        "/" => Operator::Quotient,
        "div" => Operator::Divide,
        "rem" => Operator::Remainder,
        "band" => Operator::And,
        "bor" => Operator::Or,
        "bxor" => Operator::Xor,
        "bsl" => Operator::ShiftLeft,
        "bsr" => Operator::ShiftRight,
        _ => return None,
    })
}

/// An operation on two numbers.
pub(super) fn arithmetic(
    graph: &mut Graph,
    operator: Operator,
    left: NodeId,
    right: NodeId,
) -> Applied {
    if let Some(value) = graph.of_constants(operator, left, right) {
        return Applied {
            returns: Condition::TRUE,
            value,
        };
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
    Applied {
        returns: graph.all(conditions),
        value: graph.arithmetic(operator, left, right),
    }
}
