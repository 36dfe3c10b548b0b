%%% Keeps the Core Erlang trees of modules by their text until they are
%%% compiled: scanning and parsing the text would add a third to the time. If
%%% there are too many trees, they are not kept.
-module(erlconcolic_trees).

-export([start/0, keep/2, take/1]).

-define(TABLE, ?MODULE).
%% In machine words.
-define(MOST_MEMORY, 16_000_000).

%% The trees belong to the calling process.
-spec start() -> ok.
start() ->
    _ = ets:new(?TABLE, [named_table, public]),
    ok.

-spec keep(Text :: binary(), cerl:c_module()) -> ok.
keep(Text, Core) ->
    case ets:info(?TABLE, memory) of
        Memory when is_integer(Memory), Memory < ?MOST_MEMORY ->
            true = ets:insert(?TABLE, {Text, Core}),
            ok;
        _ ->
            ok
    end.

%% A tree is compiled once, so it is removed.
-spec take(Text :: binary()) -> {ok, cerl:c_module()} | none.
take(Text) ->
    case ets:whereis(?TABLE) of
        undefined ->
            none;
        Table ->
            case ets:take(Table, Text) of
                [{Text, Core}] -> {ok, Core};
                [] -> none
            end
    end.
