%% Random terms of the plain kinds: the parts of generated values of types, and
%% substitutes where there is no type.
%%
%% All randomness comes from the `rand' state of the calling process, which
%% the caller seeds (see `seed/2'); the same seed gives the same terms in every
%% node. Terms are small, and their leaves come from small pools so that keys
%% are found and list elements repeat. Pids, ports and references are
%% fixed and belong to nothing, so that no call can reach a process.
-module(random_terms).

-export([seed/2, chance/1, pick/1, weighted/1, between/2, list_of/3]).
-export([any/0, any/1, leaf/0, atom/0, integer/0, non_negative/0, float/0]).
-export([char/0, string/0, binary/0, bitstring/0, identifier/1]).
-export([mutate/1, clamp/2]).

-define(ANY_DEPTH, 3).

%% Seeds this process for one thing to generate. The result only depends on
%% the seed and the name.
-spec seed(integer(), term()) -> ok.
seed(Seed, Name) ->
    Range = 1 bsl 32,
    _ = rand:seed(exsss, {erlang:phash2(Seed, Range),
                          erlang:phash2(Name, Range),
                          erlang:phash2({Name, Seed}, Range)}),
    ok.

-spec chance(Percent :: 0..100) -> boolean().
chance(Percent) ->
    rand:uniform(100) =< Percent.

-spec pick([T, ...]) -> T.
pick(List) ->
    lists:nth(rand:uniform(length(List)), List).

%% Runs one of the given functions, chosen by weight.
-spec weighted([{pos_integer(), fun(() -> T)}, ...]) -> T.
weighted(Choices) ->
    Total = lists:sum([Weight || {Weight, _} <- Choices]),
    weighted(rand:uniform(Total), Choices).

-spec weighted(integer(), [{pos_integer(), fun(() -> T)}, ...]) -> T.
weighted(N, [{Weight, Make} | _]) when N =< Weight ->
    Make();
weighted(N, [{Weight, _} | Rest]) ->
    weighted(N - Weight, Rest).

-spec between(integer(), integer()) -> integer().
between(Low, High) ->
    Low + rand:uniform(High - Low + 1) - 1.

-spec list_of(non_neg_integer(), non_neg_integer(), fun(() -> T)) -> [T].
list_of(Min, Max, Make) ->
    [Make() || _ <- lists:seq(1, between(Min, Max))].

-spec any() -> term().
any() ->
    any(?ANY_DEPTH).

-spec any(integer()) -> term().
any(Depth) when Depth =< 0 ->
    leaf();
any(Depth) ->
    Next = fun() -> any(Depth - 1) end,
    weighted(
      [{8, fun leaf/0},
       {4, fun() -> list_of(0, 4, Next) end},
       {4, fun() -> list_to_tuple(list_of(0, 4, Next)) end},
       {2, fun() -> list_of(0, 4, fun() -> {leaf(), Next()} end) end},
       {2, fun() -> map(Depth) end},
       {1, fun() -> list_of(1, 3, fun leaf/0) ++ leaf() end},
       {1, fun random_function/0},
       {1, fun() -> random_domains:structure(Next) end}]).

-spec map(pos_integer()) -> map().
map(Depth) ->
    Pair = fun() -> {any(Depth - 2), any(Depth - 1)} end,
    maps:from_list(list_of(0, 3, Pair)).

-spec random_function() -> fun().
random_function() ->
    Name = pick([bool, int, pick, pair, list]),
    Arity = between(0, 3),
    fun random_funs:Name/Arity.

-spec leaf() -> term().
leaf() ->
    weighted(
      [{12, fun() -> pick([a, b, c, 0, 1, 2, 3, []]) end},
       {3, fun atom/0},
       {3, fun integer/0},
       {2, fun float/0},
       {2, fun string/0},
       {2, fun binary/0},
       {1, fun bitstring/0},
       {1, fun() -> identifier(pick([pid, port, reference])) end}]).

-spec atom() -> atom().
atom() ->
    case chance(70) of
        true ->
            pick([a, b, c, d, true, false, ok, error, undefined]);
        false ->
            pick(['', 'A b', 'it\'s', '\n', infinity, 'UTF-8', foo@bar, 'end',
                  'x\x{e9}', '\x{3b1}', '[]', '_', none, lists])
    end.

-spec integer() -> integer().
integer() ->
    weighted(
      [{12, fun() -> between(0, 5) end},
       {4, fun() -> between(-5, 12) end},
       {2, fun() -> between(-300, 300) end},
       {1, fun() -> pick(boundaries()) * pick([1, -1]) end}]).

-spec non_negative() -> non_neg_integer().
non_negative() ->
    abs(integer()).

