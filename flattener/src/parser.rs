//! From text to syntax tree.

use lalrpop_util::lalrpop_mod;

use crate::ast::{CoreModule, Span};
use crate::complaint::GrammarFailure;
use crate::explain::explain;
use crate::parse_error::ParseError;
use crate::tokens::{Constants, Reading, Tokens};

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

/// Parses the text of one module.
///
/// # Errors
/// When the text is not a module of Core Erlang.
pub fn parse_module(text: &str) -> Result<CoreModule, ParseError> {
    let Ok(_) = u32::try_from(text.len()) else {
        return Err(ParseError {
            title: "the file is larger than 4 GiB".to_owned(),
            span: Span::default(),
            label: String::new(),
            help: None,
        });
    };
    // The grammar must see every token to say what is wrong.
    parse(text, Reading::Constants)
        .or_else(|_| parse(text, Reading::Tokens))
        .map_err(|error| explain(error, text))
}

fn parse(text: &str, reading: Reading) -> Result<CoreModule, GrammarFailure> {
    let constants = Constants::default();
    let tokens = Tokens::new(text, reading, &constants);
    let module = grammar::ModuleParser::new().parse(text, &constants, tokens);
    module.map(|module| *module)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Constants as tokens are only a faster way to the same tree; a valid text must not need the
    /// second, slower attempt.
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
        let fast = parse(text, Reading::Constants);
        assert!(fast.is_ok(), "{fast:?}");
        assert_eq!(fast, parse(text, Reading::Tokens));
    }

    /// Empty annotations do not count: text printed without them is the same tree.
    #[test]
    fn a_constant_may_be_written_in_several_ways() {
        let module = |term: &str| {
            let text = format!(
                "module 'm' [] attributes []
                 'f'/1 = fun (X) -> case X of <{term}> when 'true' -> {term} end
                 end"
            );
            parse(&text, Reading::Constants)
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
