//! Core Erlang tokens, as OTP's own scanner reads them.
//!
//! Atoms are always quoted; a bare lower-case word is a keyword. Numbers carry their sign.

use std::borrow::Cow;

use erlang_term::Integer;
use logos::{Lexer, Logos};

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
    /// A lower-case word that is no keyword.
    UnknownWord,
    /// An integer with digits outside its base, or a base that does not exist.
    BadInteger,
    /// A float too large for 64 bits.
    BadFloat,
    /// An escape that names no character.
    BadEscape,
    /// An atom with more than 255 characters.
    AtomTooLong,
}

/// A token; `'text` is the text it was read from.
#[derive(Clone, Debug, Logos, PartialEq)]
#[logos(error = LexicalError)]
#[logos(skip r"[\x00-\x20\u{80}-\u{A0}]+")]
#[logos(skip(r"%[^\n]*", allow_greedy = true))]
#[allow(missing_docs, reason = "the spelling of a token says what it is")]
pub enum Token<'text> {
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
    Variable(&'text str),
    #[regex(r"[+-]?[0-9]+(#[0-9a-zA-Z]+)?", integer)]
    Integer(Integer),
    #[regex(r"[+-]?[0-9]+\.[0-9]+([eE][+-]?[0-9]+)?", float)]
    Float(f64),
    #[token("'", atom)]
    Atom(Cow<'text, str>),
    #[token("\"", string)]
    String(Cow<'text, str>),
    #[regex(r"\$(\\(\^.|[0-7][0-7]?[0-7]?|[^0-7^])|[^\\])", character)]
    Char(u32),
}

fn unknown_word<'text>(_: &mut Lexer<'text, Token<'text>>) -> Result<(), LexicalError> {
    Err(LexicalError::UnknownWord)
}

fn integer<'text>(lexer: &mut Lexer<'text, Token<'text>>) -> Result<Integer, LexicalError> {
    let text = lexer.slice();
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

fn float<'text>(lexer: &mut Lexer<'text, Token<'text>>) -> Result<f64, LexicalError> {
    let parsed: Result<f64, _> = lexer.slice().parse();
    parsed
        .ok()
        .filter(|value| value.is_finite())
        .ok_or(LexicalError::BadFloat)
}

fn atom<'text>(lexer: &mut Lexer<'text, Token<'text>>) -> Result<Cow<'text, str>, LexicalError> {
    let text = quoted(lexer, b'\'', LexicalError::UnterminatedAtom)?;
    // Characters are counted only where the bytes could be too many.
    if text.len() > 255 && text.chars().count() > 255 {
        return Err(LexicalError::AtomTooLong);
    }
    Ok(text)
}

fn string<'text>(lexer: &mut Lexer<'text, Token<'text>>) -> Result<Cow<'text, str>, LexicalError> {
    quoted(lexer, b'"', LexicalError::UnterminatedString)
}

/// Reads up to the closing quote and resolves escapes.
fn quoted<'text>(
    lexer: &mut Lexer<'text, Token<'text>>,
    quote: u8,
    unterminated: LexicalError,
) -> Result<Cow<'text, str>, LexicalError> {
    let rest = lexer.remainder();
    let bytes = rest.as_bytes();
    let mut at = 0;
    let mut escaped = false;
    loop {
        match bytes.get(at) {
            Some(byte) if *byte == quote => break,
            Some(b'\\') => {
                escaped = true;
                at += 2;
            }
            Some(_) => at += 1,
            None => {
                // Only the first line: the rest of the file is not the culprit.
                lexer.bump(rest.find('\n').unwrap_or(rest.len()));
                return Err(unterminated);
            }
        }
    }
    lexer.bump(at + 1);
    let inner = rest
        .get(..at)
        .expect("a quote stands on a character boundary");
    if escaped {
        unescape(inner).map(Cow::Owned)
    } else {
        Ok(Cow::Borrowed(inner))
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

/// The character an escape stands for, given the text behind its backslash, and what follows.
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

fn character<'text>(lexer: &mut Lexer<'text, Token<'text>>) -> Result<u32, LexicalError> {
    let text = lexer.slice().get(1..).unwrap_or_default();
    match text.strip_prefix('\\') {
        Some(rest) => escape(rest).map(|(code, _)| code),
        None => text
            .chars()
            .next()
            .map(u32::from)
            .ok_or(LexicalError::BadEscape),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<Result<Token<'_>, LexicalError>> {
        Token::lexer(text).collect()
    }

    fn one(text: &str) -> Result<Token<'_>, LexicalError> {
        let mut all = tokens(text);
        assert_eq!(all.len(), 1, "{text} is one token: {all:?}");
        all.remove(0)
    }

    #[test]
    fn reads_numbers_of_every_form() {
        assert_eq!(one("16#fF"), Ok(Token::Integer(255.into())));
        assert_eq!(one("-12"), Ok(Token::Integer((-12).into())));
        assert_eq!(one("1.5e-3"), Ok(Token::Float(0.0015)));
        assert_eq!(one("2#102"), Err(LexicalError::BadInteger));
        assert_eq!(one("1.0e999"), Err(LexicalError::BadFloat));
    }

    #[test]
    fn resolves_every_escape() {
        assert_eq!(
            one(r"'\n\t\\\'\^a\0\12\177\e\s\d\x'"),
            Ok(Token::Atom("\n\t\\'\u{1}\0\n\u{7f}\u{1b} \u{7f}x".into()))
        );
        assert_eq!(one(r"$\^a"), Ok(Token::Char(1)));
        assert_eq!(one(r"$\177"), Ok(Token::Char(127)));
        assert_eq!(one("$é"), Ok(Token::Char(233)));
        assert_eq!(one("$$"), Ok(Token::Char(36)));
    }

    #[test]
    fn skips_comments_and_odd_spaces() {
        assert_eq!(
            tokens("let % a comment\n\u{a0}X"),
            [Ok(Token::Let), Ok(Token::Variable("X"))]
        );
        assert_eq!(tokens("% to the end of the file"), []);
    }

    #[test]
    fn keeps_keywords_apart_from_longer_words() {
        assert_eq!(one("letrec"), Ok(Token::Letrec));
        assert_eq!(one("lets"), Err(LexicalError::UnknownWord));
    }

    #[test]
    fn names_what_is_not_closed() {
        assert_eq!(tokens("'abc\nX")[0], Err(LexicalError::UnterminatedAtom));
        assert_eq!(tokens("\"abc")[0], Err(LexicalError::UnterminatedString));
        assert_eq!(tokens(r"'abc\'"), [Err(LexicalError::UnterminatedAtom)]);
    }
}
