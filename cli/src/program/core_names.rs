//! Names and patterns in Core Erlang text.

use erlang_term::{Atom, write_quoted};
use reports::Entry;

use crate::sources::specs::Excluded;

/// An atom.
pub(crate) fn quoted(atom: &Atom) -> String {
    let mut text = String::new();
    write_quoted(&mut text, atom.as_str(), '\'').expect("writing to a string cannot fail");
    text
}

/// A call of a function.
pub(crate) fn call(function: &Entry, arguments: &[String]) -> String {
    let Entry {
        module, function, ..
    } = function;
    let (module, name) = (quoted(module), quoted(&function.name));
    format!("call {module}:{name}({})", arguments.join(","))
}

/// A clause of a case for these results of a function.
pub(crate) fn clause_for(results: &Excluded, body: &str) -> String {
    match results {
        Excluded::AnyAtom => format!("<E> when call 'erlang':'is_atom'(E) -> {body}"),
        Excluded::Atom(atom) => format!("<{}> when 'true' -> {body}", quoted(atom)),
        Excluded::Nil => format!("<[]> when 'true' -> {body}"),
        Excluded::Tagged(tag, size) => {
            let others = (1..*size).map(|it| format!(",E{it}"));
            let others: String = others.collect();
            format!("<{{{}{others}}}> when 'true' -> {body}", quoted(tag))
        }
    }
}
