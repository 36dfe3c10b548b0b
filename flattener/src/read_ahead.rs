//! The tokens that the grammar sees: those of the lexer, and phrases made of several of them.
//!
//! The generated parser spends some 40 nanoseconds on each token, far more than reading it takes.
//! Phrases that are both simple and frequent are therefore recognised here and are one token for
//! the grammar. What they hold travels beside the tokens, not in them, because the generated
//! parser moves tokens about by value.

use std::cell::RefCell;
use std::collections::VecDeque;

use logos::{Lexer, Logos};

use crate::ast::{Annotations, Constant, Expr, Span, Variable};
use crate::lexer::Token;
use crate::parser::{Complaint, offset};
use crate::simple_lists::{MAX_DEPTH, PhraseReader, SimpleNode};

/// What the grammar takes: a token and its place.
type Item = Result<(u32, Token, u32), Complaint>;

/// The contents of phrases that the grammar has not taken yet. It takes those of each kind in the
/// order of their tokens, except for constants.
#[derive(Default)]
pub(crate) struct Phrases {
    /// With the places where they begin.
    constants: RefCell<VecDeque<(u32, Constant)>>,
    notes: Queue<Annotations>,
    lists: Queue<Vec<Expr>>,
    /// Terms and calls.
    exprs: Queue<Expr>,
    /// Of `let` and `fun`.
    variables: Queue<Vec<Variable>>,
}

impl Phrases {
    /// The constant whose token begins at a place. It is one of the first that are left: the
    /// grammar holds back at most the few constants of a rule that is not complete yet.
    pub(crate) fn constant(&self, start: u32) -> Constant {
        let mut waiting = self.constants.borrow_mut();
        let index = waiting.iter().position(|(place, _)| *place == start);
        let found = index.and_then(|index| waiting.remove(index));
        found.expect("each constant token has its constant").1
    }

    /// The next annotations.
    pub(crate) fn notes(&self) -> Annotations {
        self.notes.take()
    }

    /// The next simple list; none if one of its elements cannot stand there.
    pub(crate) fn list<T: SimpleNode>(&self) -> Option<Vec<T>> {
        T::from_simple_list(self.lists.take())
    }

    /// The next term or call; none if it cannot stand there.
    pub(crate) fn expr<T: SimpleNode>(&self) -> Option<T> {
        T::from_simple(self.exprs.take())
    }

    /// The variables of the next `let` or `fun`.
    pub(crate) fn variables(&self) -> Vec<Variable> {
        self.variables.take()
    }
}

/// Phrases of one kind, the next one first.
struct Queue<T>(RefCell<VecDeque<T>>);

impl<T> Queue<T> {
    /// Puts a phrase behind the others; the token that stands for it comes back.
    fn add(&self, phrase: T, token: Token) -> Token {
        self.0.borrow_mut().push_back(phrase);
        token
    }

    fn take(&self) -> T {
        let next = self.0.borrow_mut().pop_front();
        next.expect("each token of a phrase has its phrase")
    }
}

impl<T> Default for Queue<T> {
    fn default() -> Self {
        Self(RefCell::default())
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
    phrases: &'text Phrases,
    reader: PhraseReader<'text>,
    /// The token before.
    last: Token,
}

impl<'text> TokensAndPhrases<'text> {
    pub(crate) fn new(text: &'text str, phrases: &'text Phrases) -> Self {
        Self {
            tokens: Tokens::new(text),
            phrases,
            reader: PhraseReader::default(),
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
        let (lexer, reader, phrases) = (&mut self.tokens.0, &mut self.reader, self.phrases);
        let phrase = match token {
            // A brace after `~` or `#` opens a map or a binary.
            Token::LeftBracket | Token::LeftBrace
                if !matches!(self.last, Token::Tilde | Token::Hash) =>
            {
                self.constant_or_term(token, start)
            }
            // Elsewhere a parenthesis opens something with annotations.
            Token::LeftParenthesis
                if matches!(
                    self.last,
                    Token::Atom
                        | Token::FunctionName
                        | Token::Variable
                        | Token::Fun
                        | Token::Greater
                ) =>
            {
                let list = reader.list(lexer, Token::RightParenthesis);
                list.map(|list| phrases.lists.add(list, Token::SimpleArguments))
            }
            // The value of a segment, `#<X>(…)`, is no list.
            Token::Less if self.last != Token::Hash => {
                reader.list(lexer, Token::Greater).map(|list| {
                    let is_clause = lexer.remainder().starts_with(TRUE_GUARD);
                    let phrase = if is_clause {
                        lexer.bump(TRUE_GUARD.len());
                        Token::SimpleClauseHead
                    } else {
                        Token::SimpleValues
                    };
                    phrases.lists.add(list, phrase)
                })
            }
            // After a brace it closes a binary.
            Token::Hash if self.last != Token::RightBrace => {
                let binary = reader.whole(lexer, |reader, ahead| reader.binary(ahead, MAX_DEPTH));
                binary.map(|binary| phrases.exprs.add(binary, Token::SimpleTerm))
            }
            Token::Let => {
                let variables = reader.let_variables(lexer);
                variables.map(|names| phrases.variables.add(names, Token::SimpleLet))
            }
            Token::Fun => {
                let variables = reader.parameters(lexer);
                variables.map(|names| phrases.variables.add(names, Token::SimpleFun))
            }
            Token::Call | Token::Apply | Token::Primop => {
                let call = reader.call(token, lexer);
                call.map(|call| phrases.exprs.add(call, Token::SimpleCall))
            }
            Token::Annotate => {
                let notes = reader.notes.read(lexer, &mut reader.constants);
                notes.map(|notes| phrases.notes.add(notes, Token::Notes))
            }
            Token::When => read_true_guard(lexer).then_some(Token::TrueGuard),
            _ => None,
        };
        phrase.unwrap_or(token)
    }

    /// The constant, tuple or list that a bracket opens.
    fn constant_or_term(&mut self, opening: Token, start: u32) -> Option<Token> {
        let lexer = &mut self.tokens.0;
        if let Some(constant) = self.reader.constants.read(lexer, opening) {
            let mut constants = self.phrases.constants.borrow_mut();
            constants.push_back((start, constant));
            return Some(Token::Constant);
        }
        let term = self.reader.term(lexer, opening)?;
        Some(self.phrases.exprs.add(term, Token::SimpleTerm))
    }
}

/// The guard of nearly all clauses behind their patterns, as the compiler writes it. Comparing the
/// text is cheaper than lexing it; whatever else is there is for the grammar to take.
pub(crate) const TRUE_GUARD: &str = " when 'true' ->";

/// Reads the rest of `when 'true' ->`; if there is anything else, the lexer stays where it is.
fn read_true_guard(lexer: &mut Lexer<'_, Token>) -> bool {
    let mut ahead = lexer.clone();
    let found = ahead.next() == Some(Ok(Token::Atom))
        && ahead.slice() == "'true'"
        && ahead.next() == Some(Ok(Token::Arrow));
    if found {
        *lexer = ahead;
    }
    found
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
