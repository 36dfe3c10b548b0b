-module(erlconcolic_emit_tests).

-include_lib("eunit/include/eunit.hrl").

%% For emitters in any order.
both_versions_write_the_same_test_() ->
    Slow = log(),
    Installed = erlconcolic_emit_fast:install(),
    Fast = log(),
    [?_assertEqual(bytes(), Slow),
     ?_assertEqual(bytes(), Fast),
     ?_assert(lists:member(Installed, [installed, not_possible])),
     ?_assertEqual(Installed, erlconcolic_emit_fast:install())].

widths() ->
    [1 + (N * N + N div 7) rem 4 || N <- lists:seq(1, 60000)].

bytes() ->
    iolist_to_binary([part(Width) || Width <- widths()]).

part(1) -> <<1>>;
part(2) -> <<2, 3>>;
part(3) -> <<4, 5, 6>>;
part(4) -> <<7, 8, 9, 10>>.

emit(1) -> erlconcolic_emit:out(1, ok);
emit(2) -> erlconcolic_emit:out2(16#0203, ok);
emit(3) -> erlconcolic_emit:out3(16#040506, ok);
emit(4) -> erlconcolic_emit:out4(16#0708090a, ok).

log() ->
    Self = self(),
    spawn_link(fun() ->
                   erlconcolic_out:start(Self),
                   lists:foreach(fun emit/1, widths()),
                   erlconcolic_out:finish(),
                   Self ! finished
               end),
    collect(<<>>).

collect(Log) ->
    receive
        {erlconcolic_log, _, Bytes} -> collect(<<Log/binary, Bytes/binary>>);
        {erlconcolic_start, _} -> collect(Log);
        {erlconcolic_sync, From, Tag} ->
            From ! {erlconcolic_synced, Tag},
            collect(Log);
        finished -> Log
    end.
