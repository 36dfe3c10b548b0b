//! Constant lists and tuples, read in one go.
//!
//! Nearly half of the tokens of real Core Erlang stand in terms without variables: tables,
//! attributes, annotations. The grammar could read them piece by piece, but at ten times the cost
//! in time and memory. So where a bracket opens, [`ConstantReader`] tries to read a whole constant
//! from the lexer. Where that fails, the grammar continues with the bracket alone, and reports
//! errors.
//!
//! A failed attempt knows which brackets were open when it failed. They cannot open a constant and
//! are not tried again, so all attempts together read the text only a few times.

use logos::Lexer;

use crate::ast::{Child, Constant, ConstantList, LiteralValue};
use crate::lexer::{Token, atom_value, character_value, float_value, integer_value, string_value};

/// Reads constants from one text.
#[derive(Default)]
pub(crate) struct ConstantReader {
    /// Open lists and tuples, the innermost last.
    open: Vec<Frame>,
    /// The elements of the open lists and tuples. All in one place, so that each list and tuple
    /// is allocated once, when its length is known.
    elements: Vec<Constant>,
    /// The places of the open brackets, in order.
    brackets: Vec<usize>,
    /// The places of brackets that do not open a constant, in order.
    hopeless: Vec<usize>,
}

impl ConstantReader {
    /// Reads a constant list or tuple whose opening bracket `lexer` has just passed. On success the
    /// lexer has passed all of it, otherwise it does not move.
    pub(crate) fn read(
        &mut self,
        lexer: &mut Lexer<'_, Token>,
        opening: Token,
    ) -> Option<Constant> {
        let start = lexer.span().start;
        if self.hopeless.binary_search(&start).is_ok() {
            return None;
        }
        // Most attempts would fail at once: at a variable, or at something with annotations.
        let first = lexer.remainder().as_bytes().first();
        if first.is_some_and(|byte| matches!(byte, b'A'..=b'Z' | b'_' | b'(')) {
            return None;
        }
        let mut ahead = lexer.clone();
        self.open.clear();
        self.elements.clear();
        self.brackets.clear();
        self.open.push(Frame::new(opening, 0));
        self.brackets.push(start);
        let Some(constant) = self.run(&mut ahead) else {
            // All older hopeless brackets are before this one.
            std::mem::swap(&mut self.hopeless, &mut self.brackets);
            return None;
        };
        // The grammar knows `[]` as a literal of its own.
        if matches!(constant, Constant::Atomic(_)) {
            return None;
        }
        *lexer = ahead;
        Some(constant)
    }

    fn run(&mut self, lexer: &mut Lexer<'_, Token>) -> Option<Constant> {
        // `[]`, `{}` and `[A|[]]` may end in place of an element, `[A,]` may not.
        let mut just_opened = true;
        loop {
            let token = lexer.next()?.ok()?;
            let opens = matches!(token, Token::LeftBracket | Token::LeftBrace);
            if opens {
                self.open(token, lexer.span().start)?;
            } else {
                if just_opened && matches!(token, Token::RightBracket | Token::RightBrace) {
                    if let Some(constant) = self.close(token, lexer)? {
                        return Some(constant);
                    }
                } else {
                    let value = literal_value(token, lexer.slice())?;
                    self.elements.push(Constant::Atomic(value));
                }
                if let Some(constant) = self.next_element(lexer)? {
                    return Some(constant);
                }
            }
            just_opened = opens;
        }
    }

    fn open(&mut self, opening: Token, start: usize) -> Option<()> {
        let frame = self.open.last_mut()?;
        if frame.in_tail && opening == Token::LeftBracket {
            // `[A|[B]]` is `[A,B]`: continue in the same frame, one bracket deeper.
            frame.in_tail = false;
            frame.brackets += 1;
        } else {
            let first = self.elements.len();
            self.open.push(Frame::new(opening, first));
        }
        self.brackets.push(start);
        Some(())
    }

    /// Reads from the end of an element to the start of the next one. If there is none, returns the
    /// whole constant.
    fn next_element(&mut self, lexer: &mut Lexer<'_, Token>) -> Option<Option<Constant>> {
        loop {
            let token = lexer.next()?.ok()?;
            let frame = self.open.last_mut()?;
            if token == Token::Comma && !frame.in_tail {
                return Some(None);
            }
            if token == Token::Bar && frame.is_list && !frame.in_tail {
                frame.in_tail = true;
                return Some(None);
            }
            if !matches!(token, Token::RightBracket | Token::RightBrace) {
                return None;
            }
            let whole = self.close(token, lexer)?;
            if whole.is_some() {
                return Some(whole);
            }
        }
    }

    /// Closes the innermost frame, with all the brackets that were merged into it. Its constant is an
    /// element of the next frame; if there is none, it is the whole constant.
    fn close(&mut self, token: Token, lexer: &mut Lexer<'_, Token>) -> Option<Option<Constant>> {
        let frame = self.open.last()?;
        if frame.is_list != (token == Token::RightBracket) {
            return None;
        }
        for _ in 1..frame.brackets {
            if lexer.next() != Some(Ok(Token::RightBracket)) {
                return None;
            }
        }
        let frame = self.open.pop()?;
        self.brackets.truncate(self.brackets.len() - frame.brackets);
        let tail = if frame.in_tail {
            self.elements.pop()
        } else {
            None
        };
        let elements = self.elements.split_off(frame.first);
        let constant = if !frame.is_list {
            Constant::Tuple(elements.into())
        } else if elements.is_empty() {
            Constant::Atomic(LiteralValue::Nil)
        } else {
            let elements = elements.into();
            Constant::List(Child::new(ConstantList { elements, tail }))
        };
        if self.open.is_empty() {
            return Some(Some(constant));
        }
        self.elements.push(constant);
        Some(None)
    }
}

/// An open list or tuple.
struct Frame {
    is_list: bool,
    /// Where its elements begin among those of all open frames.
    first: usize,
    /// After `|`: the next element is the tail.
    in_tail: bool,
    /// How many brackets it has: a list that is opened as its tail continues in it.
    brackets: usize,
}

impl Frame {
    fn new(opening: Token, first: usize) -> Self {
        Self {
            is_list: opening == Token::LeftBracket,
            first,
            in_tail: false,
            brackets: 1,
        }
    }
}

/// The literal that a token with this text stands for, if it is one.
fn literal_value(token: Token, text: &str) -> Option<LiteralValue> {
    if token == Token::Integer {
        integer_value(text).ok().map(LiteralValue::Integer)
    } else if token == Token::Float {
        float_value(text).ok().map(LiteralValue::Float)
    } else if token == Token::Atom {
        atom_value(text).ok().map(LiteralValue::Atom)
    } else if token == Token::String {
        string_value(text).ok().map(LiteralValue::String)
    } else if token == Token::Char {
        character_value(text).ok().map(LiteralValue::Char)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use logos::Logos;

    use super::*;

    /// The constant at the start of a text, and the rest of the text.
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
            ("{{{X}}}", vec![0, 1, 2]),
            ("[1|[{[2|[X]]}]]", vec![0, 3, 4, 5, 8]),
        ] {
            let mut lexer = Token::lexer(text);
            let mut reader = ConstantReader::default();
            let opening = lexer.next().expect("a token").expect("a bracket");
            assert_eq!(reader.read(&mut lexer, opening), None);
            assert_eq!(reader.hopeless, hopeless, "{text}");
        }
    }
}
