//! Functions that always raise. The flattener lists them too, because they may stand where any
//! number of values is needed: its list is the one that counts.

use flattener::flat::ALWAYS_RAISE;

use crate::model::{Exception, Model};

/// An entry for each function in the flattener's list.
pub(crate) fn entries() -> impl Iterator<Item = Model> {
    ALWAYS_RAISE
        .iter()
        .map(|(name, arity)| Model::raise("erlang", name, *arity, exception(name)))
}

fn exception(name: &str) -> Exception {
    match name {
        "error" => Exception::OfClass("error"),
        "exit" => Exception::OfClass("exit"),
        "throw" => Exception::OfClass("throw"),
        _ => Exception::Unknown,
    }
}
