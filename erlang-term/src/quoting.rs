//! Quoting and number formats that Erlang source and Core Erlang text share.

use std::fmt;

/// Writes `text` between two `quote` characters, escaped so that both the Erlang and the Core
/// Erlang scanner read it back to the same characters.
///
/// Characters from U+0080 on are written as they are: Core Erlang's scanner works on UTF-8 bytes
/// and reads an escape such as `\200` as a lone byte, which is not a character.
pub fn write_quoted(out: &mut impl fmt::Write, text: &str, quote: char) -> fmt::Result {
    write_escaped(out, text, quote, false)
}

/// Writes a Core Erlang string whose elements are the characters of `text`. Core Erlang's scanner
/// takes a string byte by byte, so every element from 128 on is an escape.
pub fn write_core_string(out: &mut impl fmt::Write, text: &str) -> fmt::Result {
    write_escaped(out, text, '"', true)
}

fn write_escaped(
    out: &mut impl fmt::Write,
    text: &str,
    quote: char,
    only_ascii: bool,
) -> fmt::Result {
    out.write_char(quote)?;
    let mut plain_from = 0;
    for (at, character) in text.char_indices() {
        let numbered =
            character < ' ' || character == '\x7f' || (only_ascii && !character.is_ascii());
        let special = numbered || character == quote || character == '\\';
        if !special {
            continue;
        }
        out.write_str(text.get(plain_from..at).unwrap_or_default())?;
        plain_from = at + character.len_utf8();
        match character {
            '\n' => out.write_str("\\n")?,
            '\r' => out.write_str("\\r")?,
            '\t' => out.write_str("\\t")?,
            other if numbered => write!(out, "\\{:03o}", u32::from(other))?,
            other => write!(out, "\\{other}")?,
        }
    }
    out.write_str(text.get(plain_from..).unwrap_or_default())?;
    out.write_char(quote)
}

/// Writes the shortest decimal that reads back to exactly `value`, always with a point and at
/// least one digit on each side of it, as Erlang requires.
pub fn write_float(out: &mut impl fmt::Write, value: f64) -> fmt::Result {
    let shortest = format!("{value:e}");
    let (mantissa, exponent) = shortest.split_once('e').unwrap_or((&shortest, "0"));
    out.write_str(mantissa)?;
    if !mantissa.contains('.') {
        out.write_str(".0")?;
    }
    if exponent != "0" {
        write!(out, "e{exponent}")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn float(value: f64) -> String {
        let mut text = String::new();
        write_float(&mut text, value).expect("writing to a string cannot fail");
        text
    }

    #[test]
    fn floats_have_digits_on_both_sides_of_the_point() {
        assert_eq!(float(1.0), "1.0");
        assert_eq!(float(-0.0), "-0.0");
        assert_eq!(float(1e300), "1.0e300");
        assert_eq!(float(0.1), "1.0e-1");
        assert_eq!(float(5e-324), "5.0e-324");
    }

    #[test]
    fn quotes_escape_themselves() {
        let mut text = String::new();
        write_quoted(&mut text, "it's\n\u{1}\\é", '\'').expect("writing to a string cannot fail");
        assert_eq!(text, r"'it\'s\n\001\\é'");
    }

    proptest! {
        #[test]
        fn a_float_reads_back_to_the_last_bit(bits: u64) {
            let value = f64::from_bits(bits);
            prop_assume!(value.is_finite());
            let back: f64 = float(value).parse().expect("the text is a float");
            prop_assert_eq!(back.to_bits(), bits);
        }
    }
}
