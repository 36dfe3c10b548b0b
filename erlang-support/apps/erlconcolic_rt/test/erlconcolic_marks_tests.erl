%%% Tests of values with pids and references.
-module(erlconcolic_marks_tests).

-include_lib("eunit/include/eunit.hrl").

-define(NODE, "erlconcolic@run").

plain_terms_stay_as_they_are_test_() ->
    [?_assertEqual(term_to_binary(Term, [{minor_version, 2}]), bytes(Term))
     || Term <- [1, a, "a long text, longer than any pid", nonode@nohost,
                 {node(), 88, <<"nonode@nohost">>, 1.5, 1 bsl 100},
                 #{a => [b | c], <<1:3>> => []}]].

pids_are_numbered_as_they_appear_test() ->
    [A, B] = [spawn(fun() -> ok end) || _ <- [1, 2]],
    fresh(fun() ->
                  ?assertEqual(pid(1000000), bytes(A)),
                  ?assertEqual(pid(1000001), bytes(B)),
                  ?assertEqual(pid(1000000), bytes(A))
          end).

all_kinds_of_terms_are_understood_test() ->
    Pid = self(),
    Ref = make_ref(),
    Port = hd(erlang:ports()),
    Fun = fun(X) -> {X, Pid, Ref} end,
    Others = [1, 256, -1 bsl 70, 1 bsl 3000, 1.5, a, 'λ', "text", [a | b], [],
              <<1, 2>>, <<1:3>>, {}, list_to_tuple(lists:seq(1, 300)),
              #{k => v}, fun lists:map/2,
              list_to_atom(lists:duplicate(255, $λ))],
    Term = [Pid, Ref, Port, Fun | Others],
    fresh(fun() ->
                  [_, _, _, NewFun | Read] = binary_to_term(bytes(Term)),
                  ?assertEqual(Others, Read),
                  ?assert(is_function(NewFun, 1))
          end).

equal_values_have_equal_bytes_in_every_run_test() ->
    Bytes = fun() ->
                    Ref = make_ref(),
                    Fun = fun() -> Ref end,
                    bytes({self(), Ref, Fun, [make_ref(), Ref]})
            end,
    ?assertEqual(fresh(Bytes), fresh(Bytes)).

aliases_and_tables_are_references_test() ->
    Bytes = fun() ->
                    Alias = erlang:monitor(process, self(),
                                           [{alias, demonitor}]),
                    bytes([Alias, ets:new(x, []), atomics:new(1, []), Alias])
            end,
    ?assertEqual(fresh(Bytes), fresh(Bytes)).

numbers_are_shared_test() ->
    {A, B} = {make_ref(), make_ref()},
    Table = ets:new(marks, [public]),
    Before = fresh(fun() ->
                           First = bytes([A, b]),
                           ok = erlconcolic_marks:share(Table),
                           First
                   end),
    fresh(fun() ->
                  ok = erlconcolic_marks:join(Table),
                  ?assertEqual(Before, bytes([A, b])),
                  ?assertNotEqual(bytes(A), bytes(B)),
                  ok = erlconcolic_marks:add(self(), 7),
                  ?assertEqual(pid(7), bytes(self()))
          end).

pids_of_other_nodes_stay_test() ->
    Other = <<131, 88, 119, 5, "x@y.z", 1:32, 2:32, 3:32>>,
    Pid = binary_to_term(Other),
    ?assertEqual(Other, bytes(Pid)),
    fresh(fun() ->
                  Both = bytes({Pid, self()}),
                  ?assertNotEqual(nomatch, binary:match(Both, <<"x@y.z">>))
          end).

bytes(Term) ->
    erlconcolic_marks:bytes(Term).

pid(Number) ->
    <<131, 88, 119, 15, ?NODE, Number:32, 0:32, 0:32>>.

%% The result of a fun in a process that has no numbers yet.
fresh(Body) ->
    {_, Monitor} = spawn_monitor(fun() -> exit({result, Body()}) end),
    receive
        {'DOWN', Monitor, process, _, {result, Result}} -> Result;
        {'DOWN', Monitor, process, _, Reason} -> error(Reason)
    end.
