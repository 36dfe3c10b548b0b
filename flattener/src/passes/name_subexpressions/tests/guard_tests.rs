//! Guards stay trees.

use crate::passes::testing::check_pass;

#[test]
fn calls_nest() {
    check_pass!(
        flat,
        "
        'f'/1 = fun (X) ->
          case X of
            <Y> when call 'erlang':'and'(call 'erlang':'>'(Y,1),
                                         call 'erlang':'<'(call 'erlang':'+'(Y,1),9)) -> Y
          end
        "
    );
}

#[test]
fn let_case_and_do() {
    check_pass!(
        flat,
        "
        'f'/1 = fun (X) ->
          case X of
            <Y> when
              let <A,B> = <Y,call 'erlang':'length'(Y)> in
              do call 'erlang':'hd'(A)
              case <A,B> of
                <[H|T],1> when call 'erlang':'=='(H,T) -> 'true'
                <_1,_2> when 'true' -> 'false'
              end -> Y
          end
        "
    );
}

#[test]
fn a_failing_guard_is_false() {
    check_pass!(
        flat,
        "
        'f'/1 = fun (X) ->
          case X of
            <Y> when
              try let <A> = call 'erlang':'element'(1,Y) in call 'erlang':'=:='(A,'a')
              of <Try> -> Try
              catch <T,R> -> 'false' -> Y
          end
        "
    );
}

#[test]
fn constructors_are_values_where_they_can_be() {
    check_pass!(
        flat,
        "
        'f'/1 = fun (X) ->
          case X of
            <A> when call 'erlang':'=:='(A,[1,{A}|[2]]) -> 1
            <B> when call 'erlang':'=:='(B,[call 'erlang':'self'(),{B},2]) -> 2
            <C> when call 'erlang':'=:='(C,{C,call 'erlang':'node'()}) -> 3
            <D> when call 'erlang':'=:='(D,~{'a'=>1}~) -> 4
            <E> when call 'erlang':'=:='(E,~{'a':=call 'erlang':'self'()|E}~) -> 5
            <F> when call 'erlang':'=:='(F,#{#<F>(8,1,'integer',['unsigned'|['big']])}#) -> 6
            <G> when primop 'is_ok'(G) -> 7
          end
        "
    );
}
