//! From text to syntax tree.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::fmt::Write;

use diagnostic::{Diagnostic, Source};
use lalrpop_util::{ParseError as GrammarError, lalrpop_mod};
use logos::{Lexer, Logos};
use thiserror::Error;

use crate::ast::{
    Annotations, Child, Cons, Constant, ConstantList, Expr, FunctionName, Literal, LiteralValue,
    Meta, Module, Pattern, PatternCons, Span,
};
use crate::constants::ConstantReader;
use crate::lexer::{LexicalError, Token, atom_value};

lalrpop_mod!(
    #[allow(
        clippy::all,
        clippy::allow_attributes_without_reason,
        clippy::indexing_slicing,
        clippy::unwrap_used,
        clippy::wildcard_enum_match_arm,
        clippy::too_many_lines,
        missing_docs,
        missing_debug_implementations,
        unused_imports,
        unused_qualifications,
        reason = "generated code"
    )]
    grammar
);

/// What grammar actions find wrong, beyond what the grammar itself can say.
#[derive(Debug, PartialEq)]
pub(crate) enum Complaint {
    Lexical(LexicalError, Span),
    BadArity(Span),
    ExceptionVariables(Span),
    NotAnnotations(Span),
}

/// Why a text is not a Core Erlang module.
#[derive(Debug, Error, PartialEq)]
#[error("{title}")]
pub struct ParseError {
    /// What is wrong, in one line.
    pub title: String,
    /// The place.
    pub span: Span,
    /// What is to be said at the place.
    pub label: String,
    /// What to do about it.
    pub help: Option<String>,
}

impl ParseError {
    /// The message for the user, given the text that was parsed and its name.
    pub fn diagnostic(self, source_name: &str, text: &str) -> Diagnostic {
        let source = Source {
            name: source_name.to_owned(),
            text: text.to_owned(),
        };
        let diagnostic =
            Diagnostic::error("core-syntax", self.title).at(source, self.span.range(), self.label);
        match self.help {
            Some(help) => diagnostic.help(help),
            None => diagnostic,
        }
    }
}

/// Parses the text of one module.
///
/// # Errors
/// When the text is not a module of Core Erlang.
pub fn parse_module(text: &str) -> Result<Module, ParseError> {
    let Ok(_) = u32::try_from(text.len()) else {
        return Err(ParseError {
            title: "the file is larger than 4 GiB".to_owned(),
            span: Span::default(),
            label: String::new(),
            help: None,
        });
    };
    // Without constants the grammar sees every token and can say what is wrong with it.
    parse(text, true)
        .or_else(|_| parse(text, false))
        .map_err(|error| explain(error, text))
}

fn parse(text: &str, with_constants: bool) -> Result<Module, GrammarFailure> {
    let constants = Constants::default();
    let tokens = Tokens {
        lexer: Token::lexer(text),
        with_constants,
        reader: ConstantReader::default(),
        constants: &constants,
        after_sigil: false,
    };
    grammar::ModuleParser::new()
        .parse(text, &constants, tokens)
        .map(|module| *module)
}

type GrammarFailure = GrammarError<u32, Token, Complaint>;

/// Constants read in one go, with the places where they begin, in the order of their tokens. They
/// travel beside the tokens, not in them, because the generated parser moves tokens by value.
pub(crate) type Constants = RefCell<VecDeque<(u32, Constant)>>;

/// The tokens of a text, constants read in one go.
struct Tokens<'text> {
    lexer: Lexer<'text, Token>,
    with_constants: bool,
    reader: ConstantReader,
    constants: &'text Constants,
    /// Whether the token before was `~` or `#`, so that a brace opens a map or a binary.
    after_sigil: bool,
}

impl Tokens<'_> {
    /// The token itself, or, if it opens a constant, that constant as one token.
    #[inline]
    fn with_constant(&mut self, token: Token) -> Token {
        let opens_term =
            token == Token::LeftBracket || (token == Token::LeftBrace && !self.after_sigil);
        self.after_sigil = matches!(token, Token::Tilde | Token::Hash);
        if opens_term && self.with_constants {
            let start = offset(self.lexer.span().start);
            if let Some(constant) = self.reader.read(&mut self.lexer, token) {
                self.constants.borrow_mut().push_back((start, constant));
                return Token::Constant;
            }
        }
        token
    }
}

