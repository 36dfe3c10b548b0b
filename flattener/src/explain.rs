//! Error messages for text that does not parse.

use std::fmt::Write;

use lalrpop_util::ParseError as GrammarError;
use logos::Logos;

use crate::ast::Span;
use crate::complaint::{Complaint, GrammarFailure};
use crate::lexer::{LexicalError, Token};
use crate::parse_error::ParseError;

/// The words of the language.
const KEYWORDS: [&str; 18] = [
    "after",
    "apply",
    "attributes",
    "call",
    "case",
    "catch",
    "do",
    "end",
    "fun",
    "in",
    "let",
    "letrec",
    "module",
    "of",
    "primop",
    "receive",
    "try",
    "when",
];

/// The tokens, as the grammar names them, that can begin an expression, a pattern and so on. Where
/// all of them are expected, the message has the name instead of the list. Larger sets come first.
#[rustfmt::skip]
const KINDS: [(&str, &[&str]); 5] = [
    (
        "an expression",
        &[
            "(", "[", "{", "~", "#", "<", "variable", "integer", "float", "atom", "string",
            "character", "function name", "apply", "call", "case", "catch", "do", "fun", "let",
            "letrec", "primop", "receive", "try",
        ],
    ),
    (
        "an expression that has no annotations yet",
        &[
            "[", "{", "~", "#", "<", "variable", "integer", "float", "atom", "string",
            "character", "function name", "apply", "call", "case", "catch", "do", "fun", "let",
            "letrec", "primop", "receive", "try",
        ],
    ),
    (
        "a clause",
        &[
            "(", "[", "{", "~", "#", "<", "variable", "integer", "float", "atom", "string",
            "character",
        ],
    ),
    (
        "a pattern",
        &[
            "(", "[", "{", "~", "#", "variable", "integer", "float", "atom", "string", "character",
        ],
    ),
    (
        "a constant",
        &[
            "[", "{", "~", "integer", "float", "atom", "string", "character",
        ],
    ),
];

/// Explains why the grammar refused a text.
pub(crate) fn explain(error: GrammarFailure, text: &str) -> ParseError {
    match error {
        GrammarError::User { error } => explain_complaint(error, text),
        GrammarError::InvalidToken { location } => {
            let span = Span {
                start: location,
                end: location,
            };
            error_at(span, "unexpected text", "not expected here")
        }
        GrammarError::UnrecognizedEof { location, expected } => {
            let span = Span {
                start: location,
                end: location,
            };
            if Token::lexer(text).next().is_none() {
                return error_at(span, "the file contains no module", "expected `module`");
            }
            error_at(span, "the text ends too early", list(&expected))
        }
        GrammarError::ExtraToken {
            token: (start, _, end),
        } => after_the_module(text, Span { start, end }),
        GrammarError::UnrecognizedToken {
            token: (start, _, end),
            expected,
        } => {
            let span = Span { start, end };
            // Only the end of the text is not in the list.
            if expected.is_empty() {
                return after_the_module(text, span);
            }
            let title = format!("unexpected {}", shown(text, span));
            error_at(span, title, list(&expected))
        }
    }
}

fn error_at(span: Span, title: impl Into<String>, label: impl Into<String>) -> ParseError {
    ParseError {
        title: title.into(),
        span,
        label: label.into(),
        help: None,
    }
}

fn after_the_module(text: &str, span: Span) -> ParseError {
    error_at(
        span,
        format!("unexpected {} after the module", shown(text, span)),
        "nothing may follow the module",
    )
}

/// The list of expected tokens, given their names in the grammar, in quotes.
fn list(expected: &[String]) -> String {
    let mut names: Vec<&str> = expected.iter().map(|name| name.trim_matches('"')).collect();
    // The tokens of a constant are listed as well.
    names.retain(|name| *name != "constant");
    let mut wanted = Vec::new();
    for (kind, beginnings) in KINDS {
        if beginnings.iter().all(|name| names.contains(name)) {
            names.retain(|name| !beginnings.contains(name));
            wanted.push(kind.to_owned());
            break;
        }
    }
    let mut others: Vec<String> = names.into_iter().map(in_words).collect();
    others.sort_unstable();
    wanted.extend(others);
    match wanted.as_slice() {
        [] => "not expected here".to_owned(),
        [only] => format!("expected {only}"),
        [first @ .., last] => format!("expected {} or {last}", first.join(", ")),
    }
}

