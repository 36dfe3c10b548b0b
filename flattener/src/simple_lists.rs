//! Lists of variables and constants, read in one go.
//!
//! Most arguments, parameters, tuples and clause heads are lists like `(X, 'ok', 1)` or `<X, Y>`.
//! The grammar could take them piece by piece, and does so when something is wrong with the text;
//! usually [`PhraseReader`] reads such a list from the lexer and the grammar sees one token.

use logos::Lexer;
use smol_str::SmolStr;

use crate::ast::{
    Binary, Child, Cons, ConstantTerm, Expr, Literal, LiteralValue, Meta, Pattern, PatternBinary,
    PatternCons, PatternSegment, PatternTuple, Segment, Tuple, Variable, deep,
};
use crate::constants::{ConstantReader, literal_value};
use crate::lexer::Token;
use crate::notes::NotesReader;
use crate::parser::{cons, offset, tuple};

/// How deeply lists, tuples and binaries may nest in a phrase. A phrase that fails is read again from each
/// of its brackets on, so this also bounds how often anything is read.
pub(crate) const MAX_DEPTH: u32 = 4;

/// What an element of a simple list can be, depending on where the list stands.
pub(crate) trait SimpleNode: Sized {
    /// `None` if the element cannot stand there.
    fn from_simple(element: Expr) -> Option<Self>;

    /// The same for all elements of a list.
    fn from_simple_list(elements: Vec<Expr>) -> Option<Vec<Self>> {
        elements.into_iter().map(Self::from_simple).collect()
    }
}

impl SimpleNode for Expr {
    fn from_simple(element: Expr) -> Option<Self> {
        Some(element)
    }

    fn from_simple_list(elements: Vec<Expr>) -> Option<Vec<Self>> {
        Some(elements)
    }
}

impl SimpleNode for Pattern {
    #[expect(clippy::wildcard_enum_match_arm, reason = "nothing else is simple")]
    fn from_simple(element: Expr) -> Option<Self> {
        match element {
            Expr::Variable(variable) => Some(Self::Variable(variable)),
            Expr::Literal(literal) => Some(Self::Literal(literal)),
            Expr::Constant(constant) => Some(Self::Constant(constant)),
            Expr::Tuple(tuple) => {
                let Tuple { meta, elements } = tuple.into_inner();
                let elements = Self::from_simple_list(elements)?;
                Some(Self::Tuple(Child::new(PatternTuple { meta, elements })))
            }
            Expr::Binary(binary) => {
                let Binary { meta, segments } = binary.into_inner();
                let segments = segments.into_iter().map(PatternSegment::from_segment);
                let segments = segments.collect::<Option<_>>()?;
                Some(Self::Binary(Child::new(PatternBinary { meta, segments })))
            }
            // A list of any length: each element is a step down.
            Expr::Cons(cons) => deep(|| {
                let Cons { meta, head, tail } = cons.into_inner();
                let (head, tail) = (Self::from_simple(head)?, Self::from_simple(tail)?);
                Some(Self::Cons(Child::new(PatternCons { meta, head, tail })))
            }),
            _ => None,
        }
    }
}

impl PatternSegment {
    fn from_segment(segment: Segment) -> Option<Self> {
        let Segment {
            meta,
            value,
            size,
            unit,
            kind,
            flags,
        } = segment;
        Some(Self {
            meta,
            value: Pattern::from_simple(value)?,
            size,
            unit,
            kind,
            flags,
        })
    }
}

impl SimpleNode for Variable {
    fn from_simple(element: Expr) -> Option<Self> {
        let Expr::Variable(variable) = element else {
            return None;
        };
        Some(*variable)
    }
}

/// Reads phrases from one text. Where a phrase turns out to be another one, the lexer stays where
/// it is.
#[derive(Default)]
pub(crate) struct PhraseReader<'text> {
    pub(crate) constants: ConstantReader,
    pub(crate) notes: NotesReader<'text>,
    /// The elements of the lists that are being read: each list is allocated when its length is
    /// known.
    elements: Vec<Expr>,
    /// The same for lists of variables.
    pub(crate) variables: Vec<Variable>,
}

