//! From text to syntax tree.

use diagnostic::{Diagnostic, Source};
use erlang_term::Atom;
use lalrpop_util::{ParseError as GrammarError, lalrpop_mod};
use thiserror::Error;

use crate::ast::{
    Annotations, Child, Cons, Constant, ConstantList, ConstantTerm, Expr, FunctionName, Literal,
    LiteralValue, Meta, Module, Part, Pattern, PatternCons, PatternTuple, Span, Tuple,
};
use crate::explain::explain;
use crate::lexer::{LexicalError, Token, atom_value};
use crate::read_ahead::{Phrases, TRUE_GUARD, Tokens, TokensAndPhrases};
use crate::simple_lists::SimpleNode;

lalrpop_mod!(
    #[allow(
        clippy::all,
        clippy::allow_attributes_without_reason,
        clippy::indexing_slicing,
        clippy::unwrap_used,
        clippy::wildcard_enum_match_arm,
        clippy::too_many_lines,
        missing_docs,
        missing_debug_implementations,
        unused_imports,
        unused_qualifications,
        reason = "generated code"
    )]
    grammar
);

/// What grammar actions find wrong, beyond what the grammar itself can say.
#[derive(Debug, PartialEq)]
pub(crate) enum Complaint {
    Lexical(LexicalError, Span),
    BadArity(Span),
    ExceptionVariables(Span),
    NotAnnotations(Span),
    NotSimple(Span),
}

/// Why a text is not a Core Erlang module.
#[derive(Debug, Error, PartialEq)]
#[error("{title}")]
pub struct ParseError {
    /// What is wrong, in one line.
    pub title: String,
    /// The place.
    pub span: Span,
    /// What is to be said at the place.
    pub label: String,
    /// What to do about it.
    pub help: Option<String>,
}

impl ParseError {
    /// Adds what to do about it.
    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The message for the user, given the text that was parsed and its name.
    pub fn diagnostic(self, source_name: &str, text: &str) -> Diagnostic {
        let source = Source {
            name: source_name.to_owned(),
            text: text.to_owned(),
        };
        let diagnostic =
            Diagnostic::error("core-syntax", self.title).at(source, self.span.range(), self.label);
        match self.help {
            Some(help) => diagnostic.help(help),
            None => diagnostic,
        }
    }
}

/// Parses the text of one module.
///
/// # Errors
/// When the text is not a module of Core Erlang.
pub fn parse_module(text: &str) -> Result<Module, ParseError> {
    let Ok(_) = u32::try_from(text.len()) else {
        return Err(ParseError {
            title: "the file is larger than 4 GiB".to_owned(),
            span: Span::default(),
            label: String::new(),
            help: None,
        });
    };
    // The grammar must see every token to say what is wrong.
    parse(text, Reading::Phrases)
        .or_else(|_| parse(text, Reading::Tokens))
        .map_err(|error| explain(error, text))
}

/// What the grammar takes as one piece.
#[derive(Clone, Copy)]
enum Reading {
    /// Every token.
    Tokens,
    /// Frequent phrases as well.
    Phrases,
}

fn parse(text: &str, reading: Reading) -> Result<Module, GrammarFailure> {
    let phrases = Phrases::default();
    let parser = grammar::ModuleParser::new();
    let module = match reading {
        Reading::Tokens => parser.parse(text, &phrases, Tokens::new(text)),
        Reading::Phrases => parser.parse(text, &phrases, TokensAndPhrases::new(text, &phrases)),
    };
    module.map(|module| *module)
}

/// How the grammar fails.
pub(crate) type GrammarFailure = GrammarError<u32, Token, Complaint>;

/// A place in a text whose length was checked.
pub(crate) fn offset(position: usize) -> u32 {
    u32::try_from(position).expect("the length of the text was checked")
}

/// The elements of a list of constants as annotations; `None` if it is no proper list.
pub(crate) fn annotations(list: Constant) -> Option<Annotations> {
    let Constant::List(list) = list else {
        return None;
    };
    let list = list.into_inner();
    list.tail
        .is_none()
        .then(|| Annotations::new(list.elements.into()))
}

/// The annotations between two places, from the constant that stands there.
pub(crate) fn annotations_at(
    phrases: &Phrases,
    start: u32,
    end: u32,
) -> Result<Annotations, GrammarFailure> {
    annotations(phrases.constant(start)).ok_or(GrammarError::User {
        error: Complaint::NotAnnotations(Span { start, end }),
    })
}

/// Something that was read ahead must be what it was taken for, or the second attempt, token by
/// token, says what is wrong.
fn simple<T>(found: Option<T>, start: u32, end: u32) -> Result<T, GrammarFailure> {
    found.ok_or(GrammarError::User {
        error: Complaint::NotSimple(Span { start, end }),
    })
}

