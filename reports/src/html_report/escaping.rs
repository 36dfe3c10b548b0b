//! Text that is safe in HTML, and in JSON inside HTML.

use std::fmt::Write;

/// Text as the content of an element or a quoted attribute. Invisible characters, and those that
/// turn the direction of text, become Erlang escapes.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(character),
            _ if is_hidden(character) => {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\x{{{:X}}}", u32::from(character));
            }
            _ => out.push(character),
        }
    }
    out
}

fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}'
            | '\u{2060}'..='\u{2069}' | '\u{FEFF}')
}

/// JSON for a script element: nothing in it ends the element or a line. Invisible characters become
/// escapes, as in [`escape`].
pub(crate) fn json_in_html(value: &serde_json::Value) -> String {
    let text = value.to_string();
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '<' => out.push_str("\\u003c"),
            '>' => out.push_str("\\u003e"),
            '&' => out.push_str("\\u0026"),
            '\u{2028}' => out.push_str("\\u2028"),
            '\u{2029}' => out.push_str("\\u2029"),
            // Only control characters of two bytes are not escaped yet.
            _ if is_hidden(character) => {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\\\x{{{:X}}}", u32::from(character));
            }
            _ => out.push(character),
        }
    }
    out
}

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Bytes in base 64, with padding.
pub(crate) fn base64(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |index: usize| u32::from(chunk.get(index).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for place in 0..4 {
            if place > chunk.len() {
                out.push('=');
            } else {
                let digit = bits >> (18 - 6 * place) & 63;
                let letter = ALPHABET.get(digit as usize).copied().unwrap_or(b'=');
                out.push(char::from(letter));
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_ends_an_element_or_an_attribute() {
        assert_eq!(
            escape("'</script><img onerror=\"x\">' & \0\u{202E}é\n"),
            "&#39;&lt;/script&gt;&lt;img onerror=&quot;x&quot;&gt;&#39; &amp; \\x{0}\\x{202E}é\n"
        );
        let json = json_in_html(&serde_json::json!(["</script><!--", "a\u{2028}\"b"]));
        assert_eq!(json, r#"["\u003c/script\u003e\u003c!--","a\u2028\"b"]"#);
        let json = json_in_html(&serde_json::json!("\u{202E}\u{9b}\n"));
        assert_eq!(json, r#""\\x{202E}\\x{9B}\n""#);
    }

    #[test]
    fn base_64_is_padded() {
        let texts = ["", "f", "fo", "foo", "foob"].map(|it| base64(it.as_bytes()));
        assert_eq!(texts, ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg=="]);
    }
}
