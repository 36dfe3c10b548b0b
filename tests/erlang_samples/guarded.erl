%%% A clause behind five checks, in front of many branches that lead nowhere.
-module(guarded).

-export([open/2]).

-type digit() :: 0..9.
-type code() :: {digit(), digit(), digit(), digit(), digit()}.
-type lamps() :: {boolean(), boolean(), boolean(), boolean(),
                  boolean(), boolean(), boolean(), boolean()}.

-spec open(code(), lamps()) -> {closed, [on | off]}.
open(Code, Lamps) ->
    Door = first(Code),
    {Door, lamps(Lamps)}.

first({3, _, _, _, _} = Code) -> second(Code);
first(_) -> closed.

second({_, N, _, _, _} = Code) when N > 6 -> third(Code);
second(_) -> closed.

third({_, _, 1, _, _} = Code) -> fourth(Code);
third(_) -> closed.

fourth({_, M, _, N, _} = Code) when M - N =:= 2 -> fifth(Code);
fourth(_) -> closed.

fifth({M, _, _, _, N}) when M + N =:= 5 -> error(open);
fifth(_) -> closed.

lamps({A, B, C, D, E, F, G, H}) ->
    [lamp(A), lamp(B), lamp(C), lamp(D), lamp(E), lamp(F), lamp(G), lamp(H)].

lamp(true) -> on;
lamp(false) -> off.
