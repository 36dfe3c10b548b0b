//! The tokens that the grammar sees: those of the lexer, and phrases made of several of them.
//!
//! The generated parser spends some 40 nanoseconds on each token, far more than reading it takes.
//! Phrases that are both simple and frequent are therefore recognised here and are one token for
//! the grammar. What they hold travels beside the tokens, not in them, because the generated
//! parser moves tokens about by value.

use std::cell::RefCell;
use std::collections::VecDeque;

use logos::{Lexer, Logos};

use crate::ast::{Constant, Span};
use crate::constants::ConstantReader;
use crate::lexer::Token;
use crate::parser::{Complaint, offset};
use crate::simple_lists::{SimpleLists, SimpleNode};

/// What the grammar takes: a token and its place.
type Item = Result<(u32, Token, u32), Complaint>;

/// The contents of phrases that the grammar has not taken yet.
pub(crate) struct Phrases<'text> {
    text: &'text str,
    /// With the places where they begin, in the order of their tokens.
    constants: RefCell<VecDeque<(u32, Constant)>>,
    lists: SimpleLists,
}

impl<'text> Phrases<'text> {
    pub(crate) fn new(text: &'text str) -> Self {
        Self {
            text,
            constants: RefCell::default(),
            lists: SimpleLists::default(),
        }
    }

    /// The constant whose token begins at a place. It is one of the first that are left: the
    /// grammar holds back at most the few constants of a rule that is not complete yet.
    pub(crate) fn constant(&self, start: u32) -> Constant {
        let mut waiting = self.constants.borrow_mut();
        let index = waiting.iter().position(|(place, _)| *place == start);
        let found = index.and_then(|index| waiting.remove(index));
        found.expect("each constant token has its constant").1
    }

    /// The elements of the next simple list; none if one of them cannot stand there.
    pub(crate) fn list<T: SimpleNode>(&self) -> Option<Vec<T>> {
        self.lists.take(self.text)
    }
}

/// The tokens of a text as they are.
pub(crate) struct Tokens<'text>(Lexer<'text, Token>);

impl<'text> Tokens<'text> {
    pub(crate) fn new(text: &'text str) -> Self {
        Self(Token::lexer(text))
    }
}

impl Iterator for Tokens<'_> {
    type Item = Item;

    #[inline]
    fn next(&mut self) -> Option<Item> {
        let token = self.0.next()?;
        let (start, end) = (offset(self.0.span().start), offset(self.0.span().end));
        Some(match token {
            Ok(token) => Ok((start, token, end)),
            Err(error) => Err(Complaint::Lexical(error, Span { start, end })),
        })
    }
}

/// The tokens of a text, with phrases in place of their tokens.
pub(crate) struct TokensAndPhrases<'text> {
    tokens: Tokens<'text>,
    phrases: &'text Phrases<'text>,
    constants: ConstantReader,
    /// The token before.
    last: Token,
}

impl<'text> TokensAndPhrases<'text> {
    pub(crate) fn new(text: &'text str, phrases: &'text Phrases<'text>) -> Self {
        Self {
            tokens: Tokens::new(text),
            phrases,
            constants: ConstantReader::default(),
            last: Token::Module,
        }
    }

    /// The phrase that a token opens, or just the token. On return the lexer has passed it.
    #[inline]
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "other tokens open no phrase"
    )]
    fn phrase(&mut self, token: Token, start: u32) -> Token {
        let lexer = &mut self.tokens.0;
        match token {
            // A brace after `~` or `#` opens a map or a binary.
            Token::LeftBracket | Token::LeftBrace
                if !matches!(self.last, Token::Tilde | Token::Hash) =>
            {
                if let Some(constant) = self.constants.read(lexer, token) {
                    let mut constants = self.phrases.constants.borrow_mut();
                    constants.push_back((start, constant));
                    Token::Constant
                } else if token == Token::LeftBrace
                    && self.phrases.lists.read(lexer, Token::RightBrace)
                {
                    Token::SimpleTuple
                } else {
                    token
                }
            }
            // Elsewhere a parenthesis opens something with annotations.
            Token::LeftParenthesis
                if matches!(
                    self.last,
                    Token::Atom | Token::FunctionName | Token::Variable | Token::Fun
                ) && self.phrases.lists.read(lexer, Token::RightParenthesis) =>
            {
                Token::SimpleArguments
            }
            // The value of a segment, `#<X>(…)`, is no list.
            Token::Less
                if self.last != Token::Hash && self.phrases.lists.read(lexer, Token::Greater) =>
            {
                Token::SimpleValues
            }
            Token::Annotate => {
                let mut ahead = lexer.clone();
                if ahead.next() == Some(Ok(Token::LeftBracket))
                    && let Some(constant) = self.constants.read(&mut ahead, Token::LeftBracket)
                    && ahead.next() == Some(Ok(Token::RightParenthesis))
                {
                    *lexer = ahead;
                    let mut constants = self.phrases.constants.borrow_mut();
                    constants.push_back((start, constant));
                    Token::Notes
                } else {
                    token
                }
            }
            Token::When => {
                let mut ahead = lexer.clone();
                if ahead.next() == Some(Ok(Token::Atom))
                    && ahead.slice() == "'true'"
                    && ahead.next() == Some(Ok(Token::Arrow))
                {
                    *lexer = ahead;
                    Token::TrueGuard
                } else {
                    token
                }
            }
            token => token,
        }
    }
}

impl Iterator for TokensAndPhrases<'_> {
    type Item = Item;

    #[inline]
    fn next(&mut self) -> Option<Item> {
        Some(self.tokens.next()?.map(|(start, token, end)| {
            let phrase = self.phrase(token, start);
            self.last = phrase;
            let end = if phrase == token {
                end
            } else {
                offset(self.tokens.0.span().end)
            };
            (start, phrase, end)
        }))
    }
}
