%%% The Core Erlang of modules by its text, kept for when code is to be made of
%%% it: to scan and parse the text takes a third of the time that this takes. If
%%% there is too much of it, that is what is done.
-module(erlconcolic_trees).

-export([start/0, keep/2, take/1]).

-define(TABLE, ?MODULE).
%% In words.
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

%% Code is made of it once.
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
