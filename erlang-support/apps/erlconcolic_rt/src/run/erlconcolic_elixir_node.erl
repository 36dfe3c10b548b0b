%%% Starts Elixir's application on a node that runs programs of Elixir: some of
%%% its functions look into its tables.
-module(erlconcolic_elixir_node).

-export([want/0, is_wanted/0, start/0]).

-define(KEY, ?MODULE).

%% The node will run programs of Elixir.
-spec want() -> ok.
want() ->
    case persistent_term:get(?KEY, undefined) of
        undefined -> persistent_term:put(?KEY, wanted);
        _ -> ok
    end.

-spec is_wanted() -> boolean().
is_wanted() -> persistent_term:get(?KEY, undefined) =/= undefined.

%% Starts what is wanted, before anything is run.
-spec start() -> ok.
start() ->
    case persistent_term:get(?KEY, undefined) of
        wanted ->
            _ = application:ensure_all_started(elixir),
            ok = erlconcolic_node:forget(),
            persistent_term:put(?KEY, started);
        _ ->
            ok
    end.
