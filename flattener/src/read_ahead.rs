//! The tokens that the grammar sees: those of the lexer, and phrases made of several of them.
//!
//! The generated parser spends some 40 nanoseconds on each token, far more than reading it takes.
//! Phrases that are both simple and frequent are therefore recognised here and are one token for
//! the grammar. What they hold travels beside the tokens, not in them, because the generated
//! parser moves tokens about by value.

use std::cell::RefCell;

use logos::{Lexer, Logos};

use crate::ast::{Annotations, Constant, Expr, Span, Variable};
use crate::lexer::Token;
use crate::parser::{Complaint, offset};
use crate::simple_lists::{MAX_DEPTH, PhraseReader, SimpleNode};

/// What the grammar takes: a token and its place.
type Item = Result<(u32, Token, u32), Complaint>;

/// The contents of phrases that the grammar has not taken yet.
#[derive(Default)]
pub(crate) struct Phrases {
    constants: Waiting<Constant>,
    notes: Waiting<Annotations>,
    lists: Waiting<Vec<Expr>>,
    /// Terms and calls.
    exprs: Waiting<Expr>,
    /// Of `let` and `fun`.
    variables: Waiting<Vec<Variable>>,
}

/// What the token that begins at a place stands for.
impl Phrases {
    pub(crate) fn constant(&self, start: u32) -> Constant {
        self.constants.take(start)
    }

    pub(crate) fn notes(&self, start: u32) -> Annotations {
        self.notes.take(start)
    }

    /// The list; none if one of its elements cannot stand there.
    pub(crate) fn list<T: SimpleNode>(&self, start: u32) -> Option<Vec<T>> {
        T::from_simple_list(self.lists.take(start))
    }

    /// The term or call; none if it cannot stand there.
    pub(crate) fn expr<T: SimpleNode>(&self, start: u32) -> Option<T> {
        T::from_simple(self.exprs.take(start))
    }

    pub(crate) fn variables(&self, start: u32) -> Vec<Variable> {
        self.variables.take(start)
    }
}

/// Phrases of one kind with the places where they begin, in order.
struct Waiting<T>(RefCell<Vec<(u32, T)>>);

impl<T> Waiting<T> {
    /// Adds the last phrase; the token that stands for it comes back.
    fn add(&self, start: u32, phrase: T, token: Token) -> Token {
        self.0.borrow_mut().push((start, phrase));
        token
    }

    /// The phrase that begins at a place. It is one of the last: the grammar has taken all that
    /// follow it, but for those of the same rule and of the token after it.
    fn take(&self, start: u32) -> T {
        let mut waiting = self.0.borrow_mut();
        let index = waiting.iter().rposition(|(place, _)| *place == start);
        let index = index.expect("each token of a phrase has its phrase");
        waiting.remove(index).1
    }
}

impl<T> Default for Waiting<T> {
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
                list.map(|list| phrases.lists.add(start, list, Token::SimpleArguments))
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
                    phrases.lists.add(start, list, phrase)
                })
            }
            // After a brace it closes a binary.
            Token::Hash if self.last != Token::RightBrace => {
                let binary = reader.whole(lexer, |reader, ahead| reader.binary(ahead, MAX_DEPTH));
                binary.map(|binary| phrases.exprs.add(start, binary, Token::SimpleTerm))
            }
            Token::Let => {
                let variables = reader.let_variables(lexer);
                variables.map(|names| phrases.variables.add(start, names, Token::SimpleLet))
            }
            Token::Fun => {
                let variables = reader.parameters(lexer);
                variables.map(|names| phrases.variables.add(start, names, Token::SimpleFun))
            }
            Token::Call | Token::Apply | Token::Primop => {
                let call = reader.call(token, lexer);
                call.map(|call| phrases.exprs.add(start, call, Token::SimpleCall))
            }
            Token::Annotate => {
                let notes = reader.notes.read(lexer, &mut reader.constants);
                notes.map(|notes| phrases.notes.add(start, notes, Token::Notes))
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
            let constants = &self.phrases.constants;
            return Some(constants.add(start, constant, Token::Constant));
        }
        let term = self.reader.term(lexer, opening)?;
        Some(self.phrases.exprs.add(start, term, Token::SimpleTerm))
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