impl<'text> PhraseReader<'text> {
    /// Reads something; if that fails, the lexer stays where it is.
    pub(crate) fn whole<T>(
        &mut self,
        lexer: &mut Lexer<'text, Token>,
        read: impl FnOnce(&mut Self, &mut Lexer<'text, Token>) -> Option<T>,
    ) -> Option<T> {
        let mut ahead = lexer.clone();
        self.elements.clear();
        let found = read(self, &mut ahead)?;
        *lexer = ahead;
        Some(found)
    }

    /// Reads a list whose opening bracket `lexer` has just passed, up to the token that closes
    /// it. Its elements may have annotations.
    pub(crate) fn list(
        &mut self,
        lexer: &mut Lexer<'text, Token>,
        closing: Token,
    ) -> Option<Vec<Expr>> {
        self.whole(lexer, |reader, ahead| {
            reader.elements_up_to(closing, ahead, MAX_DEPTH)
        })
    }

    /// Reads a list or tuple that is not a constant and whose opening bracket `lexer` has just
    /// passed.
    pub(crate) fn term(&mut self, lexer: &mut Lexer<'text, Token>, opening: Token) -> Option<Expr> {
        self.whole(lexer, |reader, ahead| {
            let start = offset(ahead.span().start);
            let first = ahead.next()?.ok()?;
            // The grammar knows `[]` as a literal of its own.
            if first == Token::RightBracket {
                return None;
            }
            reader.list_or_tuple(opening, start, first, ahead, MAX_DEPTH)
        })
    }

    /// Reads elements up to the closing token; there may be none.
    pub(crate) fn elements_up_to(
        &mut self,
        closing: Token,
        lexer: &mut Lexer<'text, Token>,
        depth: u32,
    ) -> Option<Vec<Expr>> {
        let first = lexer.next()?.ok()?;
        if first == closing {
            return Some(Vec::new());
        }
        let (elements, _) = self.read_elements(first, lexer, closing, depth)?;
        Some(elements)
    }

    /// Reads elements up to the closing token, the first of which begins with a token that the
    /// lexer has just passed. In square brackets there may be a tail.
    fn read_elements(
        &mut self,
        first: Token,
        lexer: &mut Lexer<'text, Token>,
        closing: Token,
        depth: u32,
    ) -> Option<(Vec<Expr>, Option<Expr>)> {
        let start = self.elements.len();
        let mut token = first;
        let mut tail = None;
        loop {
            let element = self.element(token, lexer, depth)?;
            self.elements.push(element);
            let separator = lexer.next()?.ok()?;
            if separator == closing {
                break;
            }
            token = lexer.next()?.ok()?;
            if separator == Token::Bar && closing == Token::RightBracket {
                tail = Some(self.element(token, lexer, depth)?);
                pass(lexer, closing)?;
                break;
            }
            if separator != Token::Comma {
                return None;
            }
        }
        Some((self.elements.split_off(start), tail))
    }

    /// Reads an element.
    pub(crate) fn next_element(
        &mut self,
        lexer: &mut Lexer<'text, Token>,
        depth: u32,
    ) -> Option<Expr> {
        let token = lexer.next()?.ok()?;
        self.element(token, lexer, depth)
    }

    /// The element that begins with a token which the lexer has just passed.
    #[inline]
    fn element(
        &mut self,
        token: Token,
        lexer: &mut Lexer<'text, Token>,
        depth: u32,
    ) -> Option<Expr> {
        if token != Token::LeftParenthesis {
            return self.bare_element(token, lexer, depth);
        }
        let token = lexer.next()?.ok()?;
        let mut element = self.bare_element(token, lexer, depth)?;
        pass(lexer, Token::Annotate)?;
        element.meta_mut().annotations = self.notes.read(lexer, &mut self.constants)?;
        Some(element)
    }

    /// An element without annotations.
    #[inline]
    fn bare_element(
        &mut self,
        token: Token,
        lexer: &mut Lexer<'text, Token>,
        depth: u32,
    ) -> Option<Expr> {
        if token == Token::Variable {
            Some(Expr::Variable(Box::new(variable(lexer))))
        } else if matches!(token, Token::LeftBracket | Token::LeftBrace) {
            self.bracket(token, lexer, depth)
        } else if token == Token::Hash {
            self.binary(lexer, depth.checked_sub(1)?)
        } else {
            literal(token, lexer)
        }
    }

    /// The list or tuple that a bracket opens.
    fn bracket(
        &mut self,
        opening: Token,
        lexer: &mut Lexer<'text, Token>,
        depth: u32,
    ) -> Option<Expr> {
        let start = offset(lexer.span().start);
        if let Some(value) = self.constants.read(lexer, opening) {
            let meta = Meta::at(start, offset(lexer.span().end));
            return Some(Expr::Constant(Box::new(ConstantTerm { meta, value })));
        }
        let first = lexer.next()?.ok()?;
        if opening == Token::LeftBracket && first == Token::RightBracket {
            let meta = Meta::at(start, offset(lexer.span().end));
            let value = LiteralValue::Nil;
            return Some(Expr::Literal(Box::new(Literal { meta, value })));
        }
        self.list_or_tuple(opening, start, first, lexer, depth.checked_sub(1)?)
    }

    /// The list or tuple that a bracket opens and that is neither constant nor empty.
    fn list_or_tuple(
        &mut self,
        opening: Token,
        start: u32,
        first: Token,
        lexer: &mut Lexer<'text, Token>,
        depth: u32,
    ) -> Option<Expr> {
        if opening == Token::LeftBracket {
            let closing = Token::RightBracket;
            let (elements, tail) = self.read_elements(first, lexer, closing, depth)?;
            Some(cons(start, offset(lexer.span().end), elements, tail))
        } else {
            let (elements, _) = self.read_elements(first, lexer, Token::RightBrace, depth)?;
            Some(tuple(start, offset(lexer.span().end), elements))
        }
    }
}

/// Passes one token; `None` if it is another one.
#[inline]
pub(crate) fn pass(lexer: &mut Lexer<'_, Token>, token: Token) -> Option<()> {
    (lexer.next()?.ok()? == token).then_some(())
}

/// Where the token stands that the lexer has just passed.
fn meta(lexer: &Lexer<'_, Token>) -> Meta {
    let span = lexer.span();
    Meta::at(offset(span.start), offset(span.end))
}

/// The variable that the lexer has just passed.
pub(crate) fn variable(lexer: &Lexer<'_, Token>) -> Variable {
    Variable {
        meta: meta(lexer),
        name: SmolStr::new(lexer.slice()),
    }
}

/// The literal that the lexer has just passed, if the token is one.
fn literal(token: Token, lexer: &Lexer<'_, Token>) -> Option<Expr> {
    let value = literal_value(token, lexer.slice())?;
    let meta = meta(lexer);
    Some(Expr::Literal(Box::new(Literal { meta, value })))
}

#[cfg(test)]
pub(crate) mod tests {
    use logos::Logos;

