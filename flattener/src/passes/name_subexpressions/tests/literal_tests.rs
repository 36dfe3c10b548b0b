//! Which expressions become literals.

use crate::flat::Value;
use crate::passes::flatten;
use crate::passes::testing::{check_pass, module};

/// The result of the only function of a module.
fn result(expression: &str) -> Value {
    let functions = format!("'f'/1 = fun (X) -> {expression}");
    let flat = flatten(module(&functions)).expect("the function is a program");
    let function = &flat.functions[0];
    function.block(function.fun.body).result[0].clone()
}

#[track_caller]
fn check_literal(expression: &str, shown: &str) {
    let value = result(expression);
    let term = value.as_literal().map(ToString::to_string);
    assert_eq!(term.as_deref(), Some(shown), "{value:?}");
}

#[track_caller]
fn check_no_literal(expression: &str) {
    assert_eq!(result(expression).as_literal(), None);
}

#[test]
fn folds_lists_and_tuples() {
    check_literal("{1,[2|[3|'a']],{},[]}", "{1,[2,3|a],{},[]}");
    check_literal("[1,{2.5,-0.0}|[3]]", "[1,{2.5,-0.0},3]");
    check_literal("[1|{2}]", "[1|{2}]");
}

#[test]
fn folds_characters_and_strings() {
    check_literal(r#"{$a,"bc",["d"|"ef"]}"#, r#"{97,"bc",["d",101,102]}"#);
    check_literal(r#"["é"|"\n"]"#, "[[195,169],10]");
}

#[test]
fn folds_big_numbers() {
    check_literal(
        "{123456789012345678901234567890,-16#ff}",
        "{123456789012345678901234567890,-255}",
    );
}

#[test]
fn folds_maps() {
    check_literal("~{'a'=>1,{2}=>~{}~}~", "#{a => 1,{2} => #{}}");
    check_literal("{~{}~}", "{#{}}");
}

#[test]
fn folds_whole_bytes_and_a_last_piece() {
    let big = "1,'integer',['unsigned'|['big']]";
    check_literal(
        &format!("#{{#<1>(8,{big}),#<255>(8,{big}),#<5>(3,{big})}}#"),
        "<<1,255,5:3>>",
    );
    check_literal("#{}#", "<<>>");
}

#[test]
fn folds_external_funs() {
    check_literal("[fun 'lists':'map'/2]", "[fun lists:map/2]");
}

#[test]
fn does_not_fold_maps_that_are_changed_or_repeat_a_key() {
    check_no_literal("~{'a'=>1|~{}~}~");
    check_no_literal("~{'a':=1}~");
    check_no_literal(r#"~{"a"=>1,[97]=>2}~"#);
    check_no_literal("~{X=>1}~");
}

#[test]
fn does_not_fold_other_segments() {
    for segment in [
        "#<1>(8,1,'integer',['signed'|['big']])",
        "#<1>(8,1,'integer',['unsigned'|['little']])",
        "#<1>(1,8,'integer',['unsigned'|['big']])",
        "#<256>(8,1,'integer',['unsigned'|['big']])",
        "#<-1>(8,1,'integer',['unsigned'|['big']])",
        "#<1>(16,1,'integer',['unsigned'|['big']])",
        "#<1>(4,1,'integer',['unsigned'|['big']]),#<1>(4,1,'integer',['unsigned'|['big']])",
        "#<1.0>(64,1,'float',['unsigned'|['big']])",
        "#<X>(8,1,'integer',['unsigned'|['big']])",
    ] {
        check_no_literal(&format!("#{{{segment}}}#"));
    }
}

#[test]
fn does_not_fold_functions_of_the_module() {
    check_no_literal("{'f'/1}");
}

#[test]
fn does_not_fold_deeper_than_literals_may_nest() {
    let nested = |depth: usize| format!("{}1{}", "{".repeat(depth), "}".repeat(depth));
    check_literal(&nested(30), &nested(30));
    check_no_literal(&nested(50));
}

#[test]
fn constants_within_other_values_are_folded() {
    check_pass!(
        flat,
        r#"
        'f'/1 = fun (X) ->
          apply X([X,1,2],{X,[1,2],{3}},[1|X],~{'k'=>[X,"abc"]}~,["ab",1|[2]])
        "#
    );
}
