//! Lists of variables and constants, and other short phrases, read in one go.
//!
//! Most arguments, parameters, tuples and clause heads are lists like `(X, 'ok', 1)` or `<X, Y>`.
//! The grammar could take them piece by piece, and does so when something is wrong with the text;
//! usually [`PhraseReader`] reads such a list from the lexer and the grammar sees one token.

use logos::Lexer;
use smol_str::SmolStr;

use crate::ast::{
    Call, Child, Cons, ConstantTerm, Expr, Literal, LiteralValue, Meta, Pattern, PatternCons,
    PatternTuple, Tuple, Variable, deep,
};
use crate::constants::{ConstantReader, literal_value};
use crate::lexer::Token;
use crate::notes::NotesReader;
use crate::parser::{cons, offset, tuple};

/// How deeply lists and tuples may nest in a phrase. A phrase that fails is read again from each
/// of its brackets on, so this also bounds how often anything is read.
const MAX_DEPTH: u32 = 4;

/// Variables and constants, and lists and tuples of them.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct SimpleList {
    pub(crate) elements: Vec<Expr>,
    /// What stands behind `|`.
    pub(crate) tail: Option<Expr>,
}

/// What an element of a simple list can be, depending on where the list stands.
pub(crate) trait SimpleNode: Sized {
    /// `None` if the element cannot stand there.
    fn from_simple(element: Expr) -> Option<Self>;
}

impl SimpleNode for Expr {
    fn from_simple(element: Expr) -> Option<Self> {
        Some(element)
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
                let elements = elements.into_iter().map(Self::from_simple);
                let elements = elements.collect::<Option<_>>()?;
                Some(Self::Tuple(Child::new(PatternTuple { meta, elements })))
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
}

impl<'text> PhraseReader<'text> {
    /// Reads a list whose opening bracket `lexer` has just passed, up to the token that closes
    /// it. Its elements may have annotations.
    pub(crate) fn list(
        &mut self,
        lexer: &mut Lexer<'text, Token>,
        closing: Token,
    ) -> Option<SimpleList> {
        let mut ahead = lexer.clone();
        let first = ahead.next()?.ok()?;
        self.elements.clear();
        let list = if first != closing {
            self.read_elements(first, &mut ahead, closing, MAX_DEPTH)?
        } else if closing == Token::RightBracket {
            // The grammar knows `[]` as a literal of its own.
            return None;
        } else {
            SimpleList::default()
        };
        *lexer = ahead;
        Some(list)
    }

    /// Reads the rest of `let <X,Y> =`.
    pub(crate) fn let_variables(
        &mut self,
        lexer: &mut Lexer<'text, Token>,
    ) -> Option<Vec<Variable>> {
        let mut ahead = lexer.clone();
        pass(&mut ahead, Token::Less)?;
        let mut variables = Vec::with_capacity(1);
        while variables.is_empty() || ahead.slice() == "," {
            pass(&mut ahead, Token::Variable)?;
            variables.push(variable(&ahead));
            ahead.next()?.ok()?;
        }
        if ahead.slice() != ">" {
            return None;
        }
        pass(&mut ahead, Token::Equals)?;
        *lexer = ahead;
        Some(variables)
    }

    /// Reads the rest of `call 'm':'f'`, without its arguments.
    pub(crate) fn call(&mut self, lexer: &mut Lexer<'text, Token>) -> Option<Child<Call>> {
        let mut ahead = lexer.clone();
        pass(&mut ahead, Token::Atom)?;
        let module = literal(Token::Atom, &ahead)?;
        pass(&mut ahead, Token::Colon)?;
        pass(&mut ahead, Token::Atom)?;
        let name = literal(Token::Atom, &ahead)?;
        *lexer = ahead;
        Some(Child::new(Call {
            meta: Meta::default(),
            module,
            name,
            arguments: Vec::new(),
        }))
    }