/// A token of the grammar in words.
fn in_words(name: &str) -> String {
    match name {
        "atom" | "integer" => format!("an {name}"),
        "variable" | "float" | "string" | "character" | "function name" => format!("a {name}"),
        spelling => format!("`{spelling}`"),
    }
}

/// The text at a span, shortened, in backquotes.
fn shown(text: &str, span: Span) -> String {
    let piece = text.get(span.range()).unwrap_or_default();
    let mut out = String::from("`");
    for character in piece.chars().take(30) {
        // A string cannot refuse a character.
        let _ = out.write_char(if character.is_control() {
            ' '
        } else {
            character
        });
    }
    if piece.chars().count() > 30 {
        out.push('…');
    }
    out.push('`');
    out
}

fn explain_complaint(complaint: Complaint, text: &str) -> ParseError {
    match complaint {
        Complaint::BadArity(span) => {
            error_at(span, "impossible number of parameters", "must be 0 to 255")
        }
        Complaint::ExceptionVariables(span) => error_at(
            span,
            "wrong number of exception variables",
            "`catch` binds 2 or 3 variables: class, reason and stack trace",
        ),
        Complaint::NotAnnotations(span) => {
            error_at(span, "annotations must be a list", "not a list")
        }
        Complaint::Lexical(error, span) => explain_lexical(&error, text, span),
    }
}

fn explain_lexical(error: &LexicalError, text: &str, span: Span) -> ParseError {
    match error {
        LexicalError::UnknownToken => explain_unknown_token(text, span),
        LexicalError::UnknownWord => explain_unknown_word(text, span),
        LexicalError::UnterminatedAtom => {
            error_at(span, "this atom is not closed", "the closing ' is missing")
        }
        LexicalError::UnterminatedString => error_at(
            span,
            "this string is not closed",
            "the closing \" is missing",
        ),
        LexicalError::BadInteger => error_at(span, format!("bad integer {}", shown(text, span)), {
            let number = text.get(span.range()).unwrap_or_default();
            let base = number.split('#').next().unwrap_or_default();
            match base.trim_start_matches(['+', '-']).parse::<u32>() {
                Ok(2..=36) => "digits do not fit the base",
                _ => "the base must be 2 to 36",
            }
        }),
        LexicalError::BadFloat => error_at(
            span,
            format!("bad float {}", shown(text, span)),
            "does not fit in 64 bits",
        ),
        LexicalError::BadEscape => error_at(
            span,
            "bad escape sequence",
            "an escape in here does not stand for a character",
        ),
        LexicalError::AtomTooLong => error_at(
            span,
            "this atom is too long",
            "atoms have at most 255 characters",
        ),
    }
}

fn explain_unknown_token(text: &str, span: Span) -> ParseError {
    let rest = text.get(span.range().start..).unwrap_or_default();
    if rest.starts_with('\u{feff}') {
        let error = error_at(
            span,
            "unexpected byte order mark (U+FEFF)",
            "invisible, but not part of the language",
        );
        return error.help("save the file as UTF-8 without a byte order mark");
    }
    let mut characters = rest.chars();
    let is_attribute = characters.next() == Some('-')
        && characters
            .next()
            .is_some_and(|next| next.is_ascii_lowercase());
    let error = error_at(
        span,
        format!("unknown token {}", shown(text, span)),
        "no token begins like this",
    );
    if is_attribute {
        return error.help("is this Erlang source? Give the file a name that ends in .erl");
    }
    error
}

fn explain_unknown_word(text: &str, span: Span) -> ParseError {
    let word = text.get(span.range()).unwrap_or_default();
    let before = text.get(..span.range().start).unwrap_or_default();
    let is_exponent = word
        .strip_prefix('e')
        .is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()));
    let error = error_at(
        span,
        format!("unknown word {}", shown(text, span)),
        "not a keyword",
    );
    if is_exponent && before.ends_with(|before: char| before.is_ascii_digit()) {
        return error.help("a float needs a fraction: write 1.0e5, not 1e5");
    }
    // One letter wrong, missing or too many, or two exchanged.
    let nearest = KEYWORDS
        .into_iter()
        .find(|keyword| keyword.len() > 2 && strsim::damerau_levenshtein(keyword, word) == 1);
    match nearest {
        Some(keyword) => error.help(format!("did you mean `{keyword}`?")),
        None => error.help("atoms are always quoted in Core Erlang: write 'ok', not ok"),
    }
}
