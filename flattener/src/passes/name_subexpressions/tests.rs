//! One test for each construct, and for each kind of place it can stand in.

mod guard_tests;
mod literal_tests;

use crate::passes::testing::check_pass;

#[test]
fn names_nested_calls_from_left_to_right() {
    check_pass!(
        flat,
        "
        'f'/1 = fun (X) ->
          apply 'g'/3(call 'm':'a'(call 'm':'b'(X)),{X,apply 'h'/0()},[call 'm':'c'()|X])
        'g'/3 = fun (A,B,C) -> A
        'h'/0 = fun () -> 1
        "
    );
}

#[test]
fn names_module_and_function_of_a_call() {
    check_pass!(
        flat,
        "
        'f'/1 = fun (X) -> call apply X():call 'm':'name'()(apply X())
        "
    );
}

#[test]
fn moves_inner_lets_out() {
    check_pass!(
        flat,
        "
        'f'/1 = fun (X) ->
          let <A> = let <B> = let <C> = apply X() in apply C() in {B,apply B()}
          in apply A()
        "
    );
}

#[test]
fn moves_lets_out_of_arguments() {
    check_pass!(
        flat,
        "
        'f'/1 = fun (X) ->
          apply let <A> = apply X(1) in A(apply X(2),do apply X(3) let <B> = X in apply B(4))
        "
    );
}

#[test]
fn evaluates_both_sides_of_do() {
    check_pass!(
        flat,
        "
        'f'/1 = fun (X) ->
          do apply X(1)
          do do apply X(2) {apply X(3),X}
          do X
          apply X(4)
        "
    );
}

#[test]
fn matches_several_values() {
    check_pass!(
        flat,
        "
        'f'/2 = fun (X,Y) ->
          case <apply X(),{Y,1}> of
            <A,{B,_1}> when 'true' -> {A,B}
            <C = [H|T],D> when 'true' -> let <E,F> = <C,apply X(H)> in {D,E,F,T}
          end
        "
    );
}

#[test]
fn a_case_may_give_and_take_several_values_or_none() {
    check_pass!(
        flat,
        "
        'f'/1 = fun (X) ->
          let <A,B> = case X of <1> when 'true' -> <X,2> <Y> when 'true' -> primop 'match_fail'(Y) end in
          case case A of <B1> when 'true' -> <> end of
            <> when 'true' -> {A,B}
          end
        "
    );
}

#[test]
fn names_a_case_in_an_argument() {
    check_pass!(
        flat,
        "
        'f'/1 = fun (X) ->
          apply X(case apply X() of <1> when 'true' -> apply X(2) <_Y> when 'true' -> 3 end)
        "
    );
}

#[test]
fn funs_are_statements() {
    check_pass!(
        flat,
        "
        'f'/1 = fun (X) ->
          {fun (Y) -> apply X(apply Y()),fun 'lists':'map'/2,'f'/1,fun () -> 'f'/1}
        "
    );
}

#[test]
fn local_functions_stay_where_they_are() {
    check_pass!(
        flat,
        "
        'f'/1 = fun (X) ->
          let <L> =
            letrec 'loop'/1 = fun (Y) ->
              case Y of <[]> when 'true' -> 'loop'/1 <[H|T]> when 'true' -> [H|apply 'loop'/1(T)] end
            in apply 'loop'/1(apply X())
          in apply X(L)
        "
    );
}

#[test]
fn a_label_gives_as_many_values_as_its_place_takes() {
    check_pass!(
        flat,
        "
        'f'/1 = fun (X) ->
          let <A,B> =
            ( letrec 'label^0'/0 = fun () -> <X,apply X()>
              in case X of
                   <1> when 'true' -> <2,3>
                   <_Y> when 'true' -> apply 'label^0'/0()
                 end
              -| ['letrec_goto'] )
          in {A,B}
        "
    );
}

#[test]
fn receive_of_newer_compilers() {
    check_pass!(
        flat_code,
        "
        'f'/1 = fun (T) ->
          ( letrec 'recv$^0'/0 = fun () ->
              let <Is,Message> = primop 'recv_peek_message'() in
              case Is of
                <'true'> when 'true' ->
                  case Message of
                    <{'a',X}> when call 'erlang':'>'(X,1) -> do primop 'remove_message'() X
                    <_Other> when 'true' -> do primop 'recv_next'() apply 'recv$^0'/0()
                  end
                <'false'> when 'true' ->
                  let <Timeout> = primop 'recv_wait_timeout'(T) in
                  case Timeout of
                    <'true'> when 'true' -> 'no'
                    <'false'> when 'true' -> apply 'recv$^0'/0()
                  end
              end
            in apply 'recv$^0'/0()
            -| ['letrec_goto','no_inline'] )
        "
    );
}

#[test]
fn receive_of_older_compilers() {
    check_pass!(
        flat,
        "
        'f'/1 = fun (X) ->
          {receive
             <{'a',Y}> when call 'erlang':'>'(Y,1) -> apply X(Y)
             <'b'> when 'true' -> X
           after apply X() -> apply X('late'),
           receive after 'infinity' -> 'true'}
        "
    );
}

