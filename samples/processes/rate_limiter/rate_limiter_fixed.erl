%%% A rate limiter with ten tokens. The entry's process is the limiter. A
%%% client takes more tokens than it may need and gives the rest back. A clock
%%% fills the limiter up to ten again. Its counter has four bits, so 15 is the
%%% most.
%%%
%%% The correct twin of rate_limiter. Mended: there are never more than ten
%%% tokens, also when some are given back.
-module(rate_limiter_fixed).
-export([main/2]).

-spec main(1..8, 1..8) -> 0..15.
main(Taken, Needed) ->
    Limiter = self(),
    spawn(fun() -> Limiter ! fill_up end),
    spawn(fun() -> client(Limiter, Taken, Needed) end),
    limiter(10, 3).

client(Limiter, Taken, Needed) ->
    Limiter ! {take, Taken},
    Limiter ! {give_back, max(0, Taken - Needed)}.

%% Handles so many messages and returns the number of tokens.
limiter(Tokens, 0) ->
    Tokens;
limiter(Tokens, Left) ->
    receive
        {take, Number} ->
            limiter(counter(Tokens - Number), Left - 1);
        {give_back, Number} ->
            limiter(counter(min(10, Tokens + Number)), Left - 1);
        fill_up ->
            limiter(10, Left - 1)
    end.

counter(Tokens) when Tokens >= 0, Tokens =< 15 -> Tokens.
