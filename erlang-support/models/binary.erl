%% Functions of binary that are built into the BEAM, for typical arguments. For
%% all others they call the real functions. Functions that the engine
%% knows as built-ins are not here.
-module(binary).
-export([bin_to_list/2, bin_to_list/3, copy/2]).
-export([decode_unsigned/1, decode_unsigned/2]).
-export([encode_unsigned/1, encode_unsigned/2]).
-export([longest_common_prefix/1, longest_common_suffix/1]).
-export([compile_pattern/1]).
-export([match/2, match/3, matches/2, matches/3]).
-export([split/2, split/3, replace/3, replace/4]).

-record(options, {scope = all, number = once, trim = none}).

bin_to_list(Binary, {Start, Length}) -> bin_to_list(Binary, Start, Length);
bin_to_list(Binary, Place) -> binary:bin_to_list(Binary, Place).

bin_to_list(Binary, Start, Length) ->
    binary_to_list(binary_part(Binary, Start, Length)).

copy(Binary, Count) when
    is_binary(Binary), is_integer(Count), Count >= 0, Count < 1 bsl 16
->
    copies(Binary, Count, <<>>);
copy(Binary, Count) ->
    binary:copy(Binary, Count).

copies(_, 0, Copies) -> Copies;
copies(Binary, Count, Copies) ->
    copies(Binary, Count - 1, <<Copies/binary, Binary/binary>>).

decode_unsigned(Binary) -> decode_unsigned(Binary, big).

decode_unsigned(Binary, Order) when is_binary(Binary) ->
    Size = byte_size(Binary),
    case Order of
        big ->
            <<Number:Size/unit:8>> = Binary,
            Number;
        little ->
            <<Number:Size/little-unit:8>> = Binary,
            Number;
        _ ->
            binary:decode_unsigned(Binary, Order)
    end;
decode_unsigned(Binary, Order) ->
    binary:decode_unsigned(Binary, Order).

encode_unsigned(Number) -> encode_unsigned(Number, big).

encode_unsigned(Number, Order) when is_integer(Number), Number >= 0 ->
    Size = bytes(Number, 256, 1),
    case Order of
        big -> <<Number:Size/unit:8>>;
        little -> <<Number:Size/little-unit:8>>;
        _ -> binary:encode_unsigned(Number, Order)
    end;
encode_unsigned(Number, Order) ->
    binary:encode_unsigned(Number, Order).

bytes(Number, Limit, Size) when Number < Limit -> Size;
bytes(Number, Limit, Size) -> bytes(Number, Limit * 256, Size + 1).

longest_common_prefix([First, Second]) when
    is_binary(First), is_binary(Second)
->
    common_prefix(First, Second, 0);
longest_common_prefix(Binaries) ->
    binary:longest_common_prefix(Binaries).

common_prefix(<<Byte, First/binary>>, <<Byte, Second/binary>>, Count) ->
    common_prefix(First, Second, Count + 1);
common_prefix(_, _, Count) ->
    Count.

longest_common_suffix([First, Second]) when
    is_binary(First), is_binary(Second)
->
    Reversed = [reversed(First), reversed(Second)],
    longest_common_prefix(Reversed);
longest_common_suffix(Binaries) ->
    binary:longest_common_suffix(Binaries).

reversed(Binary) -> list_to_binary(lists:reverse(binary_to_list(Binary))).

%% Nobody can tell what a compiled pattern was made of, so that is remembered.
compile_pattern(Pattern) ->
    Compiled = binary:compile_pattern(Pattern),
    ok = erlconcolic_patterns:remember(Compiled, Pattern),
    Compiled.

match(Subject, Pattern) -> match(Subject, Pattern, []).

match(Subject, Pattern, Options) ->
    case understood(Subject, Pattern, Options, []) of
        {Part, Start, Needle, Found} ->
            case places(Part, Needle, Found, Start) of
                [] -> nomatch;
                [Place] -> Place
            end;
        no ->
            binary:match(Subject, Pattern, Options)
    end.

matches(Subject, Pattern) -> matches(Subject, Pattern, []).

