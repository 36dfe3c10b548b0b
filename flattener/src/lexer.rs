//! Core Erlang tokens, as OTP's own scanner reads them.
//!
//! Atoms are always quoted; a bare lower-case word is a keyword. Numbers carry their sign.

use std::borrow::Cow;

use erlang_term::{Atom, Integer};
use logos::{Lexer, Logos};
use memchr::memchr;

use crate::words::{contains_byte, word_at};

/// Why a piece of text is not a token.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum LexicalError {
    /// No token begins like this.
    #[default]
    UnknownToken,
    /// A quoted atom without its closing quote.
    UnterminatedAtom,
    /// A string without its closing quote.
    UnterminatedString,
    /// A lower-case word that is not a keyword.
    UnknownWord,
    /// An integer with digits outside its base, or a base that does not exist.
    BadInteger,
    /// A float too large for 64 bits.
    BadFloat,
    /// An escape that does not stand for a character.
    BadEscape,
    /// An atom with more than 255 characters.
    AtomTooLong,
}

/// A token. Its value is read from the text again where it is needed: the parser moves tokens by
/// value, so small tokens are faster. They are a whole word for the same reason: a byte that is
/// written and then copied with its word stalls the processor.
#[derive(Clone, Copy, Debug, Logos, PartialEq, Eq)]
#[logos(error = LexicalError)]
#[logos(skip(r"[\x00-\x20\u{80}-\u{A0}]", skip_blanks))]
#[logos(skip("%", skip_comment))]
#[allow(missing_docs, reason = "the spelling of a token says what it is")]
#[repr(u64)]
pub enum Token {
    #[token("(")]
    LeftParenthesis,
    #[token(")")]
    RightParenthesis,
    #[token("{")]
    LeftBrace,
    #[token("}")]
    RightBrace,
    #[token("[")]
    LeftBracket,
    #[token("]")]
    RightBracket,
    #[token("|")]
    Bar,
    #[token(",")]
    Comma,
    #[token("->")]
    Arrow,
    #[token("=")]
    Equals,
    #[token("/")]
    Slash,
    #[token("<")]
    Less,
    #[token(">")]
    Greater,
    #[token(":")]
    Colon,
    #[token("-|")]
    Annotate,
    #[token("#")]
    Hash,
    #[token("~")]
    Tilde,
    #[token("=>")]
    FatArrow,
    #[token(":=")]
    ColonEquals,

    #[token("module")]
    Module,
    #[token("attributes")]
    Attributes,
    #[token("do")]
    Do,
    #[token("let")]
    Let,
    #[token("in")]
    In,
    #[token("letrec")]
    Letrec,
    #[token("apply")]
    Apply,
    #[token("call")]
    Call,
    #[token("primop")]
    Primop,
    #[token("case")]
    Case,
    #[token("of")]
    Of,
    #[token("end")]
    End,
    #[token("when")]
    When,
    #[token("fun")]
    Fun,
    #[token("try")]
    Try,
    #[token("catch")]
    Catch,
    #[token("receive")]
    Receive,
    #[token("after")]
    After,
    #[regex(r"[a-zß-öø-ÿ][a-zA-ZÀ-ÖØ-öø-ÿ0-9_@]*", unknown_word)]
    UnknownWord,

    #[regex(r"[A-Z_À-ÖØ-Þ][a-zA-ZÀ-ÖØ-öø-ÿ0-9_@]*")]
    Variable,
    #[regex(r"[+-]?[0-9]+(#[0-9a-zA-Z]+)?")]
    Integer,
    #[regex(r"[+-]?[0-9]+\.[0-9]+([eE][+-]?[0-9]+)?")]
    Float,
    #[token("'", atom)]
    Atom,
    /// `'f'/2` without space inside: an atom, then a slash and digits.
    FunctionName,
    #[token("\"", string)]
    String,
    #[regex(r"\$(\\(\^.|[0-7][0-7]?[0-7]?|[^0-7^])|[^\\])")]
    Char,
    /// A list or tuple without variables. `tokens.rs` makes it from several tokens, not the lexer.
    Constant,
}

/// A place in a text whose length was checked.
pub(crate) fn offset(position: usize) -> u32 {
    u32::try_from(position).expect("the length of the text was checked")
}

/// Skips all blanks and comments at once: each return to the lexer costs more than a line of either.
#[inline]
fn skip_blanks(lexer: &mut Lexer<'_, Token>) {
    let bytes = lexer.remainder().as_bytes();
    // Most blanks stand alone, and are cheaper without a call.
    if bytes
        .first()
        .is_some_and(|byte| *byte <= b' ' || *byte == b'%')
    {
        lexer.bump(blanks_length(bytes));
    }
}

/// How many bytes of blanks and comments there are.
#[inline(never)]
fn blanks_length(bytes: &[u8]) -> usize {
    let mut at = 0;
    loop {
        if let Some(word) = word_at(bytes, at) {
            at += word.blanks();
        }
        match bytes.get(at) {
            Some(byte) if *byte <= b' ' => at += 1,
            Some(b'%') => at += line_length(bytes.get(at..).unwrap_or_default()),
            _ => return at,
        }
    }
}

