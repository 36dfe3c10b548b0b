//! Renaming, and the errors that it finds.

use super::*;
use crate::passes::testing::{check_pass, module};

#[test]
fn renames_variables_that_shadow_in_a_chain_of_lets() {
    check_pass!(
        renamed,
        "
        'f'/1 = fun (X) ->
          let <X> = {X} in
          let <X,Y> = <{X},X> in
          let <Z> = let <Y> = Y in Y in
          {X,Y,Z}
        "
    );
}

#[test]
fn gives_each_function_its_own_names() {
    check_pass!(
        renamed,
        "
        'f'/1 = fun (X) -> X
        'g'/1 = fun (X) -> let <X> = X in X
        "
    );
}

#[test]
fn renames_parameters_of_nested_funs() {
    check_pass!(
        renamed,
        "
        'f'/2 = fun (X,Y) ->
          {fun (X) -> {X,Y,fun (Y) -> {X,Y}},fun (X) -> X,X}
        "
    );
}

#[test]
fn renames_variables_of_clauses() {
    check_pass!(
        renamed,
        "
        'f'/1 = fun (X) ->
          case X of
            <[X|Y]> when call 'erlang':'>'(X,Y) -> {X,Y}
            <Z = {X,Y}> when 'true' -> case Z of <X> when X -> X end
            <Y> when 'true' -> {X,Y}
          end
        "
    );
}

#[test]
fn a_size_means_an_earlier_segment_before_an_outer_variable() {
    check_pass!(
        renamed,
        "
        'f'/2 = fun (N,B) ->
          case B of
            <#{#<X>(N,1,'integer',['unsigned'|['big']]),
               #<N>(8,1,'integer',['unsigned'|['big']]),
               #<Y>(N,8,'binary',['unsigned'|['big']])}#> when 'true' -> {N,X,Y}
          end
        "
    );
}

#[test]
fn a_size_in_another_pattern_means_the_outer_variable() {
    check_pass!(
        renamed,
        "
        'f'/2 = fun (N,B) ->
          case <B,B> of
            <N,#{#<X>(N,1,'integer',['unsigned'|['big']])}#> when 'true' -> {N,X}
          end
        "
    );
}

#[test]
fn a_key_in_a_pattern_is_bound_outside() {
    check_pass!(
        renamed,
        "
        'f'/2 = fun (K,M) ->
          case M of
            <~{K:=K,{K}:=V,'a':=A}~> when 'true' -> {K,V,A}
          end
        "
    );
}

#[test]
fn renames_variables_of_try_and_receive() {
    check_pass!(
        renamed,
        "
        'f'/1 = fun (X) ->
          try X of <X,Y> -> {X,Y} catch <X,Y,Z> ->
          receive <X> when 'true' -> catch {X,Y,Z} after X -> X
        "
    );
}

#[test]
fn renames_local_functions_that_shadow() {
    check_pass!(
        renamed,
        "
        'f'/1 = fun (X) ->
          letrec 'g'/1 = fun (X) -> apply 'g'/1(X)
                 'h'/0 = fun () -> apply 'g'/1(X)
          in letrec 'g'/1 = fun (Y) -> apply 'h'/0() in
             {apply 'g'/1(X),'g'/2,apply 'h'/0()}
        'g'/2 = fun (X,Y) -> X
        "
    );
}

#[test]
fn a_local_function_gives_way_to_one_of_the_module() {
    check_pass!(
        renamed,
        "
        'f'/0 = fun () ->
          let <X> = letrec 'f'/0 = fun () -> 1 in apply 'f'/0() in
          apply 'f'/0()
        'f@1'/0 = fun () -> apply 'f'/0()
        "
    );
}

#[test]
fn skips_suffixes_that_are_taken() {
    check_pass!(
        renamed,
        "
        'f'/3 = fun (X,X@1,X@3) ->
          let <X> = X in let <X> = X in let <X@1> = X@1 in {X,X@1,X@3}
        "
    );
}

#[test]
fn replaces_characters_outside_of_ascii() {
    check_pass!(
        renamed,
        "
        'f'/4 = fun (_Ü,_Ö,Straße,Ø) ->
          let <_Ü> = {_Ü,_Ö} in {_Ü,_Ö,Straße,Ø}
        "
    );
}

#[test]
fn many_shadows_of_one_name_take_no_longer_than_many_names() {
    let shadows = 20_000;
    let lets = "let <X> = X in ".repeat(shadows);
    let functions = format!("'f'/1 = fun (X) -> {lets} X");
    let renamed = run(module(&functions)).expect("the names are fine");
    let printed = crate::print_module(&renamed, crate::Detail::Full);
    assert!(printed.contains(&format!("let <X@{shadows}> = X@{} in", shadows - 1)));
}

#[test]
fn reports_every_error_in_the_order_of_the_text() {
    let errors = run(module(
        "'f'/1 = fun (X) -> {Y,letrec 'h'/0 = fun () -> 1 'h'/0 = fun () -> 2 in apply 'g'/0()}
         'f'/1 = fun (X,X) -> case X of <{Z,Z}> when 'true' -> Z end",
    ))
    .expect_err("names are wrong");
    let titles: Vec<&str> = errors.iter().map(|error| error.title.as_str()).collect();
    assert_eq!(
        titles,
        [
            "the variable Y is not bound",
            "'h'/0 is defined twice",
            "'g'/0 is not defined",
            "'f'/1 is defined twice",
            "the variable X is bound twice",
            "the variable Z is bound twice",
        ]
    );
}