matches(Subject, Pattern, Options) ->
    case understood(Subject, Pattern, Options, []) of
        {Part, Start, Needle, Found} ->
            places(Part, Needle, Found#options{number = all}, Start);
        no ->
            binary:matches(Subject, Pattern, Options)
    end.

split(Subject, Pattern) -> split(Subject, Pattern, []).

split(Subject, Pattern, Options) ->
    case understood(Subject, Pattern, Options, [global, trim, trim_all]) of
        {Part, Start, Needle, Found} ->
            Places = places(Part, Needle, Found, Start),
            trimmed(parts(Subject, 0, Places), Found#options.trim);
        no ->
            binary:split(Subject, Pattern, Options)
    end.

%% What lies between places, in a part of the subject that begins at Start.
parts(Part, _, []) ->
    [Part];
parts(Part, Start, [{Place, Size} | Places]) ->
    Length = Place - Start,
    <<Before:Length/binary, _:Size/binary, Behind/binary>> = Part,
    [Before | parts(Behind, Place + Size, Places)].

trimmed(Parts, none) ->
    Parts;
trimmed(Parts, trim_all) ->
    [Part || Part <- Parts, byte_size(Part) > 0];
trimmed([], trim) ->
    [];
trimmed([Part | Parts], trim) ->
    case trimmed(Parts, trim) of
        [] when byte_size(Part) =:= 0 -> [];
        Kept -> [Part | Kept]
    end.

replace(Subject, Pattern, New) -> replace(Subject, Pattern, New, []).

replace(Subject, Pattern, New, Options) when is_binary(New) ->
    case understood(Subject, Pattern, Options, [global]) of
        {Part, Start, Needle, Found} ->
            Places = places(Part, Needle, Found, Start),
            joined(parts(Subject, 0, Places), New);
        no ->
            binary:replace(Subject, Pattern, New, Options)
    end;
replace(Subject, Pattern, New, Options) ->
    binary:replace(Subject, Pattern, New, Options).

joined([Last], _) ->
    Last;
joined([First | Rest], New) ->
    Joined = joined(Rest, New),
    <<First/binary, New/binary, Joined/binary>>.

%% The part of the subject that is searched, where it begins, what is looked for
%% there, and the options.
understood(Subject, Pattern, Options, Known) when is_binary(Subject) ->
    case {options(Options, Known, #options{}), needle(Pattern)} of
        {#options{} = Found, {_, _} = Needle} ->
            scoped(Subject, Found#options.scope, Needle, Found);
        _ ->
            no
    end;
understood(_, _, _, _) ->
    no.

options([], _, Found) ->
    Found;
options([{scope, {Start, Length}} | Options], Known, Found) when
    is_integer(Start), is_integer(Length), Found#options.scope =:= all
->
    options(Options, Known, Found#options{scope = {Start, Length}});
options([Option | Options], Known, Found) when is_atom(Option) ->
    case lists:member(Option, Known) of
        true -> options(Options, Known, option(Option, Found));
        false -> no
    end;
options(_, _, _) ->
    no.

option(global, Found) -> Found#options{number = all};
option(trim, #options{trim = trim_all} = Found) -> Found;
option(Trim, Found) -> Found#options{trim = Trim}.

scoped(Subject, all, Needle, Found) ->
    {Subject, 0, Needle, Found};
scoped(Subject, {Start, Length}, Needle, Found) when Length < 0 ->
    scoped(Subject, {Start + Length, -Length}, Needle, Found);
scoped(Subject, {Start, Length}, Needle, Found) when
    Start >= 0, Start + Length =< byte_size(Subject)
->
    {binary_part(Subject, Start, Length), Start, Needle, Found};
scoped(_, _, _, _) ->
    no.

%% One pattern, one of some bytes, or patterns by their first bytes. Longer ones
%% come first.
needle([Pattern]) ->
    needle(Pattern);
needle([_ | _] = Patterns) ->
    case are_patterns(Patterns) of
        true ->
            Sorted = lists:sort([{-byte_size(It), It} || It <- Patterns]),
            Firsts = lists:usort([binary:first(It) || It <- Patterns]),
            case Sorted of
                [{-1, _} | _] -> {byte, Firsts};
                _ -> {Firsts, [It || {_, It} <- Sorted]}
            end;
        false ->
            no
    end;
needle(Pattern) when is_binary(Pattern), byte_size(Pattern) > 0 ->
    {one, Pattern};
needle({Kind, _} = Compiled) when Kind =:= bm; Kind =:= ac ->
    case erlconcolic_patterns:find(Compiled) of
        {ok, Pattern} -> needle(Pattern);
        unknown -> no
    end;
needle(_) ->
    no.

are_patterns([]) ->
    true;
are_patterns([Pattern | Patterns]) ->
    is_binary(Pattern) andalso byte_size(Pattern) > 0 andalso
        are_patterns(Patterns);
are_patterns(_) ->
    false.

%% All places of a needle in a binary, or the first one, counted from a start.
places(Subject, Needle, #options{number = Number}, Start) ->
    case Needle of
        {one, Pattern} ->
            of_one(Subject, Pattern, byte_size(Pattern), Number, Start);
        {byte, Bytes} ->
            of_bytes(Subject, Bytes, Number, Start);
        {Firsts, Patterns} ->
            of_several(Subject, Firsts, Patterns, Number, Start)
    end.

of_one(Subject, Pattern, Size, Number, Start) ->
    case Subject of
        <<Pattern:Size/binary, _/binary>> when Number =:= once ->
            [{Start, Size}];
        <<Pattern:Size/binary, Rest/binary>> ->
            [{Start, Size} | of_one(Rest, Pattern, Size, Number, Start + Size)];
        <<_, Rest/binary>> ->
            of_one(Rest, Pattern, Size, Number, Start + 1);
        _ ->
            []
    end.

of_bytes(<<Byte, Rest/binary>>, Bytes, Number, Start) ->
    case lists:member(Byte, Bytes) of
        true when Number =:= once ->
            [{Start, 1}];
        true ->
            [{Start, 1} | of_bytes(Rest, Bytes, Number, Start + 1)];
        false ->
            of_bytes(Rest, Bytes, Number, Start + 1)
    end;
of_bytes(_, _, _, _) ->
    [].

of_several(<<Byte, Rest/binary>> = Subject, Firsts, Patterns, Number, Start) ->
    Size = case lists:member(Byte, Firsts) of
               true -> size_of_first(Subject, Patterns);
               false -> 0
           end,
    case Size of
        0 ->
            of_several(Rest, Firsts, Patterns, Number, Start + 1);
        _ when Number =:= once ->
            [{Start, Size}];
        _ ->
            <<_:Size/binary, Behind/binary>> = Subject,
            [{Start, Size}
             | of_several(Behind, Firsts, Patterns, Number, Start + Size)]
    end;
of_several(_, _, _, _, _) ->
    [].

%% The size of the first pattern that a binary begins with.
size_of_first(_, []) ->
    0;
size_of_first(Subject, [Pattern | Patterns]) ->
    Size = byte_size(Pattern),
    case Subject of
        <<Pattern:Size/binary, _/binary>> -> Size;
        _ -> size_of_first(Subject, Patterns)
    end.
