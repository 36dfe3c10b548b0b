//! Atoms, modules and functions as Elixir source.

use super::elixir_strings::quoted;
use crate::printed_value::{FunctionName, unquoted};

/// What the names of Elixir's modules begin with.
const PREFIX: &str = "Elixir.";

/// Words that cannot be the name of a function without quotes.
const RESERVED: [&str; 15] = [
    "after", "and", "catch", "do", "else", "end", "false", "fn", "in", "nil", "not", "or",
    "rescue", "true", "when",
];

/// Operators that are atoms and functions without quotes.
const OPERATORS: [&str; 22] = [
    "+", "-", "*", "/", "**", "++", "--", "<>", "==", "!=", "===", "!==", "<", ">", "<=", ">=",
    "&&", "||", "!", "|>", "=~", "..",
];

/// The name of a module: `Cart.Item` or `:lists`, given its text.
pub(crate) fn module_name(name: &str) -> String {
    atom(name)
}

/// The text of an atom that is Erlang source.
pub(super) fn atom_text(source: &str) -> String {
    if source.starts_with('\'') {
        unquoted(source)
    } else {
        source.to_owned()
    }
}

/// An atom, given its text: `:ok`, `nil`, `Cart.Item`, `:"odd atom"`.
pub(super) fn atom(text: &str) -> String {
    if let Some(alias) = alias(text) {
        return alias.to_owned();
    }
    match text {
        "nil" | "true" | "false" => text.to_owned(),
        _ if is_plain(text) || OPERATORS.contains(&text) => format!(":{text}"),
        _ => format!(":{}", quoted(text)),
    }
}

/// An atom as the key of a keyword list or a map: `a:` or `"odd key":`. Modules and operators have
/// no such form.
pub(super) fn key(text: &str) -> Option<String> {
    if text.starts_with(PREFIX) || OPERATORS.contains(&text) {
        None
    } else if is_plain(text) {
        Some(format!("{text}:"))
    } else {
        Some(format!("{}:", quoted(text)))
    }
}

/// The name that Elixir has for a module, given its text.
fn alias(text: &str) -> Option<&str> {
    let name = text.strip_prefix(PREFIX)?;
    let is_segment = |segment: &str| {
        let is_part = |it: char| it.is_ascii_alphanumeric() || it == '_';
        segment.starts_with(|first: char| first.is_ascii_uppercase())
            && segment.chars().all(is_part)
    };
    // `Elixir.Elixir.A` and `A` would be the same name.
    (name.split('.').all(is_segment) && !name.starts_with("Elixir.") && name != "Elixir")
        .then_some(name)
}

/// Whether an atom needs no quotes.
fn is_plain(text: &str) -> bool {
    let word = text.strip_suffix(['?', '!']).unwrap_or(text);
    let starts = word.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    let is_part = |it: char| it.is_ascii_alphanumeric() || it == '_' || it == '@';
    starts && word.chars().all(is_part)
}

/// A function without its arity: `Cart.total`, `:lists.map`, `Cart."odd name"`.
pub(super) fn remote(function: &FunctionName) -> String {
    let name = atom_text(&function.name);
    let is_lower = name.starts_with(|first: char| first.is_ascii_lowercase() || first == '_');
    let is_word = is_lower && is_plain(&name) && !name.contains('@');
    let is_plain = is_word && !RESERVED.contains(&name.as_str());
    let name = if is_plain || OPERATORS.contains(&name.as_str()) {
        name
    } else {
        quoted(&name)
    };
    format!("{}.{name}", atom(&atom_text(&function.module)))
}

/// Whether the name of a function has escapes between its quotes, which older releases of Elixir do
/// not read there.
pub(super) fn has_escapes(function: &FunctionName) -> bool {
    remote(function).contains('\\')
}

/// A function as reports show it: `Cart.total/1`, or `anonymous fn/1 in Cart.total/2`.
pub(crate) fn shown_function(function: &FunctionName) -> String {
    match outer(&atom_text(&function.name)) {
        Some((name, arity)) => {
            let outer = FunctionName {
                module: function.module.clone(),
                name: name.to_owned(),
                arity,
            };
            let inside = format!("{}/{arity}", remote_named(&outer, name));
            format!("anonymous fn/{} in {inside}", function.arity)
        }
        None => format!("{}/{}", remote(function), function.arity),
    }
}

/// A function whose name is given as its text.
fn remote_named(function: &FunctionName, name: &str) -> String {
    let source = erlang_term::Atom::new(name).to_string();
    remote(&FunctionName {
        name: source,
        ..function.clone()
    })
}

/// The function that a fun is in: `f` and 1 for `-f/1-fun-0-`.
fn outer(name: &str) -> Option<(&str, usize)> {
    let inside = name.strip_prefix('-')?;
    let inside = inside.strip_prefix("inlined-").unwrap_or(inside);
    let (name, rest) = inside.rsplit_once("/")?;
    let (arity, kind) = rest.split_once('-')?;
    let arity = arity.parse().ok()?;
    (kind.starts_with("fun-") || kind.contains("c$^")).then_some((name, arity))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn atoms_are_written_as_elixir_inspects_them() {
        let cases = [
            ("ok", ":ok"),
            ("nil", "nil"),
            ("Elixir.Cart.Item", "Cart.Item"),
            ("Elixir.cart", ":\"Elixir.cart\""),
            ("Elixir", ":Elixir"),
            ("valid?", ":valid?"),
            ("a b", ":\"a b\""),
            ("", ":\"\""),
            ("+", ":+"),
            ("it's \"#{1}\"", ":\"it's \\\"\\#{1}\\\"\""),
        ];
        for (text, expected) in cases {
            assert_eq!(atom(text), expected);
        }
    }

    #[test]
    fn functions_are_written_as_elixir_calls_them() {
        let cases = [
            ("'Elixir.Cart'", "total", "Cart.total/1"),
            ("'Elixir.Cart'", "'valid?'", "Cart.valid?/1"),
            (
                "'Elixir.Cart.Item'",
                "'odd name?'",
                "Cart.Item.\"odd name?\"/1",
            ),
            ("'Elixir.Cart'", "'end'", "Cart.\"end\"/1"),
            ("erlang", "'+'", ":erlang.+/1"),
            (
                "'Elixir.Cart'",
                "'-total/2-fun-0-'",
                "anonymous fn/1 in Cart.total/2",
            ),
        ];
        for (module, name, expected) in cases {
            let function = FunctionName {
                module: module.to_owned(),
                name: name.to_owned(),
                arity: 1,
            };
            assert_eq!(shown_function(&function), expected);
        }
    }
}
