//! Reads names of modules and functions, as users type them and as reports print them.

use erlang_term::Atom;
use flattener::flat::FunctionId;

use crate::program::elixir_names;

/// The longest atom, in characters.
const MAX_ATOM: usize = 255;

/// Reads an atom: in quotes with escapes as in Erlang, or just its characters.
pub(crate) fn atom(text: &str) -> Option<Atom> {
    let name = match closing_quote(text) {
        Some(end) if end + 1 == text.len() => unescaped(text.get(1..end)?)?,
        _ if text.is_empty() => return None,
        _ => text.to_owned(),
    };
    (name.chars().count() <= MAX_ATOM).then(|| Atom::new(name))
}

/// Reads the name of a module. A text that is not an atom becomes a name that no module has.
pub(crate) fn module(text: &str) -> Atom {
    atom(text).unwrap_or_else(|| Atom::new(text))
}

/// Whether a text is an atom in quotes.
pub(crate) fn is_quoted(text: &str) -> bool {
    closing_quote(text).is_some_and(|end| end + 1 == text.len())
}

/// The names that a module may have, given how a user calls it: Elixir's modules are called without
/// their prefix.
pub(crate) fn modules(text: &str) -> Vec<Atom> {
    let alias = elixir_names::alias(text);
    std::iter::once(module(text)).chain(alias).collect()
}

/// Reads a function such as `m:f/1`, `f/1`, or `M.f/1` as in Elixir.
pub(crate) fn function(text: &str) -> Option<(Option<Atom>, FunctionId)> {
    let (path, arity) = text.rsplit_once('/')?;
    let arity = arity.parse().ok().filter(|arity| *arity <= 255)?;
    if let Some((module, name)) = elixir_names::function(path) {
        return Some((Some(module), FunctionId { name, arity }));
    }
    let (module, name) = match split_module(path) {
        Some((module, name)) => (Some(atom(module)?), name),
        None => (None, path),
    };
    let name = atom(name)?;
    Some((module, FunctionId { name, arity }))
}

/// What an option may name besides a single function.
#[derive(Debug)]
pub(crate) enum Named {
    /// A module, by all names that it may have.
    Modules(Vec<Atom>),
    /// A function.
    Function(Atom, FunctionId),
}

/// Reads a module or a function with its module.
pub(crate) fn named(text: &str) -> Option<Named> {
    if (is_quoted(text) || !text.contains([':', '/'])) && atom(text).is_some() {
        return Some(Named::Modules(modules(text)));
    }
    let (module, function) = function(text)?;
    Some(Named::Function(module?, function))
}

/// Splits at the colon after the name of a module.
fn split_module(path: &str) -> Option<(&str, &str)> {
    let Some(end) = closing_quote(path) else {
        return path.split_once(':');
    };
    let name = path.get(end + 1..)?.strip_prefix(':')?;
    Some((path.get(..=end)?, name))
}

/// The position of the closing quote, if a text starts with a quoted atom.
fn closing_quote(text: &str) -> Option<usize> {
    let mut characters = text.char_indices();
    characters.next().filter(|it| it.1 == '\'')?;
    while let Some((at, character)) = characters.next() {
        match character {
            '\'' => return Some(at),
            '\\' => drop(characters.next()),
            _ => {}
        }
    }
    None
}

/// The text between quotes without escapes; `None` if an escape is invalid.
fn unescaped(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((plain, escaped)) = rest.split_once('\\') {
        out.push_str(plain);
        let (character, after) = escape(escaped)?;
        out.push(character);
        rest = after;
    }
    out.push_str(rest);
    Some(out)
}

/// The character of an escape, given the text after its backslash, and the rest of the text.
fn escape(text: &str) -> Option<(char, &str)> {
    let first = text.chars().next()?;
    let rest = text.get(first.len_utf8()..)?;
    if first.is_digit(8) {
        let is_octal = |byte: &u8| (b'0'..=b'7').contains(byte);
        let count = text.bytes().take(3).take_while(is_octal).count();
        return numbered(text.get(..count)?, 8, text.get(count..)?);
    }
    let character = match first {
        'x' => {
            return match rest.strip_prefix('{') {
                Some(inner) => {
                    let (digits, after) = inner.split_once('}')?;
                    numbered(digits, 16, after)
                }
                None => numbered(rest.get(..2)?, 16, rest.get(2..)?),
            };
        }
        '^' => {
            let control = rest.chars().next()?;
            let code = u32::from(control) & 31;
            return Some((char::from_u32(code)?, rest.get(control.len_utf8()..)?));
        }
        'b' => '\x08',
        'd' => '\x7f',
        'e' => '\x1b',
        'f' => '\x0c',
        'n' => '\n',
        'r' => '\r',
        's' => ' ',
        't' => '\t',
        'v' => '\x0b',
        other => other,
    };
    Some((character, rest))
}

fn numbered<'text>(digits: &str, radix: u32, rest: &'text str) -> Option<(char, &'text str)> {
    let code = u32::from_str_radix(digits, radix).ok()?;
    Some((char::from_u32(code)?, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_erlang_reads_them() {
        let known = [
            ("f", "f"),
            ("'f'", "f"),
            ("''", ""),
            ("it's", "it's"),
            (r"'it\'s'", "it's"),
            (
                r"'\e[2J\033\x1b\x{1b}\^[\n\s\\'",
                "\x1b[2J\x1b\x1b\x1b\x1b\n \\",
            ),
            (r"'\x{1f600}\x{202E}'", "\u{1f600}\u{202e}"),
            ("'ü:/1'", "ü:/1"),
        ];
        for (text, name) in known {
            assert_eq!(atom(text), Some(Atom::new(name)), "{text}");
        }
        for text in [
            "",
            r"'\x{110000}'",
            r"'\x{d800}'",
            r"'\xg'",
            &"a".repeat(256),
        ] {
            assert_eq!(atom(text), None, "{text}");
        }
    }

    #[test]
    fn printed_names_can_be_read() {
        let odd = [
            "a:b",
            "a/1",
            "'",
            "\\",
            "\u{1b}",
            "\u{85}",
            "",
            "it's \"odd\"\n",
            "'a':'b'/1",
        ];
        for module in odd.map(Atom::new) {
            for name in odd.map(Atom::new) {
                let text = format!("{module}:{name}/3");
                let wanted = (Some(module.clone()), FunctionId { name, arity: 3 });
                assert_eq!(function(&text), Some(wanted), "{text}");
            }
        }
    }

    #[test]
    fn invalid_functions_are_rejected() {
        for text in ["", "f", "f/", "f/x", "f/256", "/1", "m:/1", ":f/1", "f/-1"] {
            assert_eq!(function(text), None, "{text}");
        }
    }
}
