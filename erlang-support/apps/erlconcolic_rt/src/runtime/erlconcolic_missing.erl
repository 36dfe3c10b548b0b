%%% Modules of the user that do not compile. A call of one of them tells nothing
%%% about the program, neither if it fails nor if some older code is found.
-module(erlconcolic_missing).

-export([keep/1, is_missing/1]).

-define(KEY, ?MODULE).

%% Replaces the modules kept before.
-spec keep([module()]) -> ok.
keep(Modules) ->
    persistent_term:put(?KEY, Modules).

-spec is_missing(term()) -> boolean().
is_missing(Module) ->
    case persistent_term:get(?KEY, []) of
        [] -> false;
        Modules -> lists:member(Module, Modules)
    end.
