//! Constant lists and tuples, read in one go.
//!
//! Nearly half of the tokens of real Core Erlang stand in terms without variables: tables,
//! attributes, annotations. The grammar could take them piece by piece, but at ten times the
//! cost, in time and in memory. So where a bracket opens, [`ConstantReader`] tries to read a
//! whole constant from the lexer; where that fails, for whatever reason, the grammar goes on with
//! the bracket alone, and reports what is wrong if something is.
//!
//! A failed attempt knows which brackets were open when it failed. Those can never become a
//! constant and are not tried again, so all attempts together cost no more than a few readings
//! of the text.

use logos::Lexer;

use crate::ast::{Child, Constant, ConstantList, LiteralValue};
use crate::lexer::{Token, atom_value, character_value, float_value, integer_value, string_value};

/// Reads constants from one text.
#[derive(Default)]
pub(crate) struct ConstantReader {
    /// Open lists and tuples, the innermost last.
    open: Vec<Frame>,
    /// Places of brackets that do not open a constant, the first one last.
    hopeless: Vec<usize>,
}

impl ConstantReader {
    /// Reads a constant list or tuple whose opening bracket `lexer` has just passed; on success
    /// the lexer has passed all of it, otherwise it stays where it is.
    pub(crate) fn read(
        &mut self,
        lexer: &mut Lexer<'_, Token>,
        opening: Token,
    ) -> Option<Constant> {
        let start = lexer.span().start;
        if self.hopeless.last() == Some(&start) {
            self.hopeless.pop();
            return None;
        }
        let mut ahead = lexer.clone();
        self.open.clear();
        self.open.push(Frame::new(opening, start));
        let Some(constant) = self.run(&mut ahead) else {
            // All that were hopeless before lie before this bracket.
            self.hopeless.clear();
            self.hopeless
                .extend(self.open.iter().flat_map(Frame::brackets).skip(1));
            self.hopeless.reverse();
            return None;
        };
        // The grammar knows `[]` as a literal of its own.
        if matches!(constant, Constant::Atomic(_)) {
            return None;
        }
        *lexer = ahead;
        Some(constant)
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "any other token ends the attempt"
    )]
    fn run(&mut self, lexer: &mut Lexer<'_, Token>) -> Option<Constant> {
        loop {
            let token = lexer.next()?.ok()?;
            let frame = self.open.last_mut()?;
            match token {
                Token::Comma if !frame.wants_element && !frame.in_tail => {
                    frame.wants_element = true;
                    frame.just_opened = false;
                }
                Token::Bar if frame.is_list && !frame.wants_element && !frame.in_tail => {
                    frame.in_tail = true;
                    frame.wants_element = true;
                    frame.just_opened = false;
                }
                Token::LeftBracket if frame.in_tail && frame.wants_element => {
                    // `[A|[B]]` is `[A,B]`: go on in the same frame, one bracket deeper.
                    frame.in_tail = false;
                    frame.merged.push(lexer.span().start);
                    frame.just_opened = true;
                }
                Token::LeftBracket | Token::LeftBrace if frame.wants_element => {
                    self.open.push(Frame::new(token, lexer.span().start));
                }
                Token::RightBracket | Token::RightBrace => {
                    let constant = self.close(token, lexer)?;
                    match self.open.last_mut() {
                        None => return Some(constant),
                        Some(outer) => outer.add(constant),
                    }
                }
                literal if frame.wants_element => {
                    let value = literal_value(literal, lexer.slice())?;
                    frame.add(Constant::Atomic(value));
                }
                _ => return None,
            }
        }
    }

    /// Closes the innermost frame, with all the brackets that were merged into it.
    fn close(&mut self, token: Token, lexer: &mut Lexer<'_, Token>) -> Option<Constant> {
        let frame = self.open.last()?;
        if frame.is_list != (token == Token::RightBracket) {
            return None;
        }
        // `[]`, `{}` and `[A|[]]` may end where an element could stand, `[A,]` may not.
        if frame.wants_element && !frame.just_opened {
            return None;
        }
        for _ in &frame.merged {
            if lexer.next() != Some(Ok(Token::RightBracket)) {
                return None;
            }
        }
        let mut frame = self.open.pop()?;
        if !frame.is_list {
            return Some(Constant::Tuple(Child::new(frame.elements)));
        }
        if frame.elements.is_empty() {
            return Some(Constant::Atomic(LiteralValue::Nil));
        }
        let tail = if frame.in_tail {
            frame.elements.pop()
        } else {
            None
        };
        Some(Constant::List(Child::new(ConstantList {
            elements: frame.elements.into(),
            tail,
        })))
    }
}