#[test]
fn try_and_catch_protect_their_own_block() {
    check_pass!(
        flat,
        "
        'f'/1 = fun (X) ->
          let <R> =
            try let <A> = apply X(1) in apply A(2) of <V> -> apply X(V)
            catch <Class,Reason,Trace> -> primop 'raise'(Trace,call 'm':'wrap'(Class,Reason))
          in {R,catch apply X(apply X(3))}
        "
    );
}

#[test]
fn try_may_protect_several_values() {
    check_pass!(
        flat,
        "
        'f'/1 = fun (X) ->
          let <A,B> = try <X,apply X()> of <C,D> -> <D,C> catch <E,F> -> <E,F> in
          {A,B}
        "
    );
}

#[test]
fn maps_and_bit_strings_are_statements() {
    check_pass!(
        flat,
        "
        'f'/2 = fun (X,M) ->
          {~{apply X(1)=>X,'k':=apply X(2)|M}~,
           ~{}~,
           ~{X=>1}~,
           #{#<apply X(3)>(apply X(4),8,'binary',['signed'|['little']]),
             #<X>('undefined','undefined','utf8',['unsigned'|['native']])}#}
        "
    );
}

#[test]
fn matches_maps_and_bit_strings() {
    check_pass!(
        flat,
        "
        'f'/2 = fun (X,M) ->
          case M of
            <~{X:=A,{1,\"s\"}:=[B|C]}~> when 'true' -> {A,B,C}
            <#{#<N>(8,1,'integer',['unsigned'|['big']]),
               #<1.5>(64,1,'float',['unsigned'|['big']]),
               #<R>(N,8,'binary',['unsigned'|['big']]),
               #<_1>('all',1,'binary',['unsigned'|['big']])}#> when 'true' -> R
          end
        "
    );
}

#[test]
fn fresh_names_differ_from_those_of_the_program() {
    check_pass!(
        flat,
        "
        'f'/2 = fun (W1,X) ->
          case apply W1(apply X()) of <W3> when 'true' -> apply W3(W1) end
        "
    );
}

#[test]
fn keeps_annotations_of_operations_clauses_and_binders() {
    check_pass!(
        flat,
        "
        ( 'f'/1 -| [1] ) = ( fun (( X -| [2] )) ->
          ( case ( apply X(( X -| ['lost'] )) -| [3] ) of
              ( <( Y -| [4] )> when ( call 'erlang':'>'(Y,1) -| [5] ) ->
                ( do ( primop 'p'() -| [6] ) ( Y -| ['lost'] ) -| ['lost'] ) -| [7] )
            end -| [8] ) -| [9] )
        "
    );
}

#[test]
fn calls_that_raise_may_stand_for_several_values() {
    check_pass!(
        flat,
        "
        'f'/1 = fun (X) ->
          let <A,B> = call 'erlang':'error'('badarg') in {A,B}
        "
    );
}

const TAIL_POSITIONS: &str = "
        'f'/1 = fun (X) ->
          do apply X(1)
          case X of
            <1> when 'true' -> apply 'f'/1(X)
            <2> when 'true' -> let <Y> = apply X(2) in Y
            <3> when 'true' -> let <Y> = apply X(3) in {Y}
            <4> when 'true' ->
              try apply X(4) of <Z> -> apply 'f'/1(Z) catch <C,R,S> -> apply 'f'/1({C,R,S})
            <5> when 'true' -> catch apply X(5)
            <6> when 'true' -> letrec 'g'/0 = fun () -> apply 'g'/0() in apply 'g'/0()
            <7> when 'true' -> fun () -> apply 'f'/1(X)
            <_O> when 'true' -> X
          end
        ";

#[test]
fn binds_tail_calls_for_reading() {
    check_pass!(flat, TAIL_POSITIONS);
}

#[test]
fn leaves_tail_calls_bare_for_code() {
    check_pass!(flat_code, TAIL_POSITIONS);
}

#[test]
fn a_local_function_ends_with_its_letrec() {
    let text = "module 'm' ['f'/1] attributes []
        'g'/1 = fun (X) -> X
        'f'/1 = fun (X) ->
          let <A> = letrec 'g'/1 = fun (Y) -> apply 'g'/1(Y) in apply 'g'/1(X)
          in apply 'g'/1(A)
        end";
    let module = crate::parse_module(text).expect("the text is a module");
    let flat = crate::flatten(module).expect("the module is a program");
    assert_eq!(crate::passes::verify::flat(&flat), Vec::<String>::new());
}

#[test]
fn keeps_the_annotations_of_segments() {
    check_pass!(
        flat,
        "
        'f'/1 = fun (X) -> #{( #<X>(8,1,'integer',['unsigned','big']) -| [{'segment',1}] )}#
        "
    );
}
