//! Short phrases around lists of variables and constants, read in one go: the heads of `let` and
//! `fun`, whole calls and whole binaries.

use logos::Lexer;

use crate::ast::{Apply, Binary, Call, Child, Expr, LiteralValue, Meta, Primop, Segment, Variable};
use crate::lexer::Token;
use crate::parser::{function_name, offset};
use crate::simple_lists::{MAX_DEPTH, PhraseReader, pass, variable};

impl<'text> PhraseReader<'text> {
    /// Reads the rest of `let <X,Y> =`.
    pub(crate) fn let_variables(
        &mut self,
        lexer: &mut Lexer<'text, Token>,
    ) -> Option<Vec<Variable>> {
        self.whole(lexer, |reader, ahead| {
            let variables = reader.variables_between(Token::Less, Token::Greater, ahead)?;
            pass(ahead, Token::Equals)?;
            Some(variables)
        })
    }

    /// Reads the rest of `fun (X,Y) ->`.
    pub(crate) fn parameters(&mut self, lexer: &mut Lexer<'text, Token>) -> Option<Vec<Variable>> {
        self.whole(lexer, |reader, ahead| {
            let (opening, closing) = (Token::LeftParenthesis, Token::RightParenthesis);
            let variables = reader.variables_between(opening, closing, ahead)?;
            pass(ahead, Token::Arrow)?;
            Some(variables)
        })
    }

    /// Variables without annotations, in brackets.
    fn variables_between(
        &mut self,
        opening: Token,
        closing: Token,
        lexer: &mut Lexer<'text, Token>,
    ) -> Option<Vec<Variable>> {
        pass(lexer, opening)?;
        self.variables.clear();
        let mut token = lexer.next()?.ok()?;
        while token != closing {
            if !self.variables.is_empty() {
                if token != Token::Comma {
                    return None;
                }
                token = lexer.next()?.ok()?;
            }
            if token != Token::Variable {
                return None;
            }
            self.variables.push(variable(lexer));
            token = lexer.next()?.ok()?;
        }
        Some(self.variables.split_off(0))
    }

    /// Reads the rest of a `call`, `apply` or `primop` with simple arguments.
    pub(crate) fn call(&mut self, keyword: Token, lexer: &mut Lexer<'text, Token>) -> Option<Expr> {
        self.whole(lexer, |reader, ahead| {
            let start = offset(ahead.span().start);
            if keyword == Token::Call {
                let module = reader.next_element(ahead, 0)?;
                pass(ahead, Token::Colon)?;
                let name = reader.next_element(ahead, 0)?;
                let (arguments, end) = reader.arguments(ahead)?;
                Some(Expr::Call(Child::new(Call {
                    meta: Meta::at(start, end),
                    module,
                    name,
                    arguments,
                })))
            } else if keyword == Token::Apply {
                let operator = reader.operator(ahead)?;
                let (arguments, end) = reader.arguments(ahead)?;
                Some(Expr::Apply(Child::new(Apply {
                    meta: Meta::at(start, end),
                    operator,
                    arguments,
                })))
            } else {
                let Expr::Literal(name) = reader.next_element(ahead, 0)? else {
                    return None;
                };
                if !matches!(name.value, LiteralValue::Atom(_)) {
                    return None;
                }
                let (arguments, end) = reader.arguments(ahead)?;
                Some(Expr::Primop(Child::new(Primop {
                    meta: Meta::at(start, end),
                    name: *name,
                    arguments,
                })))
            }
        })
    }

    /// What an `apply` applies.
    fn operator(&mut self, lexer: &mut Lexer<'text, Token>) -> Option<Expr> {
        let mut ahead = lexer.clone();
        if ahead.next()?.ok()? != Token::FunctionName {
            return self.next_element(lexer, 0);
        }
        let (start, end) = (offset(ahead.span().start), offset(ahead.span().end));
        let name = function_name(ahead.source(), start, end).ok()?;
        *lexer = ahead;
        Some(Expr::FunctionName(Child::new(name)))
    }

    /// Arguments in parentheses, and where they end.
    fn arguments(&mut self, lexer: &mut Lexer<'text, Token>) -> Option<(Vec<Expr>, u32)> {
        pass(lexer, Token::LeftParenthesis)?;
        let arguments = self.elements_up_to(Token::RightParenthesis, lexer, MAX_DEPTH)?;
        Some((arguments, offset(lexer.span().end)))
    }

