%%% Tests of the texts of large terms.
-module(erlconcolic_cut_text_tests).

-include_lib("eunit/include/eunit.hrl").

-import(erlconcolic_cut_text, [is_large/1, text/1]).

%% Its text would have 2^60 characters.
shared() ->
    lists:foldl(fun(_, Term) -> {Term, Term} end, a, lists:seq(1, 60)).

ordinary_terms_are_not_large_test() ->
    [?assertNot(is_large(Term))
     || Term <- [a, 1, -1.5, [], {}, #{}, <<1:3>>, "text", self(),
                 fun lists:max/1, [a | b], lists:seq(1, 20000), 1 bsl 10000,
                 #{[1] => {2, #{3 => 4}}}]].

large_terms_are_cut_test() ->
    [begin
         ?assert(is_large(Term)),
         Text = text(Term),
         ?assert(byte_size(Text) < 50000),
         ?assertNotEqual(nomatch, binary:match(Text, <<"...">>))
     end || Term <- [lists:seq(1, 200000),
                     lists:seq(1, 200000) ++ tail,
                     list_to_tuple(lists:seq(1, 200000)),
                     maps:from_list([{N, N} || N <- lists:seq(1, 200000)]),
                     binary:copy(<<"x">>, 200000),
                     {<<0:1600001>>},
                     [3 bsl 4000000 + 1 bsl 99], -(1 bsl 200000 + 1 bsl 99),
                     lists:duplicate(200000, $x),
                     lists:foldl(fun(_, Term) -> [Term] end, [],
                                 lists:seq(1, 200000)),
                     shared(), #{shared() => shared()}]].

shows_the_beginning_test() ->
    ?assertMatch(<<"[1,2,3,", _/binary>>, text(lists:seq(1, 200000))),
    ?assertMatch(<<"{<<1,1,1,", _/binary>>,
                 text({binary:copy(<<1>>, 200000)})),
    ?assertMatch(<<"-16#4000", _/binary>>,
                 text(-(1 bsl 4000006 + 1 bsl 200))),
    ?assertEqual(<<"-(1 bsl 4000006)">>, text(-(1 bsl 4000006))),
    ?assertMatch(<<"#{a => [0,1,", _/binary>>,
                 text(#{a => lists:seq(0, 200000)})),
    ?assertEqual(<<"{fun erlconcolic_cut_text:text/1,[],[97]}">>,
                 text({fun erlconcolic_cut_text:text/1, [], "a"})).
