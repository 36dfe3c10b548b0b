//! Strings and charlists as Elixir source.

use std::fmt::Write;

use crate::terminal::is_obeyed;

/// A text between double quotes, escaped.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '"' | '\\' => out.extend(['\\', character]),
            '#' if characters.peek() == Some(&'{') => out.push_str("\\#"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{1b}' => out.push_str("\\e"),
            // Writing to a string cannot fail.
            other if is_obeyed(other) => {
                let _ = write!(out, "\\u{{{:X}}}", u32::from(other));
            }
            other => out.push(other),
        }
    }
    out.push('"');
    out
}

/// The text of a binary, if Elixir would show it as a string.
pub(super) fn string_text(bytes: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(bytes).ok()?;
    text.chars().all(is_printable).then_some(text)
}

/// Whether Elixir shows a character as it is, or by a short escape.
fn is_printable(character: char) -> bool {
    matches!(character, '\n' | '\r' | '\t' | '\u{1b}' | ' '..='~' | '\u{a0}'..)
        && !matches!(character, '\u{e000}'..='\u{f8ff}' | '\u{fffe}'..='\u{ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_characters_are_escaped() {
        let text = "a\"b\\c\n#{x} # \u{1b}\u{7}\u{202e}é";
        assert_eq!(quoted(text), r##""a\"b\\c\n\#{x} # \e\u{7}\u{202E}é""##);
    }

    #[test]
    fn readable_binaries_are_strings() {
        assert_eq!(string_text(b"abc"), Some("abc"));
        assert_eq!(string_text(b""), Some(""));
        assert_eq!(string_text("→ 😀".as_bytes()), Some("→ 😀"));
        assert_eq!(string_text(&[0]), None);
        assert_eq!(string_text(&[255, 1]), None);
    }
}
