%%% The processes that the node had before the first run. They belong to no run
%%% and have to survive all of them.
-module(erlconcolic_residents).

-export([keep/1, is_resident/1]).

-define(KEY, ?MODULE).

-spec keep(#{pid() => []}) -> ok.
keep(Processes) ->
    persistent_term:put(?KEY, Processes).

-spec is_resident(pid()) -> boolean().
is_resident(Pid) ->
    is_map_key(Pid, persistent_term:get(?KEY, #{})).
