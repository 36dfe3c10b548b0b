//! The tokens that the grammar sees: those of the lexer, but a constant list or tuple is one token.
//!
//! The value of a constant travels beside the tokens and not in them, because the generated parser
//! moves tokens about by value.

use std::cell::RefCell;

use logos::{Lexer, Logos};

use crate::ast::{Annotations, Constant, Span};
use crate::complaint::{Complaint, GrammarFailure};
use crate::constants::ConstantReader;
use crate::lexer::{Token, offset};

/// What the grammar takes as one token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    /// Every token.
    Tokens,
    /// Constant lists and tuples as well.
    Constants,
}

/// The tokens of a text with their places.
pub(crate) struct Tokens<'text, 'constants> {
    lexer: Lexer<'text, Token>,
    reading: Reading,
    reader: ConstantReader,
    constants: &'constants Constants<'text>,
    /// The token before.
    last: Token,
}

impl<'text, 'constants> Tokens<'text, 'constants> {
    pub(crate) fn new(
        text: &'text str,
        reading: Reading,
        constants: &'constants Constants<'text>,
    ) -> Self {
        Self {
            lexer: Token::lexer(text),
            reading,
            reader: ConstantReader::default(),
            constants,
            last: Token::Module,
        }
    }

    /// The token for the constant that a bracket opens, or the bracket itself.
    fn constant_or(&mut self, bracket: Token, start: u32) -> Token {
        match self.reader.read(&mut self.lexer, bracket) {
            Some(constant) => {
                self.constants.add(start, constant);
                Token::Constant
            }
            None => bracket,
        }
    }

    /// Whether a token may open a constant: a brace after `~` or `#` opens a map or a binary.
    fn may_open_constant(&self, token: Token) -> bool {
        self.reading == Reading::Constants
            && matches!(token, Token::LeftBracket | Token::LeftBrace)
            && !matches!(self.last, Token::Tilde | Token::Hash)
    }
}

impl Iterator for Tokens<'_, '_> {
    type Item = Result<(u32, Token, u32), Complaint>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let token = self.lexer.next()?;
        let start = offset(self.lexer.span().start);
        let token = token.map(|token| {
            self.last = if self.may_open_constant(token) {
                self.constant_or(token, start)
            } else {
                token
            };
            self.last
        });
        let end = offset(self.lexer.span().end);
        Some(match token {
            Ok(token) => Ok((start, token, end)),
            Err(error) => Err(Complaint::Lexical(error, Span { start, end })),
        })
    }
}

/// How many annotations to remember. Three are enough for 85 % of those in OTP's stdlib, four for
/// one more.
const REMEMBERED: usize = 3;

/// The constants that the grammar has not taken yet, with the places where they begin, in order.
#[derive(Default)]
pub(crate) struct Constants<'text> {
    waiting: RefCell<Vec<(u32, Constant)>>,
    /// The last annotations and their text. Most nodes have the annotations of one before, and
    /// share them.
    recent: RefCell<Vec<(&'text str, Annotations)>>,
}

impl<'text> Constants<'text> {
    fn add(&self, start: u32, constant: Constant) {
        self.waiting.borrow_mut().push((start, constant));
    }

    /// The constant that begins at a place. It is one of the last: the grammar has taken all that
    /// follow it, except for those of the same rule and of the token after it.
    pub(crate) fn take(&self, start: u32) -> Constant {
        let mut waiting = self.waiting.borrow_mut();
        let index = waiting.iter().rposition(|(place, _)| *place == start);
        let index = index.expect("each constant token has its constant");
        waiting.remove(index).1
    }

    /// The constant between two places as annotations.
    pub(crate) fn annotations(
        &self,
        text: &'text str,
        start: u32,
        end: u32,
    ) -> Result<Annotations, GrammarFailure> {
        let constant = self.take(start);
        let text = text.get(start as usize..end as usize).unwrap_or_default();
        let mut recent = self.recent.borrow_mut();
        if let Some(index) = recent.iter().position(|(known, _)| *known == text) {
            let known = recent.remove(index);
            recent.insert(0, known.clone());
            return Ok(known.1);
        }
        let Some(elements) = constant.into_elements() else {
            return Err(Complaint::NotAnnotations(Span { start, end }).into());
        };
        let annotations = Annotations::new(elements);
        recent.truncate(REMEMBERED - 1);
        recent.insert(0, (text, annotations.clone()));
        Ok(annotations)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All tokens of a text, constants in place of theirs.
    fn tokens<'text>(text: &'text str, constants: &Constants<'text>) -> Vec<(u32, Token, u32)> {
        let tokens = Tokens::new(text, Reading::Constants, constants);
        tokens.collect::<Result<_, _>>().expect("tokens")
    }

    #[test]
    fn a_constant_is_one_token() {
        let constants = Constants::default();
        let found = tokens("[1,{2}] {X} ~{}~ #{}#", &constants);
        assert_eq!(found.first(), Some(&(0, Token::Constant, 7)));
        let others = found
            .iter()
            .filter(|(_, token, _)| *token == Token::Constant);
        assert_eq!(others.count(), 1, "{found:?}");
        assert!(constants.take(0).into_elements().is_some());
    }

    #[test]
    fn nodes_share_annotations_with_the_same_text() {
        let text = "[1] [1] [2,{'a'}] [3] [1] [4] [1]";
        let constants = Constants::default();
        let found: Vec<Annotations> = tokens(text, &constants)
            .into_iter()
            .map(|(start, _, end)| constants.annotations(text, start, end).expect("a list"))
            .collect();
        let lengths: Vec<usize> = found.iter().map(|one| one.as_slice().len()).collect();
        assert_eq!(lengths, [1, 1, 2, 1, 1, 1, 1]);
        for again in [1, 4, 6] {
            assert!(std::ptr::eq(found[again].as_slice(), found[0].as_slice()));
        }
        assert_ne!(found[3], found[0]);
    }

    #[test]
    fn annotations_are_a_proper_list() {
        for text in ["{1}", "[1|2]"] {
            let constants = Constants::default();
            let found = tokens(text, &constants);
            let end = offset(text.len());
            assert_eq!(found, [(0, Token::Constant, end)]);
            let complaint = Complaint::NotAnnotations(Span { start: 0, end });
            assert_eq!(constants.annotations(text, 0, end), Err(complaint.into()));
        }
    }
}
