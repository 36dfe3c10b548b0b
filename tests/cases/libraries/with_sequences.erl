%% Conditions on results of `queue` and `array`.
-module(with_sequences).
-export([
    array_default/2, array_fold/1, array_size/1, array_sparse/2,
    empty_queue/1, queue_filtered/1, queue_joined/2, queue_order/1,
    queue_peeked/1, queue_split/2
]).

%% Elements that were not set have the default value.
%% finds: error {default,_}
-spec array_default(0..9, integer()) -> ok.
array_default(Place, Value) ->
    Array = array:set(Place, Value, array:new(10, {default, 5})),
    case {array:get(4, Array), array:get(7, Array)} of
        {5, 1234} -> error({default, Place});
        _ -> ok
    end.

%% finds: error {weighted,_}
-spec array_fold([integer()]) -> ok.
array_fold(List) ->
    Add = fun(Place, N, Sum) -> Sum + Place * N end,
    case array:foldl(Add, 0, array:from_list(List)) of
        2021 when length(List) =:= 3 -> error({weighted, List});
        _ -> ok
    end.

%% Setting an element makes an array as long as needed.
%% finds: error {size,_}
-spec array_size(0..40) -> ok.
array_size(Place) ->
    case array:size(array:set(Place, x, array:new())) of
        24 -> error({size, 24});
        _ -> ok
    end.

%% `get` fails outside an array of fixed size.
%% finds: error badarg
-spec array_sparse(0..12, integer()) -> integer().
array_sparse(Place, Value) when Value > 30 ->
    array:get(Place, array:fix(array:from_list([1, 2, 3, Value])));
array_sparse(_, _) ->
    0.

%% `drop` fails for an empty queue.
%% finds: error empty
-spec empty_queue([put | get]) -> integer().
empty_queue(Moves) -> play(Moves, 0, queue:new()).

play([put | Moves], N, Queue) -> play(Moves, N + 1, queue:in(N, Queue));
play([get | Moves], N, Queue) when N > 0 -> play(Moves, N, queue:drop(Queue));
play([get | Moves], N, Queue) -> play(Moves, N, Queue);
play([], N, _) -> N.

%% finds: error {filtered,_}
-spec queue_filtered([integer()]) -> ok.
queue_filtered(List) ->
    Queue = queue:filter(fun(N) -> N > 30 end, queue:from_list(List)),
    case queue:to_list(Queue) of
        [A, B] when A =:= B, A < 33 -> error({filtered, A});
        _ -> ok
    end.

%% finds: error {joined,_}
-spec queue_joined([integer()], [integer()]) -> ok.
queue_joined(Xs, Ys) ->
    Queue = queue:join(queue:from_list(Xs), queue:from_list(Ys)),
    case {queue:len(Queue), queue:peek_r(Queue)} of
        {3, {value, 5150}} when length(Xs) =:= 2 -> error({joined, Xs});
        _ -> ok
    end.

%% First in, first out.
%% finds: error {second,_}
-spec queue_order([integer()]) -> ok.
queue_order(List) ->
    Queue = lists:foldl(fun queue:in/2, queue:new(), List),
    case queue:out(queue:tail(queue:in(0, Queue))) of
        {{value, 909}, _} when length(List) > 2 -> error({second, List});
        _ -> ok
    end.

%% finds: error {ends,_}
-spec queue_peeked([integer()]) -> ok.
queue_peeked(List) ->
    Queue = queue:cons(1, queue:from_list(List)),
    case {queue:peek(queue:liat(Queue)), queue:peek_r(Queue)} of
        {{value, 1}, {value, 31}} when length(List) > 1 ->
            error({ends, List});
        _ ->
            ok
    end.

%% `split` fails outside the queue.
%% finds: error badarg
-spec queue_split(0..9, [integer()]) -> ok.
queue_split(N, [_, _ | _] = List) ->
    {Front, _} = queue:split(N, queue:from_list(List)),
    N = queue:len(Front),
    ok;
queue_split(_, _) ->
    ok.
