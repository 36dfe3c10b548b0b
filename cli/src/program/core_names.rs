//! Names in Core Erlang text.

use erlang_term::{Atom, write_quoted};
use reports::Entry;

/// An atom.
pub(crate) fn quoted(atom: &Atom) -> String {
    let mut text = String::new();
    write_quoted(&mut text, atom.as_str(), '\'').expect("writing to a string cannot fail");
    text
}

/// A call of a function.
pub(crate) fn call(function: &Entry, arguments: &[String]) -> String {
    let Entry { module, function } = function;
    let (module, name) = (quoted(module), quoted(&function.name));
    format!("call {module}:{name}({})", arguments.join(","))
}
