%% Processes: receive in every form, nested try, and guards that may fail.
-module(mailbox).

-export([start/1, loop/2, call/3, flush/0, wait/1, first/2, guarded/2]).

start(State) ->
    spawn_link(?MODULE, loop, [State, 0]).

loop(State, Count) ->
    receive
        {From, Ref, {set, New}} when is_pid(From) ->
            From ! {Ref, State},
            loop(New, Count + 1);
        {From, Ref, get} when is_pid(From), is_reference(Ref) ->
            From ! {Ref, State},
            ?MODULE:loop(State, Count + 1);
        {'EXIT', _, Reason} when Reason =/= normal ->
            exit({linked, Reason});
        stop ->
            ok
    after 5000 ->
        erlang:hibernate(?MODULE, loop, [State, Count])
    end.

call(Server, Request, Timeout) ->
    Ref = make_ref(),
    Server ! {self(), Ref, Request},
    receive
        {Ref, Answer} -> {ok, Answer}
    after Timeout ->
        timeout
    end.

flush() ->
    receive
        Message -> [Message | flush()]
    after 0 ->
        []
    end.

wait(Time) ->
    receive after Time -> ok end.

first(Try, Else) ->
    try
        try Try() of
            {ok, Value} -> Value;
            Other -> error({bad_value, Other})
        catch
            exit:normal -> undefined
        after
            self() ! tried
        end
    catch
        error:{bad_value, V}:Stack ->
            erlang:raise(throw, {V, Else()}, Stack);
        Class:Reason when Class =/= exit, Reason =/= badarg ->
            {Class, Reason, catch Else()}
    end.

guarded(X, Y) when hd(X) =:= Y; element(1, Y) =:= X, tuple_size(Y) > 1 ->
    one;
guarded(X, Y) when (X > 1 orelse Y > 1) andalso not (X == Y) ->
    two;
guarded(#{key := Value}, Value) when is_map_key(Value, #{a => 1}) ->
    three;
guarded(X, Y) when map_size(X) + Y > 3 xor is_list(Y) ->
    four;
guarded(X, X) ->
    five;
guarded(_, _) ->
    six.
