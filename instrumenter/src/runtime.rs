//! Calls of the runtime, in the flat form.

use erlang_term::{Atom, Term};
use flattener::ast::{Annotations, Child};
use flattener::flat::{Bound, Operation, SiteId, Statement, Value, VarId};
use trace_format::encode_number;

const RUNTIME: &str = "erlconcolic_out";
/// The module of the emitters that are called most.
const EMITTERS: &str = "erlconcolic_emit";
/// How many bytes one call of an emitter logs.
const MOST_BYTES: usize = 4;

/// A call of a function of the runtime.
pub(crate) fn call(function: &str, arguments: Vec<Value>) -> Operation {
    Operation::Call {
        module: atom(RUNTIME),
        name: atom(function),
        arguments,
    }
}

/// Logs the events with these numbers, up to four bytes with one call.
pub(crate) fn out(numbers: &[u32]) -> Vec<Statement> {
    let bytes = bytes_of(numbers);
    let chunks = bytes.chunks(MOST_BYTES);
    chunks.map(|it| discarded(out_bytes(it, nil()))).collect()
}

/// The same; the last call returns this value, and may be a tail call.
pub(crate) fn out_and_return(numbers: &[u32], value: Value) -> (Vec<Statement>, Operation) {
    let bytes = bytes_of(numbers);
    let before = bytes.len().saturating_sub(1) / MOST_BYTES * MOST_BYTES;
    let (first, last) = bytes.split_at(before);
    let chunks = first.chunks(MOST_BYTES);
    let statements = chunks.map(|it| discarded(out_bytes(it, nil()))).collect();
    (statements, out_bytes(last, value))
}

fn bytes_of(numbers: &[u32]) -> Vec<u8> {
    numbers.iter().copied().flat_map(encode_number).collect()
}

/// Logs one to four bytes, and returns a value.
fn out_bytes(bytes: &[u8], value: Value) -> Operation {
    let function = match bytes.len() {
        1 => "out",
        2 => "out2",
        3 => "out3",
        _ => "out4",
    };
    let encoded = bytes
        .iter()
        .fold(0_i64, |encoded, byte| (encoded << 8) | i64::from(*byte));
    Operation::Call {
        module: atom(EMITTERS),
        name: atom(function),
        arguments: vec![integer(encoded), value],
    }
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