-spec boundaries() -> [integer()].
boundaries() ->
    [127, 128, 255, 256, 16#d800, 16#ffff, 16#10ffff, 16#110000,
     (1 bsl 27) - 1, 1 bsl 27, (1 bsl 31) - 1, 1 bsl 31, 1 bsl 32,
     (1 bsl 59) - 1, 1 bsl 59, (1 bsl 63) - 1, 1 bsl 64, 1 bsl 100].

-spec float() -> float().
float() ->
    case chance(50) of
        true ->
            between(-40, 40) / pick([1, 2, 4, 10]);
        false ->
            pick([0.0, -0.0, 1.0, 0.1, -1.5, 3.141592653589793, 1.0e22,
                  1.0e-300, 1.7976931348623157e308, 5.0e-324, 123456789.125])
    end.

-spec char() -> char().
char() ->
    pick(alphabet()).

%% All characters of a string come from one alphabet, so that substrings,
%% separators and digits match.
-spec string() -> string().
string() ->
    Alphabet = alphabet(),
    list_of(0, pick([2, 5, 10]), fun() -> pick(Alphabet) end).

-spec alphabet() -> [char(), ...].
alphabet() ->
    weighted(
      [{6, fun() -> "abc" end},
       {3, fun() -> "abAB z09_@" end},
       {2, fun() -> "0123456789-+.e#" end},
       {2, fun() -> "a b\t\r\n,;" end},
       {1, fun() -> "(){}[]|\\\"'%$=<>~*&/?:" end},
       {2, fun() -> "ab\x{e9}\x{df}\x{301}\x{3b1}\x{130}\x{1f600}" end},
       {1, fun() -> "\v\b\f\e\0\d\x80\xa0\xff\xc5\xd7a" end}]).

-spec binary() -> binary().
binary() ->
    weighted(
      [{6, fun() -> unicode:characters_to_binary(string()) end},
       {2, fun() -> list_to_binary(list_of(0, 6, fun() -> byte() end)) end}]).

-spec byte() -> byte().
byte() ->
    pick([0, 1, 10, 97, 98, 127, 128, 200, 255]).

-spec bitstring() -> bitstring().
bitstring() ->
    Binary = binary(),
    Bits = between(0, 7),
    <<Binary/binary, (between(0, 127)):Bits>>.

%% Belongs to nothing in any node, but prints and compares the same everywhere.
-spec identifier(pid | port | reference) -> pid() | port() | reference().
identifier(pid) ->
    list_to_pid(pick(["<0.32001.7>", "<0.32002.7>"]));
identifier(port) ->
    list_to_port("#Port<0.32001>");
identifier(reference) ->
    list_to_ref(pick(["#Ref<0.1.131073.3>", "#Ref<0.1.131073.4>"])).

%% The term with one sub-term, or the whole term, replaced.
-spec mutate(term()) -> term().
mutate(Term) ->
    case chance(30) of
        true -> replace(Term);
        false -> mutate_inside(Term)
    end.

-spec mutate_inside(term()) -> term().
mutate_inside({'$call', _, _, _} = Call) ->
    replace(Call);
mutate_inside([Head | Tail]) ->
    case chance(40) of
        true -> [mutate(Head) | Tail];
        false -> [Head | mutate(Tail)]
    end;
mutate_inside(Tuple) when is_tuple(Tuple), tuple_size(Tuple) > 0 ->
    Index = rand:uniform(tuple_size(Tuple)),
    setelement(Index, Tuple, mutate(element(Index, Tuple)));
mutate_inside(Map) when map_size(Map) > 0 ->
    Key = pick(lists:sort(maps:keys(Map))),
    Map#{Key := mutate(maps:get(Key, Map))};
mutate_inside(Term) ->
    replace(Term).

-spec replace(term()) -> term().
replace(Integer) when is_integer(Integer) ->
    case chance(60) of
        true -> Integer + pick([-2, -1, 1, 2]);
        false -> any(1)
    end;
replace(Binary) when is_binary(Binary), byte_size(Binary) > 0 ->
    case chance(50) of
        true -> binary_part(Binary, 0, between(0, byte_size(Binary) - 1));
        false -> any(1)
    end;
replace(_) ->
    any(2).

%% The term with every integer reduced to the limit.
-spec clamp(term(), pos_integer()) -> term().
clamp(Integer, Limit) when is_integer(Integer), abs(Integer) > Limit ->
    Integer rem Limit;
clamp([Head | Tail], Limit) ->
    [clamp(Head, Limit) | clamp(Tail, Limit)];
clamp(Tuple, Limit) when is_tuple(Tuple) ->
    list_to_tuple(clamp(tuple_to_list(Tuple), Limit));
clamp(Map, Limit) when is_map(Map) ->
    maps:map(fun(_, Value) -> clamp(Value, Limit) end, Map);
clamp(Float, Limit) when is_float(Float), abs(Float) > Limit ->
    1.5;
clamp(Term, _) ->
    Term.