/// The simple list between two places.
pub(crate) fn simple_list<T: SimpleNode>(
    phrases: &Phrases,
    start: u32,
    end: u32,
) -> Result<Vec<T>, GrammarFailure> {
    simple(phrases.list(start), start, end)
}

/// The simple term or call between two places.
pub(crate) fn simple_expr<T: SimpleNode>(
    phrases: &Phrases,
    start: u32,
    end: u32,
) -> Result<T, GrammarFailure> {
    simple(phrases.expr(start), start, end)
}

/// How long the guard of a simple clause head is.
pub(crate) fn true_guard_length() -> u32 {
    offset(TRUE_GUARD.trim_start().len())
}

/// The guard `when 'true' ->` between two places.
pub(crate) fn true_guard(start: u32, end: u32) -> Expr {
    Expr::Literal(Box::new(Literal {
        meta: Meta::at(start, end),
        value: LiteralValue::Atom(Atom::new("true")),
    }))
}

/// Size, unit, type and flags of the segment between two places.
pub(crate) fn segment_details(
    details: Vec<Expr>,
    start: u32,
    end: u32,
) -> Result<[Expr; 4], GrammarFailure> {
    simple(details.try_into().ok(), start, end)
}

/// The text between two places.
pub(crate) fn slice(text: &str, start: u32, end: u32) -> &str {
    text.get(start as usize..end as usize).unwrap_or_default()
}

/// What the token between two places stands for.
pub(crate) fn value<'text, T>(
    text: &'text str,
    start: u32,
    end: u32,
    read: impl FnOnce(&'text str) -> Result<T, LexicalError>,
) -> Result<T, GrammarFailure> {
    read(slice(text, start, end)).map_err(|error| GrammarError::User {
        error: Complaint::Lexical(error, Span { start, end }),
    })
}

/// The number of parameters between two places.
pub(crate) fn arity(text: &str, start: u32, end: u32) -> Result<u32, GrammarFailure> {
    let arity = slice(text, start, end)
        .parse()
        .ok()
        .filter(|arity| *arity <= 255);
    arity.ok_or(GrammarError::User {
        error: Complaint::BadArity(Span { start, end }),
    })
}

/// The function name that is one token.
pub(crate) fn function_name(
    text: &str,
    start: u32,
    end: u32,
) -> Result<FunctionName, GrammarFailure> {
    let digits = slice(text, start, end)
        .bytes()
        .rev()
        .take_while(u8::is_ascii_digit)
        .count();
    let arity_start = end - offset(digits);
    let name = value(text, start, arity_start - 1, atom_value)?;
    let arity = arity(text, arity_start, end)?;
    Ok(FunctionName {
        meta: Meta::at(start, end),
        name,
        arity,
    })
}

/// A list of expressions from its elements and tail.
pub(crate) fn cons(start: u32, end: u32, elements: Vec<Expr>, tail: Option<Expr>) -> Expr {
    let (elements, tail) = match folded_list(elements, tail) {
        Ok(value) => return Expr::Constant(constant_term(start, end, value)),
        Err(parts) => parts,
    };
    let nil = || Expr::Literal(nil(end));
    let mut list = tail.unwrap_or_else(nil);
    for head in elements.into_iter().rev() {
        let meta = Meta::at(head.meta().span.start, end);
        list = Expr::Cons(Child::new(Cons {
            meta,
            head,
            tail: list,
        }));
    }
    list.meta_mut().span.start = start;
    list
}

/// A list of patterns from its elements and tail.
pub(crate) fn pattern_cons(
    start: u32,
    end: u32,
    elements: Vec<Pattern>,
    tail: Option<Pattern>,
) -> Pattern {
    let (elements, tail) = match folded_list(elements, tail) {
        Ok(value) => return Pattern::Constant(constant_term(start, end, value)),
        Err(parts) => parts,
    };
    let nil = || Pattern::Literal(nil(end));
    let mut list = tail.unwrap_or_else(nil);
    for head in elements.into_iter().rev() {
        let meta = Meta::at(head.meta().span.start, end);
        list = Pattern::Cons(Child::new(PatternCons {
            meta,
            head,
            tail: list,
        }));
    }
    list.meta_mut().span.start = start;
    list
}

/// A tuple of expressions.
pub(crate) fn tuple(start: u32, end: u32, elements: Vec<Expr>) -> Expr {
    let elements = match folded(elements) {
        Ok(elements) => {
            let value = Constant::Tuple(elements.into());
            return Expr::Constant(constant_term(start, end, value));
        }
        Err(elements) => elements,
    };
    let meta = Meta::at(start, end);
    Expr::Tuple(Child::new(Tuple { meta, elements }))
}

