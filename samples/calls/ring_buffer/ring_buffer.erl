%%% A buffer for the last elements that were put into it, in a tuple of a fixed
%%% size.
%%%
%%% The bug: when an element is put into a full buffer, the place of the oldest
%%% one moves on, but not from the end of the tuple to its beginning. It takes a
%%% buffer that is filled, one more element, and a look at the oldest one.
%%% ring_buffer_fixed.erl is the same without the bug.
-module(ring_buffer).

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
        true -> Changed#buffer{first = First + 1}
    end.

-spec take(buffer()) -> {ok, integer(), buffer()} | {error, empty}.
take(#buffer{count = 0}) ->
    {error, empty};
take(#buffer{items = Items, first = First, count = Count} = Buffer) ->
    {ok, element(First + 1, Items),
     Buffer#buffer{first = (First + 1) rem tuple_size(Items),
                   count = Count - 1}}.
