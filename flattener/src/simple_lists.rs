//! Lists of variables and literals, read in one go.
//!
//! Most arguments, parameters and clause heads are lists like `(X, 'ok', 1)` or `<X, Y>`. The
//! grammar could take them piece by piece, and does so when something is wrong with the text;
//! usually [`SimpleLists`] reads such a list from the lexer and the grammar sees one token.

use std::cell::RefCell;
use std::collections::VecDeque;

use logos::Lexer;

use smol_str::SmolStr;

use crate::ast::{Expr, Literal, LiteralValue, Meta, Pattern, Span, Variable};
use crate::constants::literal_value;
use crate::lexer::Token;
use crate::parser::slice;

/// An element that was read: its (first) token and where it stands.
#[derive(Clone, Copy)]
struct Element {
    token: Token,
    span: Span,
}

/// A list element in its place in the tree.
pub(crate) trait SimpleNode: Sized {
    fn variable(variable: Variable) -> Self;
    /// `None` where only a variable can stand.
    fn literal(literal: Literal) -> Option<Self>;
}

impl SimpleNode for Expr {
    fn variable(variable: Variable) -> Self {
        Self::Variable(Box::new(variable))
    }

    fn literal(literal: Literal) -> Option<Self> {
        Some(Self::Literal(Box::new(literal)))
    }
}

impl SimpleNode for Pattern {
    fn variable(variable: Variable) -> Self {
        Self::Variable(Box::new(variable))
    }

    fn literal(literal: Literal) -> Option<Self> {
        Some(Self::Literal(Box::new(literal)))
    }
}

impl SimpleNode for Variable {
    fn variable(variable: Variable) -> Self {
        variable
    }

    fn literal(_: Literal) -> Option<Self> {
        None
    }
}

/// The lists that were read and that the grammar has not taken yet. The grammar takes each list
/// before it moves on, so they are taken in the order in which they were read.
#[derive(Default)]
pub(crate) struct SimpleLists {
    /// How many elements each list has.
    lengths: RefCell<VecDeque<usize>>,
    elements: RefCell<VecDeque<Element>>,
}

impl SimpleLists {
    /// Reads a list whose opening bracket `lexer` has just passed, up to the token that closes
    /// it. If there is anything but variables and literals in it, the lexer stays where it is.
    pub(crate) fn read(&self, lexer: &mut Lexer<'_, Token>, closing: Token) -> bool {
        let mut elements = self.elements.borrow_mut();
        let before = elements.len();
        let mut ahead = lexer.clone();
        if read_elements(&mut ahead, closing, &mut elements).is_none() {
            elements.truncate(before);
            return false;
        }
        self.lengths.borrow_mut().push_back(elements.len() - before);
        *lexer = ahead;
        true
    }

    /// Takes the next list; `None` if an element of it cannot stand there.
    pub(crate) fn take<T: SimpleNode>(&self, text: &str) -> Option<Vec<T>> {
        let mut elements = self.elements.borrow_mut();
        let length = self.lengths.borrow_mut().pop_front()?;
        let mut nodes = Vec::with_capacity(length);
        for element in elements.drain(..length) {
            nodes.push(element.node(text)?);
        }
        Some(nodes)
    }
}

impl Element {
    fn new(token: Token, span: std::ops::Range<usize>) -> Option<Self> {
        let span = Span {
            start: u32::try_from(span.start).ok()?,
            end: u32::try_from(span.end).ok()?,
        };
        Some(Self { token, span })
    }

    fn node<T: SimpleNode>(self, text: &str) -> Option<T> {
        let meta = Meta::at(self.span.start, self.span.end);
        let text = slice(text, self.span.start, self.span.end);
        if self.token == Token::Variable {
            return Some(T::variable(Variable {
                meta,
                name: SmolStr::new(text),
            }));
        }
        let value = if self.token == Token::LeftBracket {
            LiteralValue::Nil
        } else {
            literal_value(self.token, text)?
        };
        T::literal(Literal { meta, value })
    }
}

/// Reads elements up to the closing token; `None` if something else comes.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "any other token ends the attempt"
)]
fn read_elements(
    lexer: &mut Lexer<'_, Token>,
    closing: Token,
    elements: &mut VecDeque<Element>,
) -> Option<()> {
    let mut token = lexer.next()?.ok()?;
    if token == closing {
        return Some(());
    }
    loop {
        match token {
            Token::Variable
            | Token::Atom
            | Token::Integer
            | Token::Float
            | Token::String
            | Token::Char => elements.push_back(Element::new(token, lexer.span())?),
            Token::LeftBracket => {
                elements.push_back(Element::new(token, lexer.span())?);
                if lexer.next()?.ok()? != Token::RightBracket {
                    return None;
                }
            }
            _ => return None,
        }
        match lexer.next()?.ok()? {
            Token::Comma => token = lexer.next()?.ok()?,
            end if end == closing => return Some(()),
            _ => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use logos::Logos;

    use super::*;

    /// Reads a list in parentheses, and gives what is left of the text.
    fn read_text<'text>(lists: &SimpleLists, text: &'text str) -> (bool, &'text str) {
        let mut lexer = Token::lexer(text);
        lexer.next();
        let read = lists.read(&mut lexer, Token::RightParenthesis);
        (read, lexer.remainder())
    }

    #[test]
    fn takes_lists_in_the_order_in_which_they_were_read() {
        let text = "(X,'a',[])";
        let lists = SimpleLists::default();
        assert_eq!(read_text(&lists, text), (true, ""));
        assert_eq!(read_text(&lists, "() X"), (true, " X"));
        assert_eq!(lists.take::<Expr>(text).map(|list| list.len()), Some(3));
        assert_eq!(lists.take::<Expr>(text), Some(Vec::new()));
    }

    #[test]
    fn leaves_everything_else_to_the_grammar() {
        let lists = SimpleLists::default();
        for text in [
            "(X,)",
            "(,X)",
            "(X Y)",
            "(X>",
            "([1])",
            "({X})",
            "('f'/1)",
            "(X -| [])",
            "(X,",
            "(",
        ] {
            assert_eq!(read_text(&lists, text), (false, &text[1..]), "{text}");
            assert!(lists.elements.borrow().is_empty(), "{text}");
        }
    }

    #[test]
    fn only_variables_are_parameters() {
        let lists = SimpleLists::default();
        read_text(&lists, "(X,1)");
        assert_eq!(lists.take::<Variable>("(X,1)"), None);
    }
}