impl Iterator for Tokens<'_> {
    type Item = Result<(u32, Token, u32), Complaint>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let token = self.lexer.next()?;
        let start = offset(self.lexer.span().start);
        let token = token.map(|token| self.with_constant(token));
        let end = offset(self.lexer.span().end);
        Some(match token {
            Ok(token) => Ok((start, token, end)),
            Err(error) => Err(Complaint::Lexical(error, Span { start, end })),
        })
    }
}

fn offset(position: usize) -> u32 {
    u32::try_from(position).expect("the length of the text was checked")
}

fn explain(error: GrammarFailure, text: &str) -> ParseError {
    match error {
        GrammarError::User { error } => explain_complaint(error, text),
        GrammarError::InvalidToken { location } => unexpected(
            Span {
                start: location,
                end: location,
            },
            "unexpected text".to_owned(),
            &[],
        ),
        GrammarError::UnrecognizedEof { location, expected } => unexpected(
            Span {
                start: location,
                end: location,
            },
            "the text ends too early".to_owned(),
            &expected,
        ),
        GrammarError::UnrecognizedToken {
            token: (start, _, end),
            expected,
        } => {
            let span = Span { start, end };
            unexpected(span, format!("unexpected {}", shown(text, span)), &expected)
        }
        GrammarError::ExtraToken {
            token: (start, _, end),
        } => {
            let span = Span { start, end };
            ParseError {
                title: format!(
                    "unexpected {} after the end of the module",
                    shown(text, span)
                ),
                span,
                label: "nothing may follow the module".to_owned(),
                help: None,
            }
        }
    }
}

fn unexpected(span: Span, title: String, expected: &[String]) -> ParseError {
    let mut wanted: Vec<&str> = expected.iter().map(|name| friendly(name)).collect();
    wanted.sort_unstable();
    wanted.dedup();
    let label = match wanted.as_slice() {
        [] => "not expected here".to_owned(),
        [only] => format!("expected {only}"),
        [first @ .., last] if first.len() < 8 => format!("expected {} or {last}", first.join(", ")),
        many if many.contains(&"`letrec`") => "expected an expression".to_owned(),
        many => {
            let shown = many.get(..7).unwrap_or(many).join(", ");
            format!(
                "expected {shown} or one of {} others",
                many.len().saturating_sub(7)
            )
        }
    };
    ParseError {
        title,
        span,
        label,
        help: None,
    }
}

/// A token of the grammar in words.
fn friendly(name: &str) -> &str {
    match name {
        "\"variable\"" => "a variable",
        "\"integer\"" => "an integer",
        "\"float\"" => "a float",
        "\"atom\"" => "an atom",
        "\"function name\"" => "a function name",
        "\"constant\"" => "a constant",
        "\"string\"" => "a string",
        "\"character\"" => "a character",
        "\"module\"" => "`module`",
        "\"letrec\"" => "`letrec`",
        other => quoted_token(other),
    }
}

