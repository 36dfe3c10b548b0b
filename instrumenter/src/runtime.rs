//! Calls of the runtime, `erlconcolic_out`, as operations of the flat language.

use erlang_term::{Atom, Term};
use flattener::ast::{Annotations, Child};
use flattener::flat::{Bound, Operation, SiteId, Statement, Value, VarId};
use trace_format::encode_number;

const RUNTIME: &str = "erlconcolic_out";

/// A call of a function of the runtime.
pub(crate) fn call(function: &str, arguments: Vec<Value>) -> Operation {
    Operation::Call {
        module: atom(RUNTIME),
        name: atom(function),
        arguments,
    }
}

/// Logs the event with this number.
pub(crate) fn out(number: u32) -> Statement {
    let bytes = encode_number(number);
    let encoded = bytes
        .iter()
        .fold(0_i64, |encoded, byte| (encoded << 8) | i64::from(*byte));
    let function = match bytes.len() {
        1 => "out",
        2 => "out2",
        _ => "out3",
    };
    discarded(call(function, vec![integer(encoded), nil()]))
}

/// Logs the event with this number and a value.
pub(crate) fn value(number: u32, value: Value) -> Statement {
    discarded(call("value", vec![integer(i64::from(number)), value]))
}

/// A statement whose value is not needed.
pub(crate) fn discarded(operation: Operation) -> Statement {
    statement(Bound::Discarded, operation)
}

/// A statement that binds one variable.
pub(crate) fn binding(variable: VarId, operation: Operation) -> Statement {
    statement(Bound::Variables(vec![variable]), operation)
}

pub(crate) fn statement(bound: Bound, operation: Operation) -> Statement {
    Statement {
        site: SiteId::default(),
        bound,
        operation,
        annotations: Annotations::default(),
    }
}

pub(crate) fn atom(text: &str) -> Value {
    Value::literal(Term::atom(text))
}

pub(crate) fn atom_value(atom: Atom) -> Value {
    Value::literal(Term::Atom(atom))
}

pub(crate) fn integer(value: i64) -> Value {
    Value::literal(Term::Integer(value.into()))
}

fn nil() -> Value {
    Value::literal(Term::list([]))
}

/// A list of values.
pub(crate) fn list(values: impl DoubleEndedIterator<Item = Value>) -> Value {
    values
        .rev()
        .fold(nil(), |tail, head| Value::Cons(Child::new((head, tail))))
}
