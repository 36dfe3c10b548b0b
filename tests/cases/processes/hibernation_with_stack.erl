%% needs: OTP 28
%% Processes that hibernate and keep their stack.
-module(hibernation_with_stack).
-export([kept_stack/1, either_wakes/1, clean_sleeper/1]).

%% The handler around the call is still there.
%% finds: error {caught,12}
-spec kept_stack(integer()) -> ok.
kept_stack(N) ->
    Self = self(),
    Pid = spawn(fun() ->
                        try
                            erlang:hibernate(),
                            receive 12 -> throw(N); _ -> ok end
                        catch
                            M -> Self ! {caught, M}
                        end
                end),
    Pid ! N,
    receive {caught, M} -> error({caught, M}) after 10 -> ok end.

%% It may do something before the second message comes.
%% finds: error {alone,4}
-spec either_wakes(0..9) -> ok.
either_wakes(N) ->
    Self = self(),
    Pid = spawn(fun() ->
                        erlang:hibernate(),
                        receive two -> ok end,
                        receive one -> Self ! both after 0 -> Self ! alone end
                end),
    spawn(fun() -> Pid ! one end),
    spawn(fun() -> Pid ! two end),
    receive
        alone when N =:= 4 -> error({alone, N});
        _ -> ok
    end.

%% clean: complete
-spec clean_sleeper(0..3) -> ok.
clean_sleeper(N) ->
    Self = self(),
    Pid = spawn(fun() ->
                        erlang:hibernate(),
                        receive Message -> Self ! {got, Message} end
                end),
    Pid ! N,
    receive {got, N} -> ok end.