/// A tuple of patterns.
pub(crate) fn pattern_tuple(start: u32, end: u32, elements: Vec<Pattern>) -> Pattern {
    let elements = match folded(elements) {
        Ok(elements) => {
            let value = Constant::Tuple(elements.into());
            return Pattern::Constant(constant_term(start, end, value));
        }
        Err(elements) => elements,
    };
    let meta = Meta::at(start, end);
    Pattern::Tuple(Child::new(PatternTuple { meta, elements }))
}

/// The constants that these parts are, or the parts again if they are not all constants.
fn folded<T: Part>(parts: Vec<T>) -> Result<Vec<Constant>, Vec<T>> {
    if parts.iter().all(T::is_bare_constant) {
        Ok(parts.into_iter().filter_map(T::into_constant).collect())
    } else {
        Err(parts)
    }
}

/// The same for the elements and the tail of a list.
fn folded_list<T: Part>(
    elements: Vec<T>,
    tail: Option<T>,
) -> Result<Constant, (Vec<T>, Option<T>)> {
    if !tail.as_ref().is_none_or(T::is_bare_constant) {
        return Err((elements, tail));
    }
    match folded(elements) {
        Ok(elements) => Ok(constant_list(elements, tail.and_then(T::into_constant))),
        Err(elements) => Err((elements, tail)),
    }
}

fn nil(end: u32) -> Box<Literal> {
    Box::new(Literal {
        meta: Meta::at(end, end),
        value: LiteralValue::Nil,
    })
}

fn constant_term(start: u32, end: u32, value: Constant) -> Box<ConstantTerm> {
    Box::new(ConstantTerm {
        meta: Meta::at(start, end),
        value,
    })
}

/// A list of constants; a tail that is itself a list continues it. Printers nest lists to the
/// right, so putting elements in front must be cheap.
pub(crate) fn constant_list(elements: Vec<Constant>, tail: Option<Constant>) -> Constant {
    let list = match tail {
        None | Some(Constant::Atomic(LiteralValue::Nil)) => ConstantList {
            elements: elements.into(),
            tail: None,
        },
        Some(Constant::List(list)) => {
            let mut list = list.into_inner();
            elements
                .into_iter()
                .rev()
                .for_each(|element| list.elements.push_front(element));
            list
        }
        tail => ConstantList {
            elements: elements.into(),
            tail,
        },
    };
    Constant::List(Child::new(list))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Phrases are only a faster way to the same tree; a text that needs the second, slower
    /// attempt to parse is a mistake here.
    #[test]
    fn the_first_attempt_takes_every_kind_of_bracket() {
        let text = "module 'm' ['f'/1] attributes ['a' = [1],'b' = {}]
            'f'/1 = fun (X) -> case <X,{[],~{}~,#{}#}> of
              <( {1,[2|[3]]} -| [{4,5}] ),~{{'k'}:=[]}~> when 'true' ->
                ( ~{[1]=>{},'b':={X}|~{}~}~ -| [{1,2},['note']] )
              <[X1|[1]],#{#<1>(8,1,'integer',['unsigned'|['big']])}#> when 'true' -> [[],{}|X1]
              <Y,{Z,'a',[]}> when call 'erlang':'<'(Y,Z) ->
                let <A,B> = <Y,Z> in do apply 'f'/1 ({A,'s',$c,1.5,-1}) apply Y()
              <{[A|{B,'k'}],( [C] -| [7] )},#{#<D>(B,1,'integer',[])}#> when 'true' ->
                let <E,( F -| [8] )> = call A:'g'([{B},( C -| [9] )|A],{[D,1],[],{}}) in
                #{#<E>(F,1,'integer',['signed'])}#
              <( {A,[B]} -| [] ),C> when ( 'true' -| [1] ) ->
                try apply X (A,( B -| [2] )) of <R> -> R catch <K,V> -> fun (P,Q) -> ( P -| [3] )
            end
            end";
        let fast = parse(text, Reading::Phrases);
        assert!(fast.is_ok(), "{fast:?}");
        assert_eq!(fast, parse(text, Reading::Tokens));
    }

    /// Empty annotations are no annotations: what is printed without them is the same tree.
    #[test]
    fn a_constant_is_one_however_it_is_written() {
        let module = |term: &str| {
            let text = format!(
                "module 'm' [] attributes []
                 'f'/1 = fun (X) -> case X of <{term}> when 'true' -> {term} end
                 end"
            );
            parse(&text, Reading::Phrases)
        };
        let plain = module("{['a',2|{3}],{}}");
        assert!(plain.is_ok(), "{plain:?}");
        assert_eq!(
            module("( {( [( 'a' -| [] ),2|{3}] -| [] ),{}} -| [] )"),
            plain
        );
        assert_ne!(module("{[( 'a' -| ['note'] ),2|{3}],{}}"), plain);
    }
}
