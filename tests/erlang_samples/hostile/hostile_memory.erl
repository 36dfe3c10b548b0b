%% Programs that use all memory.
-module(hostile_memory).
-export([heap/0, heap_without_limit/0, binaries/0, one_binary/0, atoms/0,
         many_atoms/0, messages/0, tables/0, in_others/0, long_result/0,
         shared_result/0, deep_result/0, binary_result/0, integer_result/0,
         long_reason/0, long_stack/0, terms/0]).

heap() -> heap([]).

heap(List) -> heap([List | List]).

heap_without_limit() ->
    process_flag(max_heap_size, 0),
    heap().

binaries() -> binaries([]).

binaries(List) -> binaries([zeros(10000000) | List]).

%% `binary:copy/2' is followed, and slow.
zeros(Bytes) -> <<0:(8 * Bytes)>>.

one_binary() -> byte_size(zeros(68719476736)).

atoms() -> atoms(0).

atoms(N) ->
    _ = list_to_atom("atom " ++ integer_to_list(N)),
    atoms(N + 1).

many_atoms() -> many_atoms(600000).

many_atoms(0) -> ok;
many_atoms(N) ->
    _ = list_to_atom("other " ++ integer_to_list(N)),
    many_atoms(N - 1).

messages() ->
    self() ! zeros(10000000),
    messages().

tables() -> tables(ets:new(table, []), lists:seq(1, 10000), 0).

tables(Table, List, N) ->
    ets:insert(Table, {N, List, List, List}),
    tables(Table, List, N + 1).

in_others() ->
    {_, Monitor} = spawn_monitor(lists, seq, [1, 1000000000]),
    receive {'DOWN', Monitor, _, _, Reason} -> Reason end.

long_result() -> lists:seq(1, 2000000).

shared_result() ->
    lists:foldl(fun(_, Term) -> {Term, Term} end, a, lists:seq(1, 60)).

deep_result() ->
    lists:foldl(fun(_, Term) -> [Term] end, a, lists:seq(1, 500000)).

binary_result() -> zeros(100000000).

integer_result() -> binary:decode_unsigned(<<1, (zeros(500000))/binary>>).

long_reason() -> error({long, lists:seq(1, 1000000)}).

long_stack() ->
    Frame = {m, f, 1, [{file, lists:duplicate(100000, $x)}, {line, 1}]},
    erlang:raise(error, long, lists:duplicate(10000, Frame)).

terms() -> terms(0).

terms(N) ->
    persistent_term:put({hostile, N}, lists:seq(1, 100)),
    N < 1000 andalso terms(N + 1).
