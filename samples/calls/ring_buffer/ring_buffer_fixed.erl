%%% A buffer for the last elements that were put into it, in a tuple of a fixed
%%% size.
%%%
%%% ring_buffer.erl is the same with a bug.
-module(ring_buffer_fixed).

-export([new/1, put/2, take/1]).

-export_type([buffer/0]).

-record(buffer,
        {items :: tuple(),
         %% The place of the oldest element, from 0 on.
         first = 0 :: non_neg_integer(),
         count = 0 :: non_neg_integer()}).

-opaque buffer() :: #buffer{}.

-spec new(Size :: 1..8) -> buffer().
new(Size) ->
    #buffer{items = erlang:make_tuple(Size, none)}.

-spec put(integer(), buffer()) -> buffer().
put(Item, #buffer{items = Items, first = First, count = Count} = Buffer) ->
    Size = tuple_size(Items),
    Place = (First + Count) rem Size,
    Changed = Buffer#buffer{items = setelement(Place + 1, Items, Item)},
    if
        Count < Size -> Changed#buffer{count = Count + 1};
        true -> Changed#buffer{first = (First + 1) rem Size}
    end.

-spec take(buffer()) -> {ok, integer(), buffer()} | {error, empty}.
take(#buffer{count = 0}) ->
    {error, empty};
take(#buffer{items = Items, first = First, count = Count} = Buffer) ->
    {ok, element(First + 1, Items),
     Buffer#buffer{first = (First + 1) rem tuple_size(Items),
                   count = Count - 1}}.
