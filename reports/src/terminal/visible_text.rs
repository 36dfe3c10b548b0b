//! Text for terminals: characters that a terminal would obey instead of showing them become
//! Erlang escapes.

use std::borrow::Cow;
use std::fmt::Write;

/// A text of several lines without control sequences. File names, atoms and strings may contain
/// sequences that move the cursor, change colours, or turn the direction of writing.
pub fn visible(text: &str) -> Cow<'_, str> {
    escaped(text, |character| {
        !matches!(character, '\n' | '\t') && is_obeyed(character)
    })
}

/// The same for a name within a line: it must not end the line either.
pub fn visible_name(name: &str) -> Cow<'_, str> {
    escaped(name, is_obeyed)
}

/// Whether terminals, or the rules for text in two directions, take a character as a command.
pub(crate) fn is_obeyed(character: char) -> bool {
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
    fn control_characters_become_escapes() {
        let text = "a\u{1b}[2J\u{9b}31m\u{7}\u{7f}\u{202e}b\r\tü 😀\n";
        let shown = "a\\x{1b}[2J\\x{9b}31m\\x{7}\\x{7f}\\x{202e}b\\x{d}\tü 😀\n";
        assert_eq!(visible(text), shown);
        assert_eq!(visible_name("a\nb"), "a\\x{a}b");
        assert_eq!(visible("plain\n"), Cow::Borrowed("plain\n"));
    }
}