    use super::*;

    /// What is read of a text after its first token, and what is left of it.
    pub(crate) fn read_text<'text, T>(
        text: &'text str,
        read: impl FnOnce(&mut PhraseReader<'text>, &mut Lexer<'text, Token>) -> T,
    ) -> (T, &'text str) {
        let mut lexer = Token::lexer(text);
        lexer.next();
        let phrase = read(&mut PhraseReader::default(), &mut lexer);
        (phrase, lexer.remainder())
    }

    fn read_list(text: &str, closing: Token) -> (Option<Vec<Expr>>, &str) {
        read_text(text, |reader, lexer| reader.list(lexer, closing))
    }

    #[test]
    fn reads_variables_and_constants_with_their_annotations() {
        let text = "(X,'a',[],{1,[2]},( Y -| [3] ),[X|( {Y} -| [4,5] )]) Z";
        let (list, rest) = read_list(text, Token::RightParenthesis);
        let elements = list.expect("a list");
        let notes = |expr: &Expr| expr.meta().annotations.as_slice().len();
        let notes: Vec<usize> = elements.iter().map(notes).collect();
        assert_eq!((notes, rest), (vec![0, 0, 0, 0, 1, 0], " Z"));
        let text_of = |expr: &Expr| &text[expr.meta().span.range()];
        let texts: Vec<&str> = elements.iter().map(text_of).collect();
        assert_eq!(
            texts,
            ["X", "'a'", "[]", "{1,[2]}", "Y", "[X|( {Y} -| [4,5] )]"]
        );
    }

    #[test]
    fn only_lists_in_square_brackets_have_a_tail() {
        let read_term =
            |text, opening| read_text(text, |reader, lexer| reader.term(lexer, opening));
        let (list, rest) = read_term("[X,1|[2]] Y", Token::LeftBracket);
        assert!(matches!(list, Some(Expr::Cons(_))));
        assert_eq!(rest, " Y");
        assert_eq!(read_term("{X|Y}", Token::LeftBrace), (None, "X|Y}"));
        assert_eq!(read_term("[]", Token::LeftBracket), (None, "]"));
        assert_eq!(read_term("[X|Y,Z]", Token::LeftBracket), (None, "X|Y,Z]"));
    }

    #[test]
    fn leaves_everything_else_to_the_grammar() {
        for text in [
            "(X,)",
            "(,X)",
            "(X Y)",
            "(X>",
            "([1,X)",
            "({])",
            "({{{{{X}}}}})",
            "('f'/1)",
            "([1],(X -| []))",
            "((X) -| [1])",
            "(X,",
            "(",
        ] {
            let left = read_list(text, Token::RightParenthesis);
            assert_eq!(left, (None, &text[1..]), "{text}");
        }
    }

    #[test]
    fn only_variables_are_parameters() {
        let (list, _) = read_list("(X,1,{1})", Token::RightParenthesis);
        let elements = list.expect("a list").into_iter();
        let variables: Vec<bool> = elements
            .map(|element| Variable::from_simple(element).is_some())
            .collect();
        assert_eq!(variables, [true, false, false]);
    }
}