fn skip_comment(lexer: &mut Lexer<'_, Token>) {
    lexer.bump(line_length(lexer.remainder().as_bytes()));
    skip_blanks(lexer);
}

/// How many bytes there are up to the end of the line.
fn line_length(bytes: &[u8]) -> usize {
    memchr(b'\n', bytes).unwrap_or(bytes.len())
}

fn unknown_word(_: &mut Lexer<'_, Token>) -> Result<(), LexicalError> {
    Err(LexicalError::UnknownWord)
}

/// An atom, or a function name if its arity follows directly.
fn atom(lexer: &mut Lexer<'_, Token>) -> Result<Token, LexicalError> {
    quoted(lexer, b'\'', LexicalError::UnterminatedAtom)?;
    let Some(rest) = lexer.remainder().as_bytes().strip_prefix(b"/") else {
        return Ok(Token::Atom);
    };
    match rest.iter().take_while(|byte| byte.is_ascii_digit()).count() {
        0 => Ok(Token::Atom),
        digits => {
            lexer.bump(1 + digits);
            Ok(Token::FunctionName)
        }
    }
}

fn string(lexer: &mut Lexer<'_, Token>) -> Result<(), LexicalError> {
    quoted(lexer, b'"', LexicalError::UnterminatedString)
}

/// Skips to the closing quote.
fn quoted(
    lexer: &mut Lexer<'_, Token>,
    quote: u8,
    unterminated: LexicalError,
) -> Result<(), LexicalError> {
    let rest = lexer.remainder();
    let bytes = rest.as_bytes();
    let mut at = 0;
    loop {
        if let Some(word) = word_at(bytes, at) {
            at += word.bytes_before(quote, b'\\');
        }
        match bytes.get(at) {
            Some(byte) if *byte == quote => break,
            Some(b'\\') => at += 2,
            Some(_) => at += 1,
            None => {
                // Only the first line: the rest of the file is not the culprit.
                lexer.bump(rest.find('\n').unwrap_or(rest.len()));
                return Err(unterminated);
            }
        }
    }
    lexer.bump(at + 1);
    Ok(())
}

/// The value of an integer token.
pub fn integer_value(text: &str) -> Result<Integer, LexicalError> {
    if let Some(small) = few_digits(text) {
        return Ok(Integer::Small(small));
    }
    if let Ok(small) = text.parse() {
        return Ok(Integer::Small(small));
    }
    let parsed = match text.split_once('#') {
        None => Integer::parse(text, 10),
        Some((base, digits)) => {
            let (sign, base) = match base.strip_prefix('-') {
                Some(base) => ("-", base),
                None => ("", base.strip_prefix('+').unwrap_or(base)),
            };
            base.parse()
                .ok()
                .filter(|base| (2..=36).contains(base))
                .and_then(|base| Integer::parse(&format!("{sign}{digits}"), base))
        }
    };
    parsed.ok_or(LexicalError::BadInteger)
}

/// The value of up to 18 digits. Nearly all integers are like this, and need fewer checks.
fn few_digits(text: &str) -> Option<i64> {
    if text.len() > 18 {
        return None;
    }
    text.bytes().try_fold(0, |value, byte| {
        let digit = byte.is_ascii_digit().then(|| i64::from(byte - b'0'))?;
        Some(value * 10 + digit)
    })
}

/// The value of a float token.
pub fn float_value(text: &str) -> Result<f64, LexicalError> {
    let parsed: Result<f64, _> = text.parse();
    parsed
        .ok()
        .filter(|value| value.is_finite())
        .ok_or(LexicalError::BadFloat)
}

/// The text between the quotes of a token.
fn unquoted(text: &str) -> &str {
    text.get(1..text.len().saturating_sub(1))
        .unwrap_or_default()
}

/// The text of a quoted token, escapes resolved.
pub fn quoted_value(text: &str) -> Result<Cow<'_, str>, LexicalError> {
    let inner = unquoted(text);
    if contains_byte(text.as_bytes(), b'\\') {
        unescape(inner).map(Cow::Owned)
    } else {
        Ok(Cow::Borrowed(inner))
    }
}

/// The elements of a string token, as characters. OTP's scanner reads bytes: a letter outside of
/// ASCII stands for the bytes of its UTF-8 form, an escape for one number.
pub fn string_value(text: &str) -> Result<Box<str>, LexicalError> {
    if text.is_ascii() {
        return quoted_value(text).map(Into::into);
    }
    let bytes: String = text.bytes().map(char::from).collect();
    quoted_value(&bytes).map(Into::into)
}

/// The text of an atom token.
pub fn atom_value(text: &str) -> Result<Atom, LexicalError> {
    // Nearly all are short and without escapes.
    if text.len() <= 255 && !contains_byte(text.as_bytes(), b'\\') {
        return Ok(Atom::new(unquoted(text)));
    }
    let name = quoted_value(text)?;
    // Characters are counted only where the bytes could be too many.
    if name.len() > 255 && name.chars().count() > 255 {
        return Err(LexicalError::AtomTooLong);
    }
    Ok(Atom::new(name))
}

