//! Reads names of modules and functions as Elixir writes them.

use erlang_term::Atom;

/// Reads a function without its arity: `Cart.total`, `Cart."odd name"` or `:lists.map`.
pub(super) fn function(path: &str) -> Option<(Atom, Atom)> {
    let (module, name) = split(path)?;
    let module = module.strip_prefix("Elixir.").unwrap_or(module);
    let module = match module.strip_prefix(':') {
        Some(erlang) => Atom::new(erlang),
        None => alias(module)?,
    };
    let name = match name.strip_prefix('"') {
        Some(quoted) => unescaped(quoted.strip_suffix('"')?),
        None => name.to_owned(),
    };
    (!name.is_empty()).then(|| (module, Atom::new(name)))
}

/// The module that has this name in Elixir, if it is one: `Cart.Item`.
pub(super) fn alias(name: &str) -> Option<Atom> {
    let is_alias = name.split('.').all(is_segment) && !name.starts_with("Elixir.");
    (is_alias && name != "Elixir").then(|| Atom::new(format!("Elixir.{name}")))
}

/// Splits at the dot before the name of the function.
fn split(path: &str) -> Option<(&str, &str)> {
    if let Some((module, _)) = path.split_once(".\"") {
        return Some((module, path.get(module.len() + 1..)?));
    }
    let (module, name) = path.rsplit_once('.')?;
    let is_word = |it: char| it.is_alphanumeric() || "_?!@".contains(it);
    let is_erlang = module
        .strip_prefix(':')
        .is_some_and(|it| !it.is_empty() && it.chars().all(is_word));
    let starts_like_a_function = !name.starts_with(|first: char| first.is_ascii_uppercase());
    let is_plain = name.chars().all(is_word) && starts_like_a_function;
    (is_plain && (is_erlang || module.split('.').all(is_segment))).then_some((module, name))
}

fn is_segment(segment: &str) -> bool {
    let is_part = |it: char| it.is_ascii_alphanumeric() || it == '_';
    segment.starts_with(|first: char| first.is_ascii_uppercase()) && segment.chars().all(is_part)
}

fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => out.extend(characters.next()),
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_read_as_elixir_writes_them() {
        let cases = [
            ("Cart.total", "Elixir.Cart", "total"),
            ("Cart.Item.valid?", "Elixir.Cart.Item", "valid?"),
            ("Elixir.Cart.total", "Elixir.Cart", "total"),
            ("Cart.\"odd \\\"name\\\"\"", "Elixir.Cart", "odd \"name\""),
            (":lists.map", "lists", "map"),
        ];
        for (path, module, name) in cases {
            let read = function(path);
            assert_eq!(read, Some((Atom::new(module), Atom::new(name))), "{path}");
        }
    }

    #[test]
    fn other_names_are_not_elixirs() {
        for path in [
            "total",
            "cart.total",
            "Cart.Total",
            "Cart",
            "'Cart.total'",
            "Cart:total",
            "",
        ] {
            assert_eq!(function(path), None, "{path}");
        }
        assert_eq!(alias("cart"), None);
        assert_eq!(alias("Elixir.Cart"), None);
    }
}