/// `"x"` as `` `x` `` for the fixed set of tokens, without allocating.
fn quoted_token(name: &str) -> &str {
    const TOKENS: [(&str, &str); 35] = [
        ("\"(\"", "`(`"),
        ("\")\"", "`)`"),
        ("\"{\"", "`{`"),
        ("\"}\"", "`}`"),
        ("\"[\"", "`[`"),
        ("\"]\"", "`]`"),
        ("\"|\"", "`|`"),
        ("\",\"", "`,`"),
        ("\"->\"", "`->`"),
        ("\"=\"", "`=`"),
        ("\"/\"", "`/`"),
        ("\"<\"", "`<`"),
        ("\">\"", "`>`"),
        ("\":\"", "`:`"),
        ("\"-|\"", "`-|`"),
        ("\"#\"", "`#`"),
        ("\"~\"", "`~`"),
        ("\"=>\"", "`=>`"),
        ("\":=\"", "`:=`"),
        ("\"attributes\"", "`attributes`"),
        ("\"do\"", "`do`"),
        ("\"let\"", "`let`"),
        ("\"in\"", "`in`"),
        ("\"apply\"", "`apply`"),
        ("\"call\"", "`call`"),
        ("\"primop\"", "`primop`"),
        ("\"case\"", "`case`"),
        ("\"of\"", "`of`"),
        ("\"end\"", "`end`"),
        ("\"when\"", "`when`"),
        ("\"fun\"", "`fun`"),
        ("\"try\"", "`try`"),
        ("\"catch\"", "`catch`"),
        ("\"receive\"", "`receive`"),
        ("\"after\"", "`after`"),
    ];
    TOKENS
        .iter()
        .find(|(token, _)| *token == name)
        .map_or(name, |(_, shown)| shown)
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
    let (title, span, label, help) = match complaint {
        Complaint::BadArity(span) => (
            "impossible number of parameters".to_owned(),
            span,
            "must be 0 to 255",
            None,
        ),
        Complaint::ExceptionVariables(span) => (
            "wrong number of exception variables".to_owned(),
            span,
            "`catch` binds 2 or 3 variables: class, reason and stack trace",
            None,
        ),
        Complaint::NotAnnotations(span) => (
            "annotations must be a list".to_owned(),
            span,
            "not a list",
            None,
        ),
        Complaint::Lexical(error, span) => {
            let (title, label, help) = explain_lexical(&error, text, span);
            (title, span, label, help)
        }
    };
    ParseError {
        title,
        span,
        label: label.to_owned(),
        help: help.map(str::to_owned),
    }
}

fn explain_lexical(
    error: &LexicalError,
    text: &str,
    span: Span,
) -> (String, &'static str, Option<&'static str>) {
    match error {
        LexicalError::UnknownToken => (
            format!("unknown token {}", shown(text, span)),
            "no token begins like this",
            None,
        ),
        LexicalError::UnknownWord => (
            format!("unknown word {}", shown(text, span)),
            "not a keyword",
            Some("atoms are always quoted in Core Erlang: write 'ok', not ok"),
        ),
        LexicalError::UnterminatedAtom => (
            "this atom is not closed".to_owned(),
            "the closing ' is missing",
            None,
        ),
        LexicalError::UnterminatedString => (
            "this string is not closed".to_owned(),
            "the closing \" is missing",
            None,
        ),
        LexicalError::BadInteger => (
            format!("bad integer {}", shown(text, span)),
            "digits do not fit the base",
            None,
        ),
        LexicalError::BadFloat => (
            format!("bad float {}", shown(text, span)),
            "does not fit in 64 bits",
            None,
        ),
        LexicalError::BadEscape => (
            "bad escape sequence".to_owned(),
            "an escape in here names no character",
            None,
        ),
        LexicalError::AtomTooLong => (
            "this atom is too long".to_owned(),
            "atoms have at most 255 characters",
            None,
        ),
    }
}

/// A list of constants as annotations.
pub(crate) fn annotations(list: Constant, span: Span) -> Result<Annotations, GrammarFailure> {
    if let Constant::List(list) = list
        && list.tail.is_none()
    {
        return Ok(Annotations::new(list.into_inner().elements.into()));
    }
    Err(GrammarError::User {
        error: Complaint::NotAnnotations(span),
    })
}

/// The constant whose token begins at a place. It is one of the first that are left: the grammar
/// holds back at most the few constants of a rule that is not complete yet.
pub(crate) fn take_constant(constants: &Constants, start: u32) -> Constant {
    let mut waiting = constants.borrow_mut();
    let index = waiting.iter().position(|(place, _)| *place == start);
    let found = index.and_then(|index| waiting.remove(index));
    found.expect("each constant token has its constant").1
}

/// The text between two places.
pub(crate) fn slice(text: &str, start: u32, end: u32) -> &str {
    text.get(start as usize..end as usize).unwrap_or_default()
}

/// What the token between two places stands for.
pub(crate) fn value<'text, T>(
    text: &'text str,
    start: u32,
    end: u32,
    read: impl FnOnce(&'text str) -> Result<T, LexicalError>,
) -> Result<T, GrammarFailure> {
    read(slice(text, start, end)).map_err(|error| GrammarError::User {
        error: Complaint::Lexical(error, Span { start, end }),
    })
}

