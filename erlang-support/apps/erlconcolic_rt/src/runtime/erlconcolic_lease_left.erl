%%% What is left of the lease of another process, as its dictionary shows.
-module(erlconcolic_lease_left).

-include("erlconcolic_keys.hrl").

-export([foreign_call/1, left/1]).

%% The foreign function in which a controlled process with this dictionary is,
%% and what is left of its lease.
-spec foreign_call(Dictionary :: [{term(), term()}]) ->
    {mfa(), Left :: non_neg_integer()} | none.
foreign_call(Dictionary) ->
    case {lists:keyfind(?OUTSIDE, 1, Dictionary), left(Dictionary)} of
        {{_, {_, _, _} = Mfa}, Left} when is_integer(Left) -> {Mfa, Left};
        _ -> none
    end.

%% What is left of the lease of a process with this dictionary.
-spec left(Dictionary :: [{term(), term()}]) -> non_neg_integer() | none.
left(Dictionary) ->
    case lists:keyfind(?LEASE, 1, Dictionary) of
        {_, Left} when is_integer(Left) -> Left;
        _ -> none
    end.
