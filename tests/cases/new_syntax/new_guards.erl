%% needs: OTP 26
%% Built-ins that guards may call since OTP 26.
-module(new_guards).
-export([larger/2, smaller/2]).

%% finds: error bug
-spec larger(integer(), integer()) -> ok.
larger(A, B) when max(A, B) =:= 4711, A < 0 -> error(bug);
larger(_, _) -> ok.

%% clean: complete
-spec smaller(integer(), integer()) -> ok.
smaller(A, B) when min(A, B) > A -> error(bug);
smaller(_, _) -> ok.
