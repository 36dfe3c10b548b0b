%% Folds over tables, as the real module makes them, from calls that are built
%% into the BEAM.
-module(ets).
-export([foldl/3, foldr/3]).

foldl(Fun, Acc, Table) ->
    true = ets:safe_fixtable(Table, true),
    try
        forwards(Fun, Acc, ets:first(Table), Table)
    after
        ets:safe_fixtable(Table, false)
    end.

forwards(_Fun, Acc, '$end_of_table', _Table) ->
    Acc;
forwards(Fun, Acc, Key, Table) ->
    NewAcc = lists:foldl(Fun, Acc, ets:lookup(Table, Key)),
    forwards(Fun, NewAcc, ets:next(Table, Key), Table).

foldr(Fun, Acc, Table) ->
    true = ets:safe_fixtable(Table, true),
    try
        backwards(Fun, Acc, ets:last(Table), Table)
    after
        ets:safe_fixtable(Table, false)
    end.

backwards(_Fun, Acc, '$end_of_table', _Table) ->
    Acc;
backwards(Fun, Acc, Key, Table) ->
    NewAcc = lists:foldr(Fun, Acc, ets:lookup(Table, Key)),
    backwards(Fun, NewAcc, ets:prev(Table, Key), Table).
