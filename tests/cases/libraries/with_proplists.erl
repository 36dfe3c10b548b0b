%% Conditions on results of `proplists`.
-module(with_proplists).
-export([
    defaults/1, deleted/1, flags/1, lookup/1, unfolded/1, values/1
]).

-type option() :: atom() | {atom(), integer()}.

%% finds: error {port,_}
-spec defaults([option()]) -> ok.
defaults(Options) ->
    case proplists:get_value(port, Options, 80) of
        Port when is_integer(Port), Port > 65535 -> error({port, Port});
        _ -> ok
    end.

%% Removes all entries of a key, but no others.
%% finds: error left
-spec deleted([option()]) -> ok.
deleted(Options) when length(Options) > 1 ->
    case proplists:delete(debug, Options) of
        [{level, 9}] -> error(left);
        _ -> ok
    end;
deleted(_) ->
    ok.

%% An atom stands for `true`.
%% finds: error both
-spec flags([option()]) -> ok.
flags(Options) ->
    case
        {
            proplists:get_bool(read, Options),
            proplists:get_bool(write, Options),
            proplists:is_defined(append, Options)
        }
    of
        {true, true, false} -> error(both);
        _ -> ok
    end.

%% finds: error {timeout,_}
-spec lookup([option()]) -> ok.
lookup(Options) ->
    case proplists:lookup(timeout, Options) of
        {timeout, N} when is_integer(N), N < -1 -> error({timeout, N});
        _ -> ok
    end.

%% finds: error unfolded
-spec unfolded([option()]) -> ok.
unfolded(Options) ->
    case proplists:unfold(Options) of
        [{verbose, true}, {depth, 33}] -> error(unfolded);
        _ -> ok
    end.

%% finds: error {include,_}
-spec values([option()]) -> ok.
values(Options) ->
    case proplists:get_all_values(include, Options) of
        [A, B] when is_integer(A), is_integer(B), A - B =:= 66 ->
            error({include, A});
        _ ->
            ok
    end.
