//! The characters and bytes of printed strings, atoms and bit strings.

/// The characters of a quoted text, without the quotes.
pub(crate) fn unquoted(text: &str) -> String {
    let inside = text
        .get(1..text.len().saturating_sub(1))
        .unwrap_or_default();
    let mut out = String::new();
    let mut characters = inside.chars().peekable();
    while let Some(character) = characters.next() {
        if character != '\\' {
            out.push(character);
            continue;
        }
        match characters.next() {
            Some('n') => out.push('\n'),
            Some('r') => out.push('\r'),
            Some('t') => out.push('\t'),
            Some('s') => out.push(' '),
            Some('x') => {
                let digits: String = characters.by_ref().take_while(|it| *it != '}').collect();
                let code = u32::from_str_radix(digits.trim_start_matches('{'), 16).ok();
                out.extend(code.and_then(char::from_u32));
            }
            Some(first) if first.is_digit(8) => {
                let mut code = first.to_digit(8).unwrap_or(0);
                for _ in 0..2 {
                    let next = characters.next_if(|it| it.is_digit(8));
                    code = next
                        .and_then(|it| it.to_digit(8))
                        .map_or(code, |digit| code * 8 + digit);
                }
                out.extend(char::from_u32(code));
            }
            // The rest are rare control characters such as `\e`, or stand for themselves.
            Some(other) => out.push(other),
            None => {}
        }
    }
    out
}

/// The text of a binary in UTF-8 that a BEAM printed.
pub fn printed_text(source: &str) -> Option<String> {
    let (bytes, last) = bytes(source)?;
    String::from_utf8(bytes).ok().filter(|_| last == 8)
}

/// The bytes of a printed bit string, and how many bits of the last byte count.
pub(crate) fn bytes(text: &str) -> Option<(Vec<u8>, usize)> {
    let inside = text.strip_prefix("<<")?.strip_suffix(">>")?;
    if inside.is_empty() {
        return Some((Vec::new(), 8));
    }
    if inside.starts_with('"') {
        return Some(match inside.strip_suffix("/utf8") {
            Some(quoted) => (unquoted(quoted).into_bytes(), 8),
            None => {
                let characters = unquoted(inside);
                let bytes = characters.chars().map(|it| u8::try_from(u32::from(it)));
                (bytes.collect::<Result<_, _>>().ok()?, 8)
            }
        });
    }
    let mut bytes = Vec::new();
    let mut last = 8;
    for part in inside.split(',') {
        let (value, size) = part.split_once(':').unwrap_or((part, "8"));
        bytes.push(value.trim().parse().ok()?);
        last = size.trim().parse().ok()?;
    }
    Some((bytes, last))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bit_strings_have_bytes() {
        let cases: [(&str, &[u8], usize); 5] = [
            ("<<>>", b"", 8),
            ("<<\"ab\">>", b"ab", 8),
            ("<<\"é\"/utf8>>", "é".as_bytes(), 8),
            ("<<\"é\">>", &[233], 8),
            ("<<1,5:3>>", &[1, 5], 3),
        ];
        for (text, expected, last) in cases {
            assert_eq!(bytes(text), Some((expected.to_vec(), last)), "{text}");
        }
    }

    #[test]
    fn quotes_are_removed() {
        assert_eq!(
            unquoted(r"'it\'s\n\x{2603}\001\\'"),
            "it's\n\u{2603}\u{1}\\"
        );
    }
}