/// The code of a character token.
pub fn character_value(text: &str) -> Result<u32, LexicalError> {
    let text = text.get(1..).unwrap_or_default();
    match text.strip_prefix('\\') {
        Some(rest) => escape(rest).map(|(code, _)| code),
        None => text
            .chars()
            .next()
            .map(u32::from)
            .ok_or(LexicalError::BadEscape),
    }
}

fn unescape(text: &str) -> Result<String, LexicalError> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.push_str(rest.get(..at).unwrap_or_default());
        let (code, after) = escape(rest.get(at + 1..).unwrap_or_default())?;
        out.push(char::from_u32(code).ok_or(LexicalError::BadEscape)?);
        rest = after;
    }
    out.push_str(rest);
    Ok(out)
}

/// The character of an escape, given the text after its backslash, and the text after the escape.
fn escape(text: &str) -> Result<(u32, &str), LexicalError> {
    let mut characters = text.chars();
    let first = characters.next().ok_or(LexicalError::BadEscape)?;
    if first.is_digit(8) {
        let digits = text
            .bytes()
            .take(3)
            .take_while(|byte| (b'0'..=b'7').contains(byte))
            .count();
        let (digits, rest) = text.split_at(digits);
        let code = u32::from_str_radix(digits, 8).map_err(|_| LexicalError::BadEscape)?;
        return Ok((code, rest));
    }
    let code = match first {
        '^' => {
            let control = characters.next().ok_or(LexicalError::BadEscape)?;
            u32::from(control) & 31
        }
        'n' => 10,
        'r' => 13,
        't' => 9,
        'v' => 11,
        'b' => 8,
        'f' => 12,
        'e' => 27,
        's' => 32,
        'd' => 127,
        other => u32::from(other),
    };
    Ok((code, characters.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<Result<Token, LexicalError>> {
        Token::lexer(text).collect()
    }

    fn one(text: &str) -> Token {
        let all = tokens(text);
        assert_eq!(all.len(), 1, "{text} is one token: {all:?}");
        all[0].clone().expect("a token")
    }

    #[test]
    fn reads_numbers_of_every_form() {
        assert_eq!(one("16#fF"), Token::Integer);
        assert_eq!(integer_value("16#fF"), Ok(255.into()));
        assert_eq!(one("-12"), Token::Integer);
        assert_eq!(integer_value("-12"), Ok((-12).into()));
        assert_eq!(integer_value("+12"), Ok(12.into()));
        assert_eq!(one("1.5e-3"), Token::Float);
        assert_eq!(float_value("1.5e-3"), Ok(0.0015));
        assert_eq!(integer_value("2#102"), Err(LexicalError::BadInteger));
        assert_eq!(float_value("1.0e999"), Err(LexicalError::BadFloat));
    }

    #[test]
    fn resolves_every_escape() {
        let text = r"'\n\t\\\'\^a\0\12\177\e\s\d\x'";
        assert_eq!(one(text), Token::Atom);
        assert_eq!(
            quoted_value(text),
            Ok("\n\t\\'\u{1}\0\n\u{7f}\u{1b} \u{7f}x".into())
        );
        for (text, code) in [(r"$\^a", 1), (r"$\177", 127), ("$é", 233), ("$$", 36)] {
            assert_eq!(one(text), Token::Char);
            assert_eq!(character_value(text), Ok(code));
        }
    }

    #[test]
    fn strings_hold_what_otp_reads() {
        assert_eq!(string_value(r#""\351a""#), Ok("\u{e9}a".into()));
        assert_eq!(string_value("\"é\""), Ok("\u{c3}\u{a9}".into()));
        assert_eq!(string_value("\"\\é\""), Ok("\u{c3}\u{a9}".into()));
    }

    #[test]
    fn skips_comments_and_odd_spaces() {
        assert_eq!(
            tokens("let % a comment\n\u{a0}X"),
            [Ok(Token::Let), Ok(Token::Variable)]
        );
        assert_eq!(tokens("% to the end of the file"), []);
    }

    #[test]
    fn keeps_keywords_apart_from_longer_words() {
        assert_eq!(one("letrec"), Token::Letrec);
        assert_eq!(tokens("lets"), [Err(LexicalError::UnknownWord)]);
    }

    #[test]
    fn takes_a_function_name_as_one_token() {
        assert_eq!(one("'f'/2"), Token::FunctionName);
        assert_eq!(
            tokens("'f' /2"),
            [Ok(Token::Atom), Ok(Token::Slash), Ok(Token::Integer)]
        );
        assert_eq!(
            tokens("'f'/X"),
            [Ok(Token::Atom), Ok(Token::Slash), Ok(Token::Variable)]
        );
    }

    #[test]
    fn reports_unclosed_quotes() {
        assert_eq!(tokens("'abc\nX")[0], Err(LexicalError::UnterminatedAtom));
        assert_eq!(tokens("\"abc")[0], Err(LexicalError::UnterminatedString));
        assert_eq!(tokens(r"'abc\'"), [Err(LexicalError::UnterminatedAtom)]);
    }
}