/// An open list or tuple.
struct Frame {
    start: usize,
    is_list: bool,
    elements: Vec<Constant>,
    /// After `|`: the one element to come is the tail.
    in_tail: bool,
    /// Where lists were opened as the tail of this one, which goes on with their elements.
    merged: Vec<usize>,
    /// Whether the next thing must be an element rather than a separator.
    wants_element: bool,
    /// Whether a bracket has just been opened, so that it may be closed at once.
    just_opened: bool,
}

impl Frame {
    fn new(opening: Token, start: usize) -> Self {
        Self {
            start,
            is_list: opening == Token::LeftBracket,
            elements: Vec::new(),
            in_tail: false,
            merged: Vec::new(),
            wants_element: true,
            just_opened: true,
        }
    }

    /// Where its brackets were opened, in order.
    fn brackets(&self) -> impl Iterator<Item = usize> {
        std::iter::once(self.start).chain(self.merged.iter().copied())
    }

    fn add(&mut self, element: Constant) {
        self.elements.push(element);
        self.wants_element = false;
    }
}

/// The literal that a token with this text stands for, if it is one.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "no other token is a literal"
)]
pub(crate) fn literal_value(token: Token, text: &str) -> Option<LiteralValue> {
    match token {
        Token::Integer => integer_value(text).ok().map(LiteralValue::Integer),
        Token::Float => float_value(text).ok().map(LiteralValue::Float),
        Token::Atom => atom_value(text).ok().map(LiteralValue::Atom),
        Token::String => string_value(text).ok().map(LiteralValue::String),
        Token::Char => character_value(text).ok().map(LiteralValue::Char),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use logos::Logos;

    use super::*;

    /// What is read of a text that begins with a bracket, and what is left of it.
    fn read_text(text: &str) -> (Option<Constant>, &str) {
        let mut lexer = Token::lexer(text);
        let opening = lexer.next().expect("a token").expect("a bracket");
        let constant = ConstantReader::default().read(&mut lexer, opening);
        (constant, lexer.remainder())
    }

    #[test]
    fn reads_nested_constants_whole() {
        let (constant, rest) = read_text("[{1,\"a\"},'b'|[c|[]]] X".replace('c', "$c").leak());
        assert!(constant.is_some());
        assert_eq!(rest, " X");
    }

    #[test]
    fn nested_tails_are_one_list() {
        assert_eq!(read_text("[1|[2|[3]]]").0, read_text("[1,2,3]").0);
        assert_eq!(read_text("[1|[2|3]]").0, read_text("[1,2|3]").0);
        assert_eq!(read_text("[1|[]]").0, read_text("[1]").0);
    }

    #[test]
    fn leaves_everything_else_to_the_grammar() {
        for text in [
            "[1,X]", "[]", "[1,]", "[1|[2,]]", "[1|2,3]", "[|1]", "{1|2}", "[1}", "{1", "[,1]",
        ] {
            let (constant, rest) = read_text(text);
            assert_eq!(constant, None, "{text}");
            assert_eq!(rest, &text[1..], "{text}");
        }
    }

    #[test]
    fn a_bracket_that_was_open_at_a_failure_is_not_tried_again() {
        for (text, hopeless) in [
            ("{{{X}}}", vec![2, 1]),
            ("[1|[{[2|[X]]}]]", vec![8, 5, 4, 3]),
        ] {
            let mut lexer = Token::lexer(text);
            let mut reader = ConstantReader::default();
            let opening = lexer.next().expect("a token").expect("a bracket");
            assert_eq!(reader.read(&mut lexer, opening), None);
            assert_eq!(reader.hopeless, hopeless, "{text}");
        }
    }
}