/// The number of parameters between two places.
pub(crate) fn arity(text: &str, start: u32, end: u32) -> Result<u32, GrammarFailure> {
    let arity = slice(text, start, end)
        .parse()
        .ok()
        .filter(|arity| *arity <= 255);
    arity.ok_or(GrammarError::User {
        error: Complaint::BadArity(Span { start, end }),
    })
}

/// The function name that is one token.
pub(crate) fn function_name(
    text: &str,
    start: u32,
    end: u32,
) -> Result<Box<FunctionName>, GrammarFailure> {
    let digits = slice(text, start, end)
        .bytes()
        .rev()
        .take_while(u8::is_ascii_digit)
        .count();
    let arity_start = end - offset(digits);
    let name = value(text, start, arity_start - 1, atom_value)?;
    let arity = arity(text, arity_start, end)?;
    Ok(Box::new(FunctionName {
        meta: Meta::at(start, end),
        name,
        arity,
    }))
}

/// A list of expressions from its elements and tail.
pub(crate) fn cons(start: u32, end: u32, elements: Vec<Expr>, tail: Option<Expr>) -> Expr {
    let nil = || {
        Expr::Literal(Box::new(Literal {
            meta: Meta::at(end, end),
            value: LiteralValue::Nil,
        }))
    };
    let mut list = tail.unwrap_or_else(nil);
    for head in elements.into_iter().rev() {
        let meta = Meta::at(head.meta().span.start, end);
        list = Expr::Cons(Child::new(Cons {
            meta,
            head,
            tail: list,
        }));
    }
    list.meta_mut().span.start = start;
    list
}

/// A list of patterns from its elements and tail.
pub(crate) fn pattern_cons(
    start: u32,
    end: u32,
    elements: Vec<Pattern>,
    tail: Option<Pattern>,
) -> Pattern {
    let nil = || {
        Pattern::Literal(Box::new(Literal {
            meta: Meta::at(end, end),
            value: LiteralValue::Nil,
        }))
    };
    let mut list = tail.unwrap_or_else(nil);
    for head in elements.into_iter().rev() {
        let meta = Meta::at(head.meta().span.start, end);
        list = Pattern::Cons(Child::new(PatternCons {
            meta,
            head,
            tail: list,
        }));
    }
    list.meta_mut().span.start = start;
    list
}

/// A list of constants; a tail that is itself a list continues it. Printers nest lists to the
/// right, so putting elements in front must be cheap.
pub(crate) fn constant_list(elements: Vec<Constant>, tail: Option<Constant>) -> Constant {
    let list = match tail {
        None | Some(Constant::Atomic(LiteralValue::Nil)) => ConstantList {
            elements: elements.into(),
            tail: None,
        },
        Some(Constant::List(list)) => {
            let mut list = list.into_inner();
            elements
                .into_iter()
                .rev()
                .for_each(|element| list.elements.push_front(element));
            list
        }
        tail => ConstantList {
            elements: elements.into(),
            tail,
        },
    };
    Constant::List(Child::new(list))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::flatten;

    /// Constants are only a faster way to the same tree; a text that needs the second, slower
    /// attempt to parse is a mistake here.
    #[test]
    fn the_first_attempt_takes_every_kind_of_bracket() {
        let text = "module 'm' ['f'/1] attributes ['a' = [1],'b' = {}]
            'f'/1 = fun (X) -> case <X,{[],~{}~,#{}#}> of
              <( {1,[2|[3]]} -| [{4,5}] ),~{{'k'}:=[]}~> when 'true' ->
                ( ~{[1]=>{},'b':={X}|~{}~}~ -| [{1,2},['note']] )
              <[X1|[1]],#{#<1>(8,1,'integer',['unsigned'|['big']])}#> when 'true' -> [[],{}|X1]
            end
            end";
        let fast = parse(text, true).expect("the text is a module");
        let slow = parse(text, false).expect("the text is a module");
        assert_eq!(parse_module(text).as_ref(), Ok(&fast));
        // The trees differ in form only: constants here, constructors there.
        let functions = |module| flatten(module).expect("a program").functions;
        assert_eq!(functions(fast), functions(slow));
    }
}
