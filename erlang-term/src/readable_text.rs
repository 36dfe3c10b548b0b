//! Which lists and binaries read better as text.
//!
//! The runtime has the same rules in `erlconcolic_readable`.

use crate::term::Term;

/// The text of a list, if it reads better as a string. Lists of numbers stay lists: letters outside
/// of ASCII count only among at least as many letters of ASCII.
pub(crate) fn list_text(elements: &[Term]) -> Option<String> {
    if elements.is_empty() {
        return None;
    }
    let mut text = String::with_capacity(elements.len());
    let mut balance = 0_i64;
    for element in elements {
        let code = u32::try_from(element.as_i64()?).ok()?;
        let character = char::from_u32(code).filter(|it| is_readable(*it))?;
        balance += match character {
            'a'..='z' | 'A'..='Z' => 1,
            _ if character.is_ascii() => 0,
            _ => -1,
        };
        text.push(character);
    }
    (balance >= 0 || text.is_ascii()).then_some(text)
}

/// The text of a binary in UTF-8, if it reads better as a string.
pub(crate) fn binary_text(bytes: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(bytes).ok()?;
    (!text.is_empty() && text.chars().all(is_readable)).then_some(text)
}

/// Printable characters of ASCII, ends of lines, and letters of Latin, Greek, Cyrillic, Chinese,
/// Japanese and Korean.
fn is_readable(character: char) -> bool {
    matches!(
        character,
        ' '..='~'
            | '\n'
            | '\r'
            | '\t'
            | '\u{c0}'..='\u{d6}'
            | '\u{d8}'..='\u{f6}'
            | '\u{f8}'..='\u{24f}'
            | '\u{370}'..='\u{481}'
            | '\u{48a}'..='\u{52f}'
            | '\u{3041}'..='\u{3096}'
            | '\u{30a1}'..='\u{30fa}'
            | '\u{4e00}'..='\u{9fff}'
            | '\u{ac00}'..='\u{d7a3}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(codes: &[i64]) -> Option<String> {
        let elements: Vec<Term> = codes.iter().map(|it| Term::Integer((*it).into())).collect();
        list_text(&elements)
    }

    #[test]
    fn text_is_told_from_numbers() {
        assert_eq!(list(&[65, 32, 10]).as_deref(), Some("A \n"));
        assert_eq!(list(&[90, 252, 114]).as_deref(), Some("Zür"));
        assert_eq!(list(&[233]), None);
        assert_eq!(list(&[50, 200]), None);
        assert_eq!(list(&[65, 0]), None);
        assert_eq!(list(&[65, -1]), None);
        assert_eq!(list(&[]), None);
        assert_eq!(binary_text("日本".as_bytes()), Some("日本"));
        assert_eq!(binary_text(&[233]), None);
        assert_eq!(binary_text(&[0]), None);
        assert_eq!(binary_text(b""), None);
    }
}
