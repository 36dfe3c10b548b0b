%% Funs inside other parts of the input.
-module(funs_in_data).
-export([
    callback/1, handler/2, in_list/1, in_record/1, in_tuple/1, optional/2,
    pipeline/2, returned/2, stack/1, stored/2
]).

-record(server, {
    name :: atom(),
    init = fun() -> 0 end :: fun(() -> integer()),
    handle :: fun((atom(), integer()) -> {reply, integer()} | stop)
}).

-type lazy() :: [] | {integer(), fun(() -> lazy())}.

%% finds: error callback
-spec callback([{atom(), fun((integer()) -> integer())}]) -> ok.
callback(Options) ->
    case lists:keyfind(done, 1, Options) of
        {done, F} ->
            case F(10) of
                20 -> error(callback);
                _ -> ok
            end;
        false ->
            ok
    end.

%% The option is a fun, or a list in place of one.
%% finds: error handler
-spec handler(atom() | fun((integer()) -> atom()) | [atom()], integer()) -> ok.
handler(F, N) when is_function(F, 1) ->
    case F(N * 2) of
        odd -> error(handler);
        _ -> ok
    end;
handler(_, _) ->
    ok.

%% finds: error second
-spec in_list([fun((atom()) -> integer())]) -> ok.
in_list(Funs) ->
    case [F(x) || F <- Funs] of
        [1, 2] -> error(second);
        _ -> ok
    end.

%% finds: error in_record
-spec in_record(#server{}) -> ok.
in_record(#server{init = Init, handle = Handle}) ->
    State = Init(),
    case Handle(ping, State) of
        {reply, N} when N =:= 4, State > 70 -> error(in_record);
        _ -> ok
    end.

%% finds: error in_tuple
-spec in_tuple({Test, Change}) -> ok when
    Test :: fun((integer()) -> boolean()),
    Change :: fun((integer()) -> integer()).
in_tuple({Test, Change}) ->
    case Test(1) andalso not Test(Change(1)) of
        true -> error(in_tuple);
        false -> ok
    end.

%% finds: error optional
-spec optional(undefined | fun((integer()) -> integer()), integer()) -> ok.
optional(undefined, _) ->
    ok;
optional(F, N) ->
    case F(N) - N of
        55 -> error(optional);
        _ -> ok
    end.

%% Each fun gets the result of the one before.
%% finds: error pipeline
-spec pipeline([fun((integer()) -> integer())], integer()) -> ok.
pipeline([_, _ | _] = Steps, N) ->
    case lists:foldl(fun(F, Value) -> F(Value) end, N, Steps) of
        404 when N =:= 3 -> error(pipeline);
        _ -> ok
    end;
pipeline(_, _) ->
    ok.

%% The result of a fun holds a fun.
%% finds: error returned
-spec returned(Find, atom()) -> ok when
    Find :: fun((atom()) -> {ok, fun((integer()) -> atom())} | none).
returned(Find, Key) ->
    case Find(Key) of
        {ok, F} ->
            case F(1) of
                found -> error(returned);
                _ -> ok
            end;
        none ->
            ok
    end.

%% A lazy list: a head, and a fun for the rest.
%% finds: error stack
-spec stack(lazy()) -> ok.
stack({1, Rest}) ->
    case Rest() of
        {N, More} when N > 2 ->
            case More() of
                [] -> error(stack);
                _ -> ok
            end;
        _ ->
            ok
    end;
stack(_) ->
    ok.

%% In the process dictionary.
%% finds: error stored
-spec stored(fun((integer()) -> integer()), integer()) -> ok.
stored(F, N) ->
    put(hook, {F, N}),
    {G, M} = get(hook),
    case G(M) of
        61 when M > 9 -> error(stored);
        _ -> ok
    end.
