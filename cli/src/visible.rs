//! Text for terminals: control characters are written as Erlang escapes.

use std::borrow::Cow;
use std::fmt::Write;

/// A text of several lines without control characters: names of files, atoms and strings may have
/// sequences that move the cursor, change colours or reverse the direction of text.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    escaped(text, |character| {
        !matches!(character, '\n' | '\t') && is_control(character)
    })
}

/// The same for a name within a line, which must not have line breaks either.
pub(crate) fn visible_name(name: &str) -> Cow<'_, str> {
    escaped(name, is_control)
}

/// Whether a character controls a terminal or the direction of text.
fn is_control(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        )
}

fn escaped(text: &str, is_special: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_special) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        if is_special(character) {
            // Writing to a string cannot fail.
            let _ = write!(out, "\\x{{{:x}}}", u32::from(character));
        } else {
            out.push(character);
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped() {
        let text = "a\u{1b}[2J\u{9b}31m\u{7}\u{7f}\u{202e}b\r\tü 😀\n";
        let shown = "a\\x{1b}[2J\\x{9b}31m\\x{7}\\x{7f}\\x{202e}b\\x{d}\tü 😀\n";
        assert_eq!(visible(text), shown);
        assert_eq!(visible_name("a\nb"), "a\\x{a}b");
        assert_eq!(visible("plain\n"), Cow::Borrowed("plain\n"));
    }
}
