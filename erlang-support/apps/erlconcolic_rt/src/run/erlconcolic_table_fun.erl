%%% Funs that look their arguments up in a table. Funs in inputs are such funs.
%%%
%%% A term with such funs is encoded like this, so that no tuple of the user can
%%% be mistaken for a fun:
%%%
%%% {'$erlconcolic', 'fun', Arity, [{Arguments, Result}], Default}
%%% {'$erlconcolic', tuple, Tuple}   a tuple whose first element is this atom
%%%
%%% A table knows of the funs among its arguments, also in lists and tuples, how
%%% many parameters they have. So a fun in the arguments of an entry stands for
%%% any such fun.
-module(erlconcolic_table_fun).

-export([from_wire/1, from_wire/2, tuple_to_wire/1, source/1]).

-export_type([wire/0]).

-define(TAG, '$erlconcolic').

%% An encoded term.
-type wire() :: term().

%% Keys are lists of arguments, with the same fun for all funs with as many
%% parameters.
-record(table,
        {arity :: arity(),
         entries :: #{[term()] => term()},
         knows_funs :: boolean(),
         default :: term()}).

%% Decodes a term.
-spec from_wire(wire()) -> term().
from_wire(Wire) ->
    from_wire(Wire, fun(Tuple) -> Tuple end).

%% Decodes a term. Each tuple is replaced by what a function makes of it, the
%% innermost first.
-spec from_wire(wire(), fun((tuple()) -> term())) -> term().
from_wire({?TAG, 'fun', Arity, Entries, Default}, Made) ->
    Read = maps:from_list([{key_from_wire(Args, Made), from_wire(Result, Made)}
                           || {Args, Result} <- Entries]),
    with_arity(Arity, #table{arity = Arity, entries = Read,
                             knows_funs = has_fun(maps:keys(Read)),
                             default = from_wire(Default, Made)});
from_wire({?TAG, tuple, Tuple}, Made) ->
    elements_from_wire(Tuple, Made);
from_wire(Tuple, Made) when is_tuple(Tuple) ->
    elements_from_wire(Tuple, Made);
from_wire([Head | Tail], Made) ->
    [from_wire(Head, Made) | from_wire(Tail, Made)];
from_wire(Map, Made) when is_map(Map) ->
    maps:from_list([{from_wire(Key, Made), from_wire(Value, Made)}
                    || {Key, Value} <- maps:to_list(Map)]);
from_wire(Other, _Made) ->
    Other.

-spec elements_from_wire(tuple(), fun((tuple()) -> term())) -> term().
elements_from_wire(Tuple, Made) ->
    Elements = [from_wire(Element, Made) || Element <- tuple_to_list(Tuple)],
    Made(list_to_tuple(Elements)).

-spec key_from_wire(wire(), fun((tuple()) -> term())) -> term().
key_from_wire({?TAG, 'fun', Arity, _, _}, _Made) ->
    any(Arity);
key_from_wire({?TAG, tuple, Tuple}, Made) ->
    key_elements(Tuple, Made);
key_from_wire(Tuple, Made) when is_tuple(Tuple) ->
    key_elements(Tuple, Made);
key_from_wire([Head | Tail], Made) ->
    [key_from_wire(Head, Made) | key_from_wire(Tail, Made)];
key_from_wire(Other, Made) ->
    from_wire(Other, Made).

-spec key_elements(tuple(), fun((tuple()) -> term())) -> term().
key_elements(Tuple, Made) ->
    Elements = [key_from_wire(Element, Made)
                || Element <- tuple_to_list(Tuple)],
    Made(list_to_tuple(Elements)).

%% The fun that stands for any fun with this many parameters.
-spec any(arity()) -> fun().
any(Arity) ->
    erlang:make_fun(?MODULE, any, Arity).

%% Encodes a tuple whose elements are encoded already.
-spec tuple_to_wire([wire()]) -> wire().
tuple_to_wire([?TAG | _] = Elements) ->
    {?TAG, tuple, list_to_tuple(Elements)};
tuple_to_wire(Elements) ->
    list_to_tuple(Elements).

%% Arity, entries and default of a table fun; none for other funs. A fun in the
%% arguments of an entry stands for any fun with as many parameters.
-spec source(fun()) -> {arity(), [{[term()], term()}], term()} | none.
source(Fun) ->
    case erlang:fun_info(Fun, module) of
        {module, ?MODULE} ->
            case erlang:fun_info(Fun, env) of
                {env, [#table{arity = Arity, entries = Entries,
                              default = Default}]} ->
                    {Arity, lists:sort(maps:to_list(Entries)), Default};
                _ ->
                    none
            end;
        _ ->
            none
    end.

