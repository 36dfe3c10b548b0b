//! What is wrong with a text, as the grammar finds it. [`crate::explain`] puts it into words.

use lalrpop_util::ParseError as GrammarError;

use crate::ast::Span;
use crate::lexer::{LexicalError, Token};

/// What the actions of the grammar find wrong, beyond what the grammar itself can say.
#[derive(Debug, PartialEq)]
pub(crate) enum Complaint {
    Lexical(LexicalError, Span),
    BadArity(Span),
    ExceptionVariables(Span),
    NotAnnotations(Span),
}

/// How the grammar fails.
pub(crate) type GrammarFailure = GrammarError<u32, Token, Complaint>;
