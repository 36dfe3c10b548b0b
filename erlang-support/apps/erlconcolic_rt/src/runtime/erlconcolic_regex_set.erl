%%% Sets of characters in regular expressions. What is in a set is asked of the
%%% real `re', so it is right for the tables and rules of this release.
-module(erlconcolic_regex_set).

-export([new/2, single/1, except/1, ranges/2]).

-export_type([set/0, range/0, mode/0]).

-type range() :: {char(), char()}.

%% How a set is looked up: with few comparisons, each of which may depend on
%% the input. Of some characters it may not be known whether they are in it.
-type set() :: any
             | {is, char()}
             | {except, char()}
             | {in, [tuple()]}
             | {not_in, [tuple()]}
             | {unless, char(), char(), set()}.

%% Whether the subject has bytes or code points, and whether letters have case.
-type mode() :: {bytes | unicode, Caseless :: boolean()}.

%% Sets without such characters in their text are the same on both sides of
%% every other character beyond 255: \h and \v.
-define(BREAKS, [16#100, 16#1680, 16#1681, 16#180E, 16#180F, 16#2000, 16#200B,
                 16#2028, 16#202A, 16#202F, 16#2030, 16#205F, 16#2060, 16#3000,
                 16#3001, 16#E000]).

-define(LAST, 16#10FFFF).

%% The set of a piece of a pattern that stands for one character.
-spec new(Text :: [char()], mode()) -> {ok, set()} | unknown.
new(Text, Mode) ->
    try
        {ok, made(Text, Mode)}
    catch
        error:_ -> unknown
    end.

-spec single(char()) -> set().
single(C) -> {is, C}.

-spec except(char()) -> set().
except(C) -> {except, C}.

-spec made([char()], mode()) -> set().
made(Text, {bytes, _} = Mode) ->
    fewest(ranges(Text, Mode), 16#FF);
made(Text, {unicode, _} = Mode) ->
    Ranges = ranges(Text, Mode),
    case is_plain(Text, Mode) of
        true -> {unless, 16#80, ?LAST, fewest(Ranges, 16#7F)};
        false when Text =:= "\\w"; Text =:= "\\W";
                   Text =:= "\\s"; Text =:= "\\S" ->
            %% Repetitions treat them as others than the set itself does.
            {unless, 16#80, 16#FF, fewest(Ranges, ?LAST)};
        false -> fewest(Ranges, ?LAST)
    end.

%% Whether it takes tables to know what is in a set beyond 127.
-spec is_plain([char()], mode()) -> boolean().
is_plain(_, {_, true}) -> true;
is_plain(Text, _) -> string:find(Text, "\\p") =/= nomatch
                         orelse string:find(Text, "\\P") =/= nomatch.

-spec ranges([char()], mode()) -> [range()].
ranges(Text, {bytes, _} = Mode) ->
    Bytes = list_to_binary(lists:seq(0, 255)),
    [{From, From + Length - 1}
     || {From, Length} <- asked(Bytes, Text, Mode, index)];
ranges(Text, {unicode, _} = Mode) ->
    Limit = case is_plain(Text, Mode) of
                true -> 128;
                false -> 256
            end,
    Low = lists:seq(0, Limit - 1),
    Parts = lists:zip(Low, Low) ++ [Part || Limit > 128, Part <- parts(Text)],
    Subject = unicode:characters_to_binary([From || {From, _} <- Parts]),
    Found = lists:append(asked(Subject, Text, Mode, list)),
    joined([Part || {From, _} = Part <- Parts, lists:member(From, Found)]).

-spec asked(binary(), [char()], mode(), index | list) -> [term()].
asked(Subject, Text, {Encoding, Caseless}, Type) ->
    Options = [unicode || Encoding =:= unicode]
        ++ [caseless || Caseless] ++ [global, {capture, first, Type}],
    case re:run(Subject, ["(?:", Text, ")+"], Options) of
        {match, Found} -> lists:append(Found);
        nomatch -> []
    end.

%% Parts of the characters beyond 255 that are in a set or not as a whole.
-spec parts([char()]) -> [range()].
parts(Text) ->
    Named = [C || C <- Text ++ hexadecimal(Text), C > 255],
    Breaks = lists:usort(?BREAKS ++ Named ++ [C + 1 || C <- Named]),
    Starts = [C || C <- Breaks, C =< ?LAST, C < 16#D800 orelse C > 16#DFFF],
    lists:zip(Starts, [C - 1 || C <- tl(Starts)] ++ [?LAST]).

%% The characters of \x{...}.
-spec hexadecimal([char()]) -> [char()].
hexadecimal([$\\, $x, ${ | Rest]) ->
    {Digits, Others} = lists:splitwith(fun(C) -> C =/= $} end, Rest),
    [list_to_integer(Digits, 16) | hexadecimal(Others)];
hexadecimal([$\\, _ | Rest]) ->
    hexadecimal(Rest);
hexadecimal([_ | Rest]) ->
    hexadecimal(Rest);
hexadecimal([]) ->
    [].

-spec joined([range()]) -> [range()].
joined([{From, To}, {Next, Last} | Ranges]) when Next =:= To + 1 ->
    joined([{From, Last} | Ranges]);
joined([Range | Ranges]) ->
    [Range | joined(Ranges)];
joined([]) ->
    [].

%% A set, or all but the others if these are fewer.
-spec fewest([range()], char()) -> set().
fewest(Ranges, Last) ->
    Others = complement(Ranges, 0, Last),
    case {Ranges, Others} of
        {_, []} -> any;
        {[{C, C}], _} -> {is, C};
        {_, [{C, C}]} -> {except, C};
        _ when length(Ranges) =< length(Others) -> {in, chunks(Ranges)};
        _ -> {not_in, chunks(Others)}
    end.

-spec complement([range()], non_neg_integer(), char()) -> [range()].
complement([], Next, Last) ->
    [{Next, Last} || Next =< Last];
complement([{From, To} | Ranges], Next, Last) ->
    [{Next, From - 1} || Next < From] ++ complement(Ranges, To + 1, Last).

%% Tuples of so many ranges, each of which is one guard of the model: one
%% decision. A set with all letters of Latin-1 has ten.
-spec chunks([range()]) -> [tuple()].
chunks([]) -> [];
chunks(Ranges) ->
    Count = length(Ranges),
    Size = hd([Size || Size <- [1, 2, 4, 12], Size >= min(Count, 12)]),
    {Chunk, Others} = lists:split(min(Count, Size), Ranges),
    Padding = lists:duplicate(Size - length(Chunk), lists:last(Chunk)),
    Bounds = [[From, To] || {From, To} <- Chunk ++ Padding],
    [list_to_tuple(lists:append(Bounds)) | chunks(Others)].
