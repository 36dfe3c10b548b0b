//! The function that a search or a run begins with.

use std::fmt;

use erlang_term::{Atom, Term};
use flattener::flat::FunctionId;

/// An exported function of the user.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Entry {
    /// Its module.
    pub module: Atom,
    /// Its name and arity.
    pub function: FunctionId,
}

impl Entry {
    /// A call with these arguments, as Erlang source.
    pub fn call(&self, arguments: &[String]) -> String {
        let Self { module, function } = self;
        format!("{module}:{}({})", function.name, arguments.join(", "))
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { module, function } = self;
        write!(f, "{module}:{}/{}", function.name, function.arity)
    }
}

/// Arguments as Erlang source.
pub fn argument_texts(arguments: &[Term]) -> Vec<String> {
    arguments.iter().map(Term::to_string).collect()
}