    /// Reads elements up to the closing token, the first of which begins with a token that the
    /// lexer has just passed.
    fn read_elements(
        &mut self,
        first: Token,
        lexer: &mut Lexer<'text, Token>,
        closing: Token,
        depth: u32,
    ) -> Option<SimpleList> {
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
        let elements = self.elements.split_off(start);
        Some(SimpleList { elements, tail })
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
        let closing = if opening == Token::LeftBracket {
            Token::RightBracket
        } else {
            Token::RightBrace
        };
        let first = lexer.next()?.ok()?;
        if first == closing {
            // The reader of constants takes `{}`, so this is `[]`.
            let meta = Meta::at(start, offset(lexer.span().end));
            let value = LiteralValue::Nil;
            return Some(Expr::Literal(Box::new(Literal { meta, value })));
        }
        let depth = depth.checked_sub(1)?;
        let list = self.read_elements(first, lexer, closing, depth)?;
        let end = offset(lexer.span().end);
        Some(if opening == Token::LeftBracket {
            cons(start, end, list.elements, list.tail)
        } else {
            tuple(start, end, list.elements)
        })
    }
}

/// Passes one token; `None` if it is another one.
#[inline]
fn pass(lexer: &mut Lexer<'_, Token>, token: Token) -> Option<()> {
    (lexer.next()?.ok()? == token).then_some(())
}

/// Where the token stands that the lexer has just passed.
fn meta(lexer: &Lexer<'_, Token>) -> Meta {
    let span = lexer.span();
    Meta::at(offset(span.start), offset(span.end))
}

/// The variable that the lexer has just passed.
fn variable(lexer: &Lexer<'_, Token>) -> Variable {
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
mod tests {
    use logos::Logos;

    use super::*;

    /// What is read of a text after its first token, and what is left of it.
    fn read_text<'text, T>(
        text: &'text str,
        read: impl FnOnce(&mut PhraseReader<'text>, &mut Lexer<'text, Token>) -> T,
    ) -> (T, &'text str) {
        let mut lexer = Token::lexer(text);
        lexer.next();
        let phrase = read(&mut PhraseReader::default(), &mut lexer);
        (phrase, lexer.remainder())
    }

    fn read_list(text: &str, closing: Token) -> (Option<SimpleList>, &str) {
        read_text(text, |reader, lexer| reader.list(lexer, closing))
    }

    #[test]
    fn reads_variables_and_constants_with_their_annotations() {
        let text = "(X,'a',[],{1,[2]},( Y -| [3] ),[X|( {Y} -| [4,5] )]) Z";
        let (list, rest) = read_list(text, Token::RightParenthesis);
        let elements = list.expect("a list").elements;
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
        let (list, rest) = read_list("[X,1|[2]] Y", Token::RightBracket);
        let list = list.expect("a list");
        assert_eq!((list.elements.len(), list.tail.is_some()), (2, true));
        assert_eq!(rest, " Y");
        assert_eq!(read_list("{X|Y}", Token::RightBrace).0, None);
        assert_eq!(read_list("[]", Token::RightBracket).0, None);
        assert_eq!(read_list("[X|Y,Z]", Token::RightBracket).0, None);
    }

    #[test]
    fn reads_the_heads_of_lets_and_calls() {
        let variables = |text| read_text(text, PhraseReader::let_variables);
        let (read, rest) = variables("let <X,Y> = 1");
        assert_eq!((read.map(|names| names.len()), rest), (Some(2), " 1"));
        for text in [
            "let X = 1",
            "let <X> in",
            "let <X|Y> =",
            "let <> = 1",
            "let <X",
        ] {
            assert_eq!(variables(text), (None, &text[3..]), "{text}");
        }
        let call = |text| read_text(text, PhraseReader::call);
        let (read, rest) = call("call 'm':'f' ()");
        assert_eq!((read.is_some(), rest), (true, " ()"));
        for text in ["call X:'f' ()", "call 'm':F ()", "call 'm' ()"] {
            assert_eq!(call(text), (None, &text[4..]), "{text}");
        }
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
        let elements = list.expect("a list").elements.into_iter();
        let variables: Vec<bool> = elements
            .map(|element| Variable::from_simple(element).is_some())
            .collect();
        assert_eq!(variables, [true, false, false]);
    }
}
