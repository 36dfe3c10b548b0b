//! The tokens of a printed module as OTP's scanner gives them, for its parser.
//!
//! OTP's scanner takes as long as half of its compiler for large code.

use erlang_term::{ListEncoder, Term};
use logos::Logos;

use crate::lexer::{Token, atom_value, character_value, float_value, integer_value, string_value};

/// A module without functions, for the functions of one piece.
const EMPTY_MODULE: &str = "module 'm' [] attributes []";
const END: &str = "end";

/// Bytes of text in a piece, and one function more: the tokens of a text take a hundred times its
/// size in the BEAM.
const PIECE_SIZE: usize = 100_000;

/// The tokens of a module that `print_module` printed, in pieces: each is a list in the external
/// term format, and a module by itself. The first has the name, exports and attributes, and all
/// together have the functions.
///
/// Nothing if the text has tokens that do not belong together in this way, or a `receive`, which
/// OTP's parser leaves to a pass of its own.
pub fn scanned(text: &str) -> Option<Vec<Vec<u8>>> {
    let mut parts: Vec<&str> = text.trim_end().split("\n\n").collect();
    if !text.starts_with("module ") || parts.pop()? != END {
        return None;
    }
    let mut start = parts.remove(0);
    let mut pieces = Vec::new();
    let mut parts = parts.as_slice();
    loop {
        let (piece, rest) = parts.split_at(piece_length(parts));
        pieces.push(tokens_of(start, piece)?);
        if rest.is_empty() {
            return Some(pieces);
        }
        (start, parts) = (EMPTY_MODULE, rest);
    }
}

/// How many of these functions make one piece.
fn piece_length(functions: &[&str]) -> usize {
    let mut size = 0;
    let is_within = |function: &&&str| {
        let fits = size < PIECE_SIZE;
        size += function.len();
        fits
    };
    functions.iter().take_while(is_within).count()
}

fn tokens_of(start: &str, functions: &[&str]) -> Option<Vec<u8>> {
    let mut tokens = ListEncoder::default();
    add_tokens(&mut tokens, start)?;
    for function in functions {
        add_tokens(&mut tokens, function)?;
    }
    add_tokens(&mut tokens, END)?;
    Some(tokens.finish())
}

fn add_tokens(tokens: &mut ListEncoder, text: &str) -> Option<()> {
    let mut lexer = Token::lexer(text);
    while let Some(token) = lexer.next() {
        add_token(tokens, token.ok()?, lexer.slice())?;
    }
    Some(())
}

fn add_token(tokens: &mut ListEncoder, token: Token, text: &str) -> Option<()> {
    let (kind, value) = match token {
        Token::Variable => ("var", Term::atom(text)),
        Token::Integer => ("integer", Term::Integer(integer_value(text).ok()?)),
        Token::Float => ("float", Term::Float(float_value(text).ok()?)),
        Token::Atom => ("atom", Term::Atom(atom_value(text).ok()?)),
        Token::Char => (
            "char",
            Term::Integer(i64::from(character_value(text).ok()?).into()),
        ),
        Token::String => ("string", characters(&string_value(text).ok()?)),
        Token::FunctionName => {
            let (name, arity) = text.rsplit_once('/')?;
            add_token(tokens, Token::Atom, name)?;
            add_token(tokens, Token::Slash, "/")?;
            return add_token(tokens, Token::Integer, arity);
        }
        Token::Receive | Token::UnknownWord | Token::Constant => return None,
        Token::LeftParenthesis
        | Token::RightParenthesis
        | Token::LeftBrace
        | Token::RightBrace
        | Token::LeftBracket
        | Token::RightBracket
        | Token::Bar
        | Token::Comma
        | Token::Arrow
        | Token::Equals
        | Token::Slash
        | Token::Less
        | Token::Greater
        | Token::Colon
        | Token::Annotate
        | Token::Hash
        | Token::Tilde
        | Token::FatArrow
        | Token::ColonEquals
        | Token::Module
        | Token::Attributes
        | Token::Do
        | Token::Let
        | Token::In
        | Token::Letrec
        | Token::Apply
        | Token::Call
        | Token::Primop
        | Token::Case
        | Token::Of
        | Token::End
        | Token::When
        | Token::Fun
        | Token::Try
        | Token::Catch
        | Token::After => {
            tokens.push(&Term::Tuple(vec![Term::atom(text), line()]));
            return Some(());
        }
    };
    tokens.push(&Term::Tuple(vec![Term::atom(kind), line(), value]));
    Some(())
}

/// No message shows where a token stands.
fn line() -> Term {
    Term::Integer(1.into())
}

fn characters(text: &str) -> Term {
    Term::list(
        text.chars()
            .map(|code| Term::Integer(i64::from(u32::from(code)).into())),
    )
}

#[cfg(test)]
mod tests {
    use erlang_term::decode;

    use super::*;

    fn pieces(text: &str) -> Option<Vec<String>> {
        let decoded = |piece: &Vec<u8>| decode(piece).expect("a term").to_string();
        Some(scanned(text)?.iter().map(decoded).collect())
    }

    #[test]
    fn each_piece_is_a_module() {
        let long = "9".repeat(PIECE_SIZE);
        let text =
            format!("module 'a' []\n  attributes []\n\n'f'/0 = {long}\n\n'g'/1 = X\n\nend\n");
        let pieces = pieces(&text).expect("tokens");
        assert_eq!(pieces.len(), 2);
        assert!(pieces[0].starts_with("[{module,1},{atom,1,a}"));
        insta::assert_snapshot!(pieces[1]);
    }

    #[test]
    fn every_kind_of_token_has_its_value() {
        let text = "module 'm' [] attributes []\n\n-1 1.5 'it\\'s' $a $\\n \"a\\t\" V 'f'/2 -| ~ => 'end'\n\nend";
        insta::assert_snapshot!(pieces(text).expect("tokens").join("\n"));
    }

    #[test]
    fn other_texts_are_left_to_the_scanner() {
        let module = |code: &str| format!("module 'm' [] attributes []\n\n'f'/0 = {code}\n\nend\n");
        assert!(scanned(&module("1")).is_some());
        for text in [
            module("receive"),
            module("'open"),
            module("1").replace("end", ""),
            module("1").replace("module", "( module"),
        ] {
            assert_eq!(scanned(&text), None, "{text}");
        }
    }
}