    /// Reads the rest of `#{…}#`.
    pub(crate) fn binary(&mut self, lexer: &mut Lexer<'text, Token>, depth: u32) -> Option<Expr> {
        let start = offset(lexer.span().start);
        pass(lexer, Token::LeftBrace)?;
        let mut segments = Vec::new();
        let mut token = lexer.next()?.ok()?;
        while token != Token::RightBrace {
            if !segments.is_empty() {
                if token != Token::Comma {
                    return None;
                }
                token = lexer.next()?.ok()?;
            }
            if token != Token::Hash {
                return None;
            }
            segments.push(self.segment(lexer, depth)?);
            token = lexer.next()?.ok()?;
        }
        pass(lexer, Token::Hash)?;
        let meta = Meta::at(start, offset(lexer.span().end));
        Some(Expr::Binary(Child::new(Binary { meta, segments })))
    }

    /// Reads the rest of `#<Value>(Size,Unit,Type,Flags)`.
    fn segment(&mut self, lexer: &mut Lexer<'text, Token>, depth: u32) -> Option<Segment> {
        let start = offset(lexer.span().start);
        pass(lexer, Token::Less)?;
        let mut part = |behind, lexer: &mut _| {
            let part = self.next_element(lexer, depth)?;
            pass(lexer, behind)?;
            Some(part)
        };
        let value = part(Token::Greater, lexer)?;
        pass(lexer, Token::LeftParenthesis)?;
        Some(Segment {
            value,
            size: part(Token::Comma, lexer)?,
            unit: part(Token::Comma, lexer)?,
            kind: part(Token::Comma, lexer)?,
            flags: part(Token::RightParenthesis, lexer)?,
            meta: Meta::at(start, offset(lexer.span().end)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ast::Pattern;
    use crate::simple_lists::SimpleNode;
    use crate::simple_lists::tests::read_text;

    #[test]
    fn reads_the_heads_of_lets_and_funs() {
        let variables = |text| read_text(text, PhraseReader::let_variables);
        let (read, rest) = variables("let <X,Y> = 1");
        assert_eq!((read.map(|names| names.len()), rest), (Some(2), " 1"));
        for text in [
            "let X = 1",
            "let <X> in",
            "let <X|Y> =",
            "let <X,> =",
            "let <X",
        ] {
            assert_eq!(variables(text), (None, &text[3..]), "{text}");
        }
        let parameters = |text| read_text(text, PhraseReader::parameters);
        let (read, rest) = parameters("fun () -> 1");
        assert_eq!((read, rest), (Some(Vec::new()), " 1"));
        for text in ["fun 'm':'f'/1", "fun (( X -| [1] )) ->", "fun (X,Y) in"] {
            assert_eq!(parameters(text), (None, &text[3..]), "{text}");
        }
    }

    #[test]
    fn reads_whole_calls() {
        for (keyword, text) in [
            (Token::Call, "call 'm':'f' () in"),
            (Token::Call, "call X:( F -| [1] )(X,[1,{Y}]) in"),
            (Token::Apply, "apply 'f'/1 (X) in"),
            (Token::Apply, "apply X () in"),
            (Token::Primop, "primop ( 'raise' -| [1] ) (X,Y) in"),
        ] {
            let (read, rest) = read_text(text, |reader, lexer| reader.call(keyword, lexer));
            let span = read.expect("a call").meta().span;
            assert_eq!(
                (&text[span.range()], rest),
                (&text[..text.len() - 3], " in")
            );
        }
        for (keyword, text) in [
            (Token::Call, "call 'm' ()"),
            (Token::Call, "call 'm':'f' (fun () -> 1)"),
            (Token::Apply, "apply 'f'/256 ()"),
            (Token::Apply, "apply ( 'f'/1 -| [1] ) (X)"),
            (Token::Primop, "primop X ()"),
            (Token::Primop, "primop 1 ()"),
        ] {
            let (read, rest) = read_text(text, |reader, lexer| reader.call(keyword, lexer));
            let keyword = text.find(' ').expect("a space");
            assert_eq!((read, rest), (None, &text[keyword..]), "{text}");
        }
    }

    #[test]
    fn reads_whole_binaries() {
        let binary = |text| read_text(text, |reader, lexer| reader.binary(lexer, MAX_DEPTH));
        for text in [
            "#{}# X",
            "#{#<X>(8,1,'integer',['big']),#<( 1 -| [1] )>(Y,1,Z,[])}# X",
        ] {
            let (read, rest) = binary(text);
            let read = read.expect("a binary");
            assert_eq!(&text[read.meta().span.range()], &text[..text.len() - 2]);
            assert_eq!(rest, " X");
            assert!(matches!(
                Pattern::from_simple(read),
                Some(Pattern::Binary(_))
            ));
        }
        for text in [
            "#{#<X>(8,1,'integer')}#",
            "#{#<X>(8,1,Y,[]),}#",
            "#{X}#",
            "#{}",
        ] {
            assert_eq!(binary(text).0, None, "{text}");
        }
    }
}