-spec result([term()], #table{}) -> term().
result(Args, #table{entries = Entries, default = Default} = Table) ->
    case Entries of
        #{Args := Result} -> Result;
        #{} when Table#table.knows_funs ->
            maps:get(key(Args), Entries, Default);
        #{} -> Default
    end.

%% Arguments as a table knows them.
-spec key(term()) -> term().
key(Fun) when is_function(Fun) ->
    {arity, Arity} = erlang:fun_info(Fun, arity),
    any(Arity);
key([Head | Tail]) ->
    [key(Head) | key(Tail)];
key(Tuple) when is_tuple(Tuple) ->
    list_to_tuple(key(tuple_to_list(Tuple)));
key(Other) ->
    Other.

-spec has_fun(term()) -> boolean().
has_fun([Head | Tail]) ->
    has_fun(Head) orelse has_fun(Tail);
has_fun(Tuple) when is_tuple(Tuple) ->
    has_fun(tuple_to_list(Tuple));
has_fun(Other) ->
    is_function(Other).

-spec with_arity(arity(), #table{}) -> fun().
with_arity(0, T) ->
    fun() -> result([], T) end;
with_arity(1, T) ->
    fun(A1) -> result([A1], T) end;
with_arity(2, T) ->
    fun(A1, A2) -> result([A1, A2], T) end;
with_arity(3, T) ->
    fun(A1, A2, A3) -> result([A1, A2, A3], T) end;
with_arity(4, T) ->
    fun(A1, A2, A3, A4) -> result([A1, A2, A3, A4], T) end;
with_arity(5, T) ->
    fun(A1, A2, A3, A4, A5) -> result([A1, A2, A3, A4, A5], T) end;
with_arity(6, T) ->
    fun(A1, A2, A3, A4, A5, A6) -> result([A1, A2, A3, A4, A5, A6], T) end;
with_arity(7, T) ->
    fun(A1, A2, A3, A4, A5, A6, A7) ->
            result([A1, A2, A3, A4, A5, A6, A7], T)
    end;
with_arity(8, T) ->
    fun(A1, A2, A3, A4, A5, A6, A7, A8) ->
            result([A1, A2, A3, A4, A5, A6, A7, A8], T)
    end;
with_arity(9, T) ->
    fun(A1, A2, A3, A4, A5, A6, A7, A8, A9) ->
            result([A1, A2, A3, A4, A5, A6, A7, A8, A9], T)
    end;
with_arity(Arity, T) ->
    with_many(Arity, T).

-spec with_many(10..20, #table{}) -> fun().
with_many(10, T) ->
    fun(A1, A2, A3, A4, A5, A6, A7, A8, A9, A10) ->
            result([A1, A2, A3, A4, A5, A6, A7, A8, A9, A10], T)
    end;
with_many(11, T) ->
    fun(A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, A11) ->
            result([A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, A11], T)
    end;
with_many(12, T) ->
    fun(A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, A11, A12) ->
            result([A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, A11, A12], T)
    end;
with_many(13, T) ->
    fun(A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, A11, A12, A13) ->
            result([A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, A11, A12, A13], T)
    end;
with_many(14, T) ->
    fun(A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, A11, A12, A13, A14) ->
            result([A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, A11, A12, A13,
                    A14], T)
    end;
with_many(15, T) ->
    fun(A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, A11, A12, A13, A14, A15) ->
            result([A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, A11, A12, A13, A14,
                    A15], T)
    end;
with_many(16, T) ->
    fun(A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, A11, A12, A13, A14, A15,
        A16) ->
            result([A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, A11, A12, A13, A14,
                    A15, A16], T)
    end;
with_many(17, T) ->
    fun(A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, A11, A12, A13, A14, A15, A16,
        A17) ->
            result([A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, A11, A12, A13, A14,
                    A15, A16, A17], T)
    end;
with_many(18, T) ->
    fun(A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, A11, A12, A13, A14, A15, A16,
        A17, A18) ->
            result([A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, A11, A12, A13, A14,
                    A15, A16, A17, A18], T)
    end;
with_many(19, T) ->
    fun(A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, A11, A12, A13, A14, A15, A16,
        A17, A18, A19) ->
            result([A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, A11, A12, A13, A14,
                    A15, A16, A17, A18, A19], T)
    end;
with_many(20, T) ->
    fun(A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, A11, A12, A13, A14, A15, A16,
        A17, A18, A19, A20) ->
            result([A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, A11, A12, A13, A14,
                    A15, A16, A17, A18, A19, A20], T)
    end.
