%%% A ring: the entry's process, a first station, a last station, and back. The
%%% token goes round once. The last station announces how long it will hold the
%%% token. The entry's process sends a new token if that is much longer than
%%% its patience and the token is not there yet.
%%%
%%% The bug: the token may only be late. Then there are two tokens, and the
%%% first station, which has had the token, expects nothing but the stop.
%%%
%%% Input: Load >= Patience + 6, for example token_ring:main(6, 0).
%%% Order: the last station announces the load, then the entry's process looks
%%% before the last station passes the token on.
-module(token_ring).
-export([main/2]).

-spec main(0..7, 0..7) -> pos_integer().
main(Load, Patience) ->
    Monitor = self(),
    Last = spawn(fun() -> last(Monitor, Load) end),
    First = spawn(fun() -> first(Last) end),
    First ! {token, 0},
    receive
        {holding, Time} when Time >= Patience + 6 -> look(First);
        {holding, _} -> ok
    end,
    receive
        {token, Stations} ->
            First ! stop,
            Stations
    end.

%% Sends a new token if there is none. Puts the token back if there is one.
look(First) ->
    receive
        {token, Stations} -> self() ! {token, Stations}
    after 0 ->
        First ! {token, 0}
    end.

first(Last) ->
    receive
        {token, Stations} -> Last ! {token, Stations + 1}
    end,
    receive
        Message -> stop = Message
    end.

last(Monitor, Load) ->
    receive
        {token, Stations} ->
            Monitor ! {holding, Load},
            Monitor ! {token, Stations + 1}
    end.
